import type { Identity } from '../../model.ts';

export interface KeyPosting {
  key: number;
  share: number;
  /**
   * First identities that have the key, ascending; at most `MAX_IDENTITIES_PER_POSTING`. Each is encoded as twice the identity number, plus 1 if
   * the value is the identity's primary one.
   */
  holders: readonly number[];
}

export const encodePostingHolder = (identity: number, primary: boolean): number =>
  identity * 2 + Number(primary);
export const decodePostingHolder = (holder: number): number => Math.floor(holder / 2);
export const isPrimaryHolder = (holder: number): boolean => holder % 2 === 1;

/** Typo signature (letter pairs) of one stored value of an identity. */
export interface KnownTypoSignature {
  kind: 'email' | 'address';
  /** Fingerprint of the part of the value that must agree exactly. */
  exactPart: number;
  grams: number[];
}

/** Hashes of year, month and day of a birth date: 1 to 255 each, 0 if the part is unknown. */
export type BirthDateHashes = readonly [year: number, month: number, day: number];

/**
 * Functions with which `resolveGraphQuery` reads the data of an engine. They are synchronous, so an asynchronous engine must read the data
 * before.
 */
export interface GraphReader {
  /** Returns the index entry of each key, the number of all identities, and the date of the newest record. */
  getPostings(keys: number[]): { postings: KeyPosting[]; total: number; newest: number | null };
  /**
   * Finds which of the identities have which frequent keys (see `isFrequentKeyPosting`). The result contains, by key and identity, true if it is
   * the identity's primary value.
   */
  findHolders(keys: number[], identities: number[]): Map<number, Map<number, boolean>>;
  getIdentity(number: number): Identity | null;
  getSeenDates(identity: number): { firstSeen: number | null; lastSeen: number | null };
  /** Returns the hashes of an identity's birth dates; empty if its records have none. */
  getBirthDateHashes(identity: number): readonly BirthDateHashes[];
  /** Returns the typo signatures of the identities that have at least one of the exact parts, in the order of `identities`. */
  getSignatures(identities: number[], exactParts: number[]): Map<number, KnownTypoSignature[]>;
}

/** True if more identities have the key than its index entry lists. */
export function isFrequentKeyPosting({ share, holders }: KeyPosting): boolean {
  return share > holders.length;
}

export function isListedKeyHolder({ holders }: KeyPosting, identity: number): boolean {
  for (const holder of holders) if (decodePostingHolder(holder) === identity) return true;
  return false;
}

/** Returns those of the identities that have a key. */
export function filterIdentitiesByKey(
  posting: KeyPosting,
  identities: number[],
  { findHolders }: Pick<GraphReader, 'findHolders'>,
): number[] {
  if (identities.length === 0) return [];
  const holders = isFrequentKeyPosting(posting)
    ? findHolders([posting.key], identities).get(posting.key)
    : null;
  return identities.filter((id) => isListedKeyHolder(posting, id) || holders?.has(id));
}
