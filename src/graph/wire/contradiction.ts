// What an answer from outside cannot say, though it has the form of one.
import type { KeyType, Said } from '../../model.ts';
import type { WireAnswer } from './schema.ts';

/** Comparing names takes time that nobody else has: as many characters as some hundreds of them have. */
const MOST_TEXT = 16_384;

/** Which keys a value of a kind has; a typo any. */
const KEYS: Record<Said['kind'], readonly (KeyType | 'typo')[]> = {
  email: ['email', 'mailbox', 'typo'],
  phone: ['phone', 'typo'],
  other_phone: ['phone', 'typo'],
  address: ['address', 'premise', 'core', 'core_city', 'street', 'typo'],
};

/** @param asked the kind of each value, in the order of the question */
export function contradiction(
  answer: WireAnswer,
  asked: readonly (Said['kind'] | undefined)[],
): string | null {
  if (answer.values.length !== asked.length) return 'has another number of values than were asked';
  return inHits(answer, asked) ?? inPeople(answer);
}

function inHits({ total, values }: WireAnswer, asked: readonly (Said['kind'] | undefined)[]): string | null {
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
  return tooManyNames(identities);
}

/** What is wrong with people whose names are more than can be compared; else null. */
export function tooManyNames(people: readonly { names: readonly string[] }[]): string | null {
  const characters = people.flatMap(({ names }) => names).reduce((sum, { length }) => sum + length, 0);
  return characters > MOST_TEXT ? `has names of more than ${MOST_TEXT} characters in all` : null;
}

/** A name without a letter is none: it would be another's than the submitted one. */
export const isName = (text: string): boolean => /\p{L}/u.test(text) && text.isWellFormed();
