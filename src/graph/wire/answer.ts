// A graph's answer as it travels, and what is made of one that comes from outside: believed in nothing that can be looked at.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import type { Agreement } from '../../model.ts';
import type { GraphAnswer } from '../graph.ts';
import { ANSWER } from './schema.ts';

export type WireAnswer = v.InferOutput<typeof ANSWER>;

/** The answer as it is sent. */
export const answerOf = ({ total, newest, values, name, identities }: GraphAnswer): WireAnswer => ({
  total,
  newest,
  values,
  name,
  identities: [...identities.values()],
});

/**
 * An answer that was sent, as a graph's own. What contradicts itself is no answer: hits of nobody, identities that nothing led to, more
 * sharers than there are people.
 *
 * @param places for each value that was asked, its place in the query
 * @param count how many values the query has
 *
 * Errors: graph_bad_response.
 */
export function readAnswer(sent: unknown, places: readonly number[], count: number): GraphAnswer {
  const read = v.safeParse(ANSWER, sent);
  if (!read.success) throw badAnswer('has not the form of a graph’s answer');
  const problem = contradiction(read.output, places.length);
  if (problem !== null) throw badAnswer(problem);
  const { total, newest, values, name, identities } = read.output;
  const inPlace: Agreement[][] = Array.from({ length: count }, () => []);
  for (const [i, place] of places.entries()) inPlace[place] = values[i] ?? [];
  return {
    total,
    newest,
    values: inPlace,
    name,
    identities: new Map(identities.map((one) => [one.id, one])),
  };
}

function contradiction({ total, values, name, identities }: WireAnswer, asked: number): string | null {
  if (values.length !== asked) return 'has another number of values than were asked';
  const known = new Set(name.identities);
  for (const hits of values) {
    if (hits.some(({ share }) => share > total)) return 'has more sharers of a value than identities';
    if (new Set(hits.map(({ identity }) => identity)).size < hits.length) return 'has an identity twice';
    for (const { identity } of hits) known.add(identity);
  }
  const ids = identities.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return 'has an identity twice';
  if (![...ids, ...name.given].every((id) => known.has(id))) return 'has identities that no value led to';
  if (Math.max(name.bearers, known.size) > total) return 'has more identities than it counts';
  return null;
}

const badAnswer = (why: string) =>
  new BonafideError('graph_bad_response', `The answer of the graph that was asked ${why}.`);
