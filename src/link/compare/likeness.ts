import type { StoredContact, StoredRecord } from '../stored.ts';

type Located = Pick<StoredRecord, 'contacts'>;

/** How many of `from` (sorted) are not in `to` (sorted). */
export function missing(from: number[], to: number[]): number {
  let count = 0;
  let j = 0;
  for (const value of from) {
    while ((to[j] ?? Infinity) < value) j++;
    if (to[j] !== value) count++;
  }
  return count;
}

/** Letter pairs that a typo or two change. */
export const TYPO_PAIRS = 3;

/** How many letter pairs two texts do not share, where the exact parts agree; else null. */
export function typoApart(one: StoredContact, two: StoredContact): number | null {
  if (!one.signature || !two.signature || one.signature.exactPart !== two.signature.exactPart) return null;
  if (inOtherStreets(one, two)) return null;
  return Math.max(
    missing(one.signature.grams, two.signature.grams),
    missing(two.signature.grams, one.signature.grams),
  );
}

/** Do two postcodes each mean a street, and not one? */
export function inOtherStreets({ postcode }: StoredContact, two: StoredContact): boolean {
  return postcode !== undefined && two.postcode !== undefined && postcode !== two.postcode;
}

/** Do two addresses name two flats? */
export function inOtherFlats({ unit }: StoredContact, two: StoredContact): boolean {
  return unit !== undefined && two.unit !== undefined && unit !== two.unit;
}

/** Do two streets agree in most of their letter pairs (Dice 1945)? */
export function alikeStreet(one: StoredContact, two: StoredContact): boolean {
  if (!one.signature || !two.signature || inOtherStreets(one, two)) return false;
  const [a, b] = [one.signature.grams, two.signature.grams];
  return (2 * (a.length - missing(a, b))) / (a.length + b.length) >= 0.7;
}

/** An address in common, to the letter or but for a typo in the street's name. */
export function sameAddress(a: Located, b: Located): boolean {
  return anyAddress(a, b, agree);
}

/** An address in common, or two on streets that are alike in one place. */
export function nearAddress(a: Located, b: Located): boolean {
  return anyAddress(a, b, (one, two) => agree(one, two) || alike(one, two));
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
  if (inOtherFlats(one, two)) return false;
  const keys = one.keys.some(
    ([type, key]) => type !== 'street' && two.keys.some(([, other]) => other === key),
  );
  return keys || (typoApart(one, two) ?? TYPO_PAIRS + 1) <= TYPO_PAIRS;
}

function alike(one: StoredContact, two: StoredContact): boolean {
  return alikeStreet(one, two) && one.places.some((place) => two.places.includes(place));
}

/** Does any address of the one lie in a place of the other? */
export function samePlace(a: Located, b: Located): boolean {
  const inPlace = (place: number) => b.contacts.some((contact) => contact.places.includes(place));
  return a.contacts.some((contact) => contact.places.some(inPlace));
}
