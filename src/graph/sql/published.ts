// Published identities (those that check calls read) in the form that both engines store, and the tables for publishing.
import type { RecordErrorRates } from '../../link/compare/evidence.ts';
import type { IdentityNumbering } from '../../link/identity-numbers.ts';
import type { Awaitable } from '../../model.ts';
import type { LinkCacheFileBuilder } from '../link-cache/builder.ts';
import type { GraphState } from '../link-cache/link-file.ts';
import type { LookupKeyTable, CollectedIdentitiesOfLookupKey } from './publishing/lookup-keys.ts';

export interface PublishedIdentity {
  number: number;
  rows: ArrayLike<number>;
  firstSeen: number | null;
  lastSeen: number | null;
  sources: number;
  hint: Uint8Array;
  profile: Uint8Array;
  /** Look-up keys of the identity. Each is a number: twice the key's fingerprint, plus 1 if the key is that of a primary value. */
  keys: ArrayLike<number>;
  /** Hash of what is published about the identity; 0 if the engine does not set `needsDigests`. */
  digest: number;
}

export interface PublishedGraphTotals {
  identities: number;
  postings: number;
  /** Latest date on which any record was seen, in milliseconds since 1970; null if no record has a date. */
  newest: number | null;
  errorRates: RecordErrorRates;
  /** False if linking all records again could change identities. */
  settled: boolean;
  nameTables: string;
}

/** Retired identity number, and the number that replaces it (`heir`); null if none does. */
export type IdentityRedirect = [number: number, heir: number | null];

/** Tables of the published identities (the data that checks read). Call functions that change them inside a transaction. */
export interface PublishedIdentityTables {
  readonly needsDigests: boolean;
  readTotals(): Awaitable<Pick<PublishedGraphTotals, 'identities' | 'postings' | 'newest'>>;
  beginReplacement(options: ReplaceIdentitiesOptions): Awaitable<IdentityReplacementOperations>;
  /** Returns the look-up keys of identities, without those of unknown identities. Null if the keys of some identity are not stored. */
  readKeys(identities: number[]): Awaitable<Map<number, number[]> | null>;
  put(identities: PublishedIdentity[]): Awaitable<void>;
  /** Deletes identities, and stores for each of their numbers the number that replaces it. */
  redirect(redirects: IdentityRedirect[]): Awaitable<void>;
  /** Deletes the redirects of retired numbers that identities have again. */
  removeRedirects(numbers: number[]): Awaitable<void>;
  listRedirectsTo(identities: number[]): Awaitable<IdentityRedirect[]>;
  readonly postings: LookupKeyTable;
  finishPart(totals: PublishedGraphTotals, rows: number[]): Awaitable<GraphState>;
}

export interface ReplaceIdentitiesOptions {
  highestRow: number;
  /** Statistics of all records with which they were linked, as text; null if they are not stored for link caches. */
  globals: string | null;
  /** Builder of the new link cache; null if none is built. */
  builder: LinkCacheFileBuilder | null;
}

/** Functions that replace all published identities and their look-up keys. */
export interface IdentityReplacementOperations {
  put(identities: PublishedIdentity[]): Awaitable<void>;
  finishIdentities(numbering: IdentityNumbering): Awaitable<void>;
  putPostings(postings: Iterable<CollectedIdentitiesOfLookupKey>): Awaitable<void>;
  /** Ends the replacement and returns the new state of the graph. */
  finish(totals: PublishedGraphTotals): Awaitable<GraphState>;
}
