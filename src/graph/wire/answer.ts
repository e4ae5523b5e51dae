// Answers of a graph on another server: converts them for sending, and verifies received ones before use.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import type { ContactMatch, RawContact } from '../../model.ts';
import { type GraphAnswer, LOOKUP_KEY_TYPES_BY_CONTACT_KIND, type QueryContactValue } from '../graph.ts';
import { GRAPH_ANSWER_SCHEMA, type GraphAnswerJson } from './schema.ts';

/** Converts an answer to the JSON that is sent to another server. */
export const toGraphAnswerJson = ({
  total,
  newest,
  values,
  name,
  identities,
}: GraphAnswer): GraphAnswerJson => ({
  total,
  newest,
  values,
  name,
  identities: [...identities.values()],
});

interface AnsweredQuery {
  valueIndexes: readonly number[];
  values: readonly Pick<QueryContactValue, 'raw'>[];
  now: number;
}

/**
 * Parses the answer of another server. Removes impossible dates, and names without a letter. Errors: graph_bad_response, also for an answer that
 * contradicts itself.
 */
export function parseGraphAnswer(
  sent: unknown,
  { valueIndexes, values: queryValues, now }: AnsweredQuery,
): GraphAnswer {
  const parsed = v.safeParse(GRAPH_ANSWER_SCHEMA, sent);
  if (!parsed.success) throw badAnswerError('it does not match the schema');
  const kinds = valueIndexes.map((index) => queryValues[index]?.raw?.kind);
  const problem =
    findContradictionInHits(parsed.output, kinds) ??
    findContradictionInIdentities(parsed.output) ??
    describeTooLongNames(parsed.output.identities);
  if (problem !== null) throw badAnswerError(problem);
  const { total, newest, name } = parsed.output;
  const hitLists = parsed.output.values.map((hits) => hits.map((hit) => toPossibleMatch(hit, now)));
  const identities = parsed.output.identities.map((identity) => ({
    ...removeImpossibleDates(identity, now),
    names: identity.names.filter(isWellFormedTextWithLetter),
  }));
  const values: ContactMatch[][] = queryValues.map(() => []);
  for (const [i, index] of valueIndexes.entries()) values[index] = hitLists[i] ?? [];
  return {
    total,
    newest: possibleNewest(newest, [...hitLists.flat(), ...identities], now),
    values,
    name,
    identities: new Map(identities.map((identity) => [identity.id, identity])),
  };
}

const badAnswerError = (problem: string) =>
  new BonafideError(
    'graph_bad_response',
    `The answer of the graph is invalid: ${problem}. Correct the server or plugin that sent it.`,
  );

const isPossibleType = (type: ContactMatch['type'], kind: RawContact['kind']) =>
  type === 'typo' ||
  LOOKUP_KEY_TYPES_BY_CONTACT_KIND[kind === 'other_phone' ? 'phone' : kind].some(
    (keyType) => keyType === type,
  );

/**
 * Describes a contradiction between the matches in an answer and the question; null if there is none.
 * @param kinds kind of each value of the question
 */
function findContradictionInHits(
  { total, values }: GraphAnswerJson,
  kinds: readonly (RawContact['kind'] | undefined)[],
): string | null {
  if (values.length !== kinds.length) return 'it has another number of values than the question';
  for (const [i, hits] of values.entries()) {
    const kind = kinds[i];
    if (hits.some(({ share }) => share > total)) return 'more identities share a value than exist';
    if (hits.some(({ type }) => kind !== undefined && !isPossibleType(type, kind)))
      return 'a hit has another kind than its value';
    if (hasDuplicates(hits.map(({ identity }) => identity))) return DUPLICATE;
  }
  return null;
}

function findContradictionInIdentities({ total, values, name, identities }: GraphAnswerJson): string | null {
  const matchedIdentities = new Set([...name.identities, ...values.flat().map(({ identity }) => identity)]);
  const ids = identities.map(({ id }) => id);
  if (hasDuplicates(ids)) return DUPLICATE;
  const all = [
    ...ids,
    ...name.given,
    ...[...(name.differentPeople ?? []), ...(name.housemates ?? [])].flat(),
  ];
  if (!all.every((id) => matchedIdentities.has(id))) return 'it has identities without a hit';
  if (Math.max(name.bearers, matchedIdentities.size) > total) return 'it has more identities than its total';
  return null;
}

const DUPLICATE = 'it has an identity twice';

const hasDuplicates = (ids: readonly number[]) => new Set(ids).size < ids.length;

/** Maximum number of characters of all names in an answer together, because comparing names takes time. */
const MAX_NAME_CHARACTERS = 16_384;

/** Returns an error text if the names of all identities are together too long to compare; otherwise null. */
export function describeTooLongNames(identities: readonly { names: readonly string[] }[]): string | null {
  const characters = identities.flatMap(({ names }) => names).reduce((sum, { length }) => sum + length, 0);
  return characters > MAX_NAME_CHARACTERS
    ? `its names have more than ${MAX_NAME_CHARACTERS} characters in total`
    : null;
}

/** True if a name has a letter and is well-formed Unicode. Any other text would wrongly count as the name of another person. */
export const isWellFormedTextWithLetter = (text: string): boolean =>
  /\p{L}/u.test(text) && text.isWellFormed();

interface SeenDates {
  firstSeen: number | null;
  lastSeen: number | null;
}

/** Time (ms) by which a date may be in the future, because clocks and time zones of servers differ. */
const AHEAD_MS = 86_400_000;

/** Removes impossible dates of a match. The identity is seen with the contact between its first and its last date. */
function toPossibleMatch({ contactLastSeen, ...hit }: ContactMatch, now: number): ContactMatch {
  const match = removeImpossibleDates(hit, now);
  const { firstSeen, lastSeen } = match;
  if (contactLastSeen === null) return { ...match, contactLastSeen };
  const isPossible =
    contactLastSeen !== undefined &&
    lastSeen !== null &&
    contactLastSeen < lastSeen &&
    contactLastSeen >= (firstSeen ?? contactLastSeen);
  return isPossible ? { ...match, contactLastSeen } : match;
}

/** Replaces impossible dates by null: both if the first is after the last, and any that is more than a day after `now`. */
function removeImpossibleDates<T extends SeenDates>(dated: T, now: number): T {
  const { firstSeen, lastSeen } = dated;
  if (firstSeen !== null && lastSeen !== null && firstSeen > lastSeen)
    return { ...dated, firstSeen: null, lastSeen: null };
  return { ...dated, firstSeen: possibleDate(firstSeen, now), lastSeen: possibleDate(lastSeen, now) };
}

/** Returns the date of the newest record that another server reported; null if it is in the future, or earlier than another date in the answer. */
function possibleNewest(newest: number | null, dates: readonly SeenDates[], now: number): number | null {
  const date = possibleDate(newest, now);
  return date !== null && dates.every(({ lastSeen }) => (lastSeen ?? date) <= date) ? date : null;
}

const possibleDate = (time: number | null, now: number) =>
  time !== null && time <= now + AHEAD_MS ? time : null;
