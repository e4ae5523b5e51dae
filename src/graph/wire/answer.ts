// A graph's answer as it travels, and what is made of one that comes from outside: believed in nothing that can be looked at.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import type { Agreement, LookupKeyType, RawContact } from '../../model.ts';
import type { GraphAnswer, QueryValue } from '../graph.ts';
import { ANSWER_SCHEMA, type WireAnswer } from './schema.ts';

/** The answer as it is sent. */
export const toWireAnswer = ({ total, newest, values, name, identities }: GraphAnswer): WireAnswer => ({
  total,
  newest,
  values,
  name,
  identities: [...identities.values()],
});

interface Asking {
  /** For each value that was asked, its place in the query. */
  places: readonly number[];
  values: readonly Pick<QueryValue, 'raw'>[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * An answer that was sent, as a graph's own. What contradicts itself is no answer: hits of nobody, identities that nothing led to, more
 * sharers than there are people. Dates that cannot be, and names without a letter, are left out of it.
 *
 * Errors: graph_bad_response.
 */
export function parseAnswer(sent: unknown, { places, values: asked, now }: Asking): GraphAnswer {
  const read = v.safeParse(ANSWER_SCHEMA, sent);
  if (!read.success) throw badAnswerError('has not the form of a graph’s answer');
  const problem = contradiction(
    read.output,
    places.map((place) => asked[place]?.raw?.kind),
  );
  if (problem !== null) throw badAnswerError(problem);
  const { total, newest, name } = read.output;
  const values = read.output.values.map((hits) => hits.map((hit) => believable(hit, now)));
  const identities = read.output.identities.map((one) => ({
    ...believable(one, now),
    names: one.names.filter(hasLetter),
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

export const badAnswerError = (why: string) =>
  new BonafideError('graph_bad_response', `The answer of the graph that was asked ${why}.`);

// What an answer from outside cannot say, though it has the form of one.
/** Comparing names takes time that nobody else has: as many characters as some hundreds of them have. */
const MOST_TEXT = 16_384;

/** Which keys a value of a kind has; a typo any. */
const KEYS: Record<RawContact['kind'], readonly (LookupKeyType | 'typo')[]> = {
  email: ['email', 'mailbox', 'typo'],
  phone: ['phone', 'typo'],
  other_phone: ['phone', 'typo'],
  address: ['address', 'premise', 'core', 'core_city', 'street', 'typo'],
};

/** @param asked the kind of each value, in the order of the question */
function contradiction(
  answer: WireAnswer,
  asked: readonly (RawContact['kind'] | undefined)[],
): string | null {
  if (answer.values.length !== asked.length) return 'has another number of values than were asked';
  return inHits(answer, asked) ?? inPeople(answer);
}

function inHits(
  { total, values }: WireAnswer,
  asked: readonly (RawContact['kind'] | undefined)[],
): string | null {
  for (const [i, hits] of values.entries()) {
    const kind = asked[i];
    if (hits.some(({ share }) => share > total)) return 'has more sharers of a value than identities';
    if (hits.some(({ type }) => kind !== undefined && !KEYS[kind].includes(type)))
      return 'has hits of another kind than was asked';
    if (new Set(hits.map(({ identity }) => identity)).size < hits.length) return 'has an identity twice';
  }
  return null;
}

function inPeople({ total, values, name, identities }: WireAnswer): string | null {
  const known = new Set([...name.identities, ...values.flat().map(({ identity }) => identity)]);
  const ids = identities.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return 'has an identity twice';
  if (![...ids, ...name.given].every((id) => known.has(id))) return 'has identities that no value led to';
  if (Math.max(name.bearers, known.size) > total) return 'has more identities than it counts';
  return findNameExcess(identities);
}

/** What is wrong with people whose names are more than can be compared; else null. */
export function findNameExcess(people: readonly { names: readonly string[] }[]): string | null {
  const characters = people.flatMap(({ names }) => names).reduce((sum, { length }) => sum + length, 0);
  return characters > MOST_TEXT ? `has names of more than ${MOST_TEXT} characters in all` : null;
}

/** A name without a letter is none: it would be another's than the submitted one. */
export const hasLetter = (text: string): boolean => /\p{L}/u.test(text) && text.isWellFormed();

// Dates that another service tells, as far as they can be.

interface Seen {
  firstSeen: number | null;
  lastSeen: number | null;
}

/** Clocks differ, and a day without an hour begins elsewhere before it does here. */
const AHEAD_MS = 86_400_000;

/** A first date after its last, or one more than a day ahead of `now`, is left out: as if no record carried one. */
function believable<T extends Seen>(one: T, now: number): T {
  const { firstSeen, lastSeen } = one;
  if (firstSeen !== null && lastSeen !== null && firstSeen > lastSeen)
    return { ...one, firstSeen: null, lastSeen: null };
  return { ...one, firstSeen: untilNow(firstSeen, now), lastSeen: untilNow(lastSeen, now) };
}

/** The newest of all records; left out where it is ahead of `now`, or somebody was seen after it. */
function believableNewest(newest: number | null, seen: readonly Seen[], now: number): number | null {
  const known = untilNow(newest, now);
  return known !== null && seen.every(({ lastSeen }) => (lastSeen ?? known) <= known) ? known : null;
}

const untilNow = (time: number | null, now: number) =>
  time !== null && time <= now + AHEAD_MS ? time : null;
