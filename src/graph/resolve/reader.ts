import type { Identity } from '../../model.ts';

export interface IdentitiesOfLookupKey {
  key: number;
  share: number;
  /**
   * First identities that have the look-up key, in ascending order; at most `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY`. Each is a number: twice the
   * identity number, plus 1 if the key is that of the identity's primary value.
   */
  holders: readonly number[];
}

export const encodeIdentityWithPrimaryFlag = (identity: number, primary: boolean): number =>
  identity * 2 + Number(primary);
export const decodeIdentityWithoutPrimaryFlag = (holder: number): number => Math.floor(holder / 2);
export const hasPrimaryFlagInEncodedIdentity = (holder: number): boolean => holder % 2 === 1;

/** Data of one stored contact for finding it with a typing error: fingerprints of its letter pairs, and of the part that must be equal. */
export interface StoredTypoSearchData {
  kind: 'email' | 'address';
  /** Fingerprint of the part that must be equal, such as house number and place of an address. */
  exactPart: number;
  grams: number[];
}

/** Hashes of year, month and day of a birth date: 1 to 255, or 0 for an unknown part. */
export type BirthDateHashes = readonly [year: number, month: number, day: number];

/** First and last date of an identity's records, and the ages of its old contacts (see contact-ages.ts). */
export interface SeenDates {
  firstSeen: number | null;
  lastSeen: number | null;
  contactAges: string;
}

/**
 * Functions by which `resolveGraphQuery` reads the data of an engine. They return results at once, so an asynchronous engine must read all data
 * before.
 */
export interface GraphReader {
  /**
   * Returns the identities of each look-up key, in the order of `keys`. Also returns the number of all identities in the graph (`total`), and the
   * latest date on which any record was seen (`newest`: milliseconds since 1970, or null).
   */
  getPostings(keys: number[]): { postings: IdentitiesOfLookupKey[]; total: number; newest: number | null };
  /**
   * Finds out which of the identities have which of these look-up keys, each of which very many identities have. Returns them by look-up key and
   * identity number; true if the key is that of the identity's primary value.
   */
  findHolders(keys: number[], identities: number[]): Map<number, Map<number, boolean>>;
  getIdentity(number: number): Identity | null;
  getSeenDates(identity: number): SeenDates;
  /** Returns the hashes of an identity's birth dates; empty if its records have no birth date. */
  getBirthDateHashes(identity: number): readonly BirthDateHashes[];
  /**
   * Returns the data for typo searches of those identities that have a contact with one of the exact parts, in the order of `identities`; of all of
   * them if `exactParts` is null.
   */
  getSignatures(identities: number[], exactParts: number[] | null): Map<number, StoredTypoSearchData[]>;
}

/** True if more identities have the look-up key than are listed in `holders`. */
export function isFrequentLookupKey({ share, holders }: IdentitiesOfLookupKey): boolean {
  return share > holders.length;
}

export function isIdentityListedForLookupKey({ holders }: IdentitiesOfLookupKey, identity: number): boolean {
  for (const holder of holders) if (decodeIdentityWithoutPrimaryFlag(holder) === identity) return true;
  return false;
}

/** Returns those of the given identities that have the look-up key. */
export function filterIdentitiesByLookupKey(
  posting: IdentitiesOfLookupKey,
  identities: number[],
  { findHolders }: Pick<GraphReader, 'findHolders'>,
): number[] {
  if (identities.length === 0) return [];
  const holders = isFrequentLookupKey(posting)
    ? findHolders([posting.key], identities).get(posting.key)
    : null;
  return identities.filter((id) => isIdentityListedForLookupKey(posting, id) || holders?.has(id));
}
