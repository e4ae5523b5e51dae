// A graph's answer as it travels, and what is made of one that comes from outside: believed in nothing that can be looked at.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import type { Agreement } from '../../model.ts';
import type { GraphAnswer, QueryValue } from '../graph.ts';
import { contradiction, isName } from './contradiction.ts';
import { believable, believableNewest } from './dates.ts';
import { ANSWER } from './schema.ts';
import type { WireAnswer } from './schema.ts';

/** The answer as it is sent. */
export const answerOf = ({ total, newest, values, name, identities }: GraphAnswer): WireAnswer => ({
  total,
  newest,
  values,
  name,
  identities: [...identities.values()],
});

interface Asking {
  /** For each value that was asked, its place in the query. */
  places: readonly number[];
  values: readonly Pick<QueryValue, 'said'>[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * An answer that was sent, as a graph's own. What contradicts itself is no answer: hits of nobody, identities that nothing led to, more
 * sharers than there are people. Dates that cannot be, and names without a letter, are left out of it.
 *
 * Errors: graph_bad_response.
 */
export function readAnswer(sent: unknown, { places, values: asked, now }: Asking): GraphAnswer {
  const read = v.safeParse(ANSWER, sent);
  if (!read.success) throw badAnswer('has not the form of a graph’s answer');
  const problem = contradiction(
    read.output,
    places.map((place) => asked[place]?.said?.kind),
  );
  if (problem !== null) throw badAnswer(problem);
  const { total, newest, name } = read.output;
  const values = read.output.values.map((hits) => hits.map((hit) => believable(hit, now)));
  const identities = read.output.identities.map((one) => ({
    ...believable(one, now),
    names: one.names.filter(isName),
  }));
  const inPlace: Agreement[][] = asked.map(() => []);
  for (const [i, place] of places.entries()) inPlace[place] = values[i] ?? [];
  return {
    total,
    newest: believableNewest(newest, [...values.flat(), ...identities], now),
    values: inPlace,
    name,
    identities: new Map(identities.map((one) => [one.id, one])),
  };
}

export const badAnswer = (why: string) =>
  new BonafideError('graph_bad_response', `The answer of the graph that was asked ${why}.`);
