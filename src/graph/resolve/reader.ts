import type { Identity } from '../../model.ts';

export interface IdentitiesOfLookupKey {
  key: number;
  share: number;
  /**
   * First identities that have the look-up key, ascending; at most `MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY`. Each is encoded as twice the identity
   * number, plus 1 if the value is the identity's primary one.
   */
  holders: readonly number[];
}

export const encodeIdentityWithPrimaryFlag = (identity: number, primary: boolean): number =>
  identity * 2 + Number(primary);
export const decodeNumberWithoutPrimaryFlag = (holder: number): number => Math.floor(holder / 2);
export const isPrimaryInEncodedIdentity = (holder: number): boolean => holder % 2 === 1;

/** Typo signature (fingerprints of letter pairs) of one stored value of an identity. */
export interface StoredTypoSearchData {
  kind: 'email' | 'address';
  /** Fingerprint of the part of the value that must be equal in spite of a typo, such as house number and place of an address. */
  exactPart: number;
  grams: number[];
}

/** Hashes of year, month and day of a birth date: 1 to 255 each, 0 if the part is unknown. */
export type BirthDateHashes = readonly [year: number, month: number, day: number];

/**
 * Functions with which `resolveGraphQuery` reads the data of an engine. They are synchronous, so an asynchronous engine must fetch the data before.
 */
export interface GraphReader {
  /**
   * Returns the identities that have each look-up key. Also returns the number of all identities in the graph (`total`), and the latest `lastSeen` of
   * all records (milliseconds since 1970, or null).
   */
  getPostings(keys: number[]): { postings: IdentitiesOfLookupKey[]; total: number; newest: number | null };
  /**
   * Finds which of the identities have which of these look-up keys, each of which very many identities have. The result maps look-up key and identity
   * to true if the value is the identity's primary one, otherwise to false.
   */
  findHolders(keys: number[], identities: number[]): Map<number, Map<number, boolean>>;
  getIdentity(number: number): Identity | null;
  getSeenDates(identity: number): { firstSeen: number | null; lastSeen: number | null };
  /** Returns the hashes of an identity's birth dates; empty if its records have no birth date. */
  getBirthDateHashes(identity: number): readonly BirthDateHashes[];
  /**
   * Returns the typo signatures of those identities that have at least one of the exact parts, in the order of `identities`; of all of them if
   * `exactParts` is null.
   */
  getSignatures(identities: number[], exactParts: number[] | null): Map<number, StoredTypoSearchData[]>;
}

/** True if more identities have the look-up key than `holders` lists. */
export function isFrequentLookupKey({ share, holders }: IdentitiesOfLookupKey): boolean {
  return share > holders.length;
}

export function isIdentityListedForLookupKey({ holders }: IdentitiesOfLookupKey, identity: number): boolean {
  for (const holder of holders) if (decodeNumberWithoutPrimaryFlag(holder) === identity) return true;
  return false;
}

/** Returns those of the given identities that have a look-up key. */
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
