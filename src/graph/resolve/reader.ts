import type { Identity } from '../../model.ts';

/** Who has a key. */
export interface Posting {
  /** The key's fingerprint. */
  key: number;
  /** How many identities share it. */
  share: number;
  /** The first of them, lower number first; all of them where they are at most `SHARE_LIMIT`. */
  ids: number[];
  /** Whether the value is the primary one, for each of `ids`. */
  primary: boolean[];
}

/** The q-gram signature of one value of an identity. */
export interface KnownSignature {
  kind: 'email' | 'address';
  /** Fingerprint of the exact part. */
  exactPart: number;
  /** Sorted fingerprints of the letter pairs. */
  grams: number[];
}

/**
 * All that an engine must know for `resolve` to ask it. It is asked at once and answers at once: an engine that has to wait for its
 * answers fetches ahead, or resolves in a way of its own.
 */
export interface GraphReader {
  /** A posting for each key, in their order, how many identities there are, and when the newest record was last seen. */
  getPostings(keys: number[]): { postings: Posting[]; total: number; newest: number | null };
  /** Of a frequent key, that more share than its posting lists: is this identity among them? */
  hasKey(key: number, identity: number): boolean;
  /**
   * The same of many at once: which of these identities have which of these frequent keys, and whether the value is their primary one.
   */
  findHolders(keys: number[], identities: number[]): Map<number, Map<number, boolean>>;
  getIdentity(number: number): Identity | null;
  /** When an identity was seen first and last; both null where its records carry no date. */
  getSeenDates(identity: number): { firstSeen: number | null; lastSeen: number | null };
  /** Those of the identities that have signatures with one of these exact parts, in the order asked, with at least those signatures. */
  getSignatures(identities: number[], exactParts: number[]): Map<number, KnownSignature[]>;
}

/** Do more identities share the key than its posting lists? */
export function isFrequentPosting({ share, ids }: Posting): boolean {
  return share > ids.length;
}

/** Does an identity have a key? */
export function identityHasKey(
  reader: Pick<GraphReader, 'hasKey'>,
  posting: Posting,
  identity: number,
): boolean {
  if (posting.ids.includes(identity)) return true;
  return isFrequentPosting(posting) && reader.hasKey(posting.key, identity);
}
