import type { StoredContact, StoredRecord } from '../stored-record.ts';

type Located = Pick<StoredRecord, 'contacts'>;

/** Counts the elements of `from` that `to` does not contain. Both lists must be sorted. */
export function countElementsNotIn(from: number[], to: number[]): number {
  let count = 0;
  let j = 0;
  for (const value of from) {
    while ((to[j] ?? Infinity) < value) j++;
    if (to[j] !== value) count++;
  }
  return count;
}

/** Number of different letter pairs up to which one or two typos explain the difference between two texts. */
export const MAX_BIGRAMS_CHANGED_BY_TYPOS = 3;

/**
 * Counts, for each of two contacts, the letter pairs that the other lacks, and returns the higher count. Null if a part that must be equal, such as
 * the house number, differs.
 */
export function countUnsharedBigrams(one: StoredContact, two: StoredContact): number | null {
  if (!one.signature || !two.signature || one.signature.exactPart !== two.signature.exactPart) return null;
  if (haveDifferentStreetPostcodes(one, two)) return null;
  return Math.max(
    countElementsNotIn(one.signature.grams, two.signature.grams),
    countElementsNotIn(two.signature.grams, one.signature.grams),
  );
}

/** True if both addresses have a postcode that identifies a street, and these postcodes differ. */
export function haveDifferentStreetPostcodes({ postcode }: StoredContact, two: StoredContact): boolean {
  return postcode !== undefined && two.postcode !== undefined && postcode !== two.postcode;
}

export function hasKey({ keys }: StoredContact, key: number): boolean {
  for (const entry of keys) if (entry[1] === key) return true;
  return false;
}

export function haveDifferentFlats({ unit }: StoredContact, two: StoredContact): boolean {
  return unit !== undefined && two.unit !== undefined && unit !== two.unit;
}

/** True if the names of two streets have most letter pairs in common (Dice 1945). */
export function haveSimilarStreets(one: StoredContact, two: StoredContact): boolean {
  if (!one.signature || !two.signature || haveDifferentStreetPostcodes(one, two)) return false;
  const [a, b] = [one.signature.grams, two.signature.grams];
  return (2 * (a.length - countElementsNotIn(a, b))) / (a.length + b.length) >= 0.7;
}

/** True if two addresses have different house numbers and streets that are not alike. */
export const areOnDifferentStreets = (one: StoredContact, two: StoredContact): boolean =>
  one.signature !== null &&
  two.signature !== null &&
  one.signature.exactPart !== two.signature.exactPart &&
  !haveSimilarStreets(one, two);

/** True if two records share an address. A typo in the street is allowed. */
export function haveSameAddress(a: Located, b: Located): boolean {
  return anyAddress(a, b, agree);
}

function anyAddress(
  a: Located,
  b: Located,
  same: (one: StoredContact, two: StoredContact) => boolean,
): boolean {
  const theirs = b.contacts.filter((contact) => contact.kind === 'address');
  return a.contacts.some((one) => one.kind === 'address' && theirs.some((two) => same(one, two)));
}

function agree(one: StoredContact, two: StoredContact): boolean {
  if (haveDifferentFlats(one, two)) return false;
  const keys = one.keys.some(([type, key]) => type !== 'street' && hasKey(two, key));
  return (
    keys ||
    (countUnsharedBigrams(one, two) ?? MAX_BIGRAMS_CHANGED_BY_TYPOS + 1) <= MAX_BIGRAMS_CHANGED_BY_TYPOS
  );
}
