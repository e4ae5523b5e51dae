// What the two engines store of published identities, and what publishing asks of it.
import type { ErrorRates } from '../../link/compare/evidence.ts';
import type { IdentityNumbering } from '../../link/identity-numbers.ts';
import type { Awaitable } from '../../model.ts';
import type { LinkFileBuilder } from '../link-cache/builder.ts';
import type { GraphState } from '../link-cache/link-file.ts';
import type { PostingTable, StagedPosting } from './publishing/postings.ts';

/** An identity as it is stored. */
export interface PublishedIdentity {
  number: number;
  /** Rows of its records, ascending. */
  rows: ArrayLike<number>;
  /** Milliseconds since 1970. */
  firstSeen: number | null;
  lastSeen: number | null;
  sources: number;
  hint: Uint8Array;
  profile: Uint8Array;
  /** The look-up keys of the identity: each is twice the key, plus 1 if the value is the identity's primary one. */
  keys: ArrayLike<number>;
  /** Fingerprint of all that is published; 0 unless the engine asks for it with `needsDigests`. */
  digest: number;
}

/** Numbers about all published identities together. */
export interface PublishedTotals {
  identities: number;
  postings: number;
  /** When the newest record was last seen, in milliseconds since 1970; null if no record has a date. */
  newest: number | null;
  errorRates: ErrorRates;
  /** False if linking all records again could change identities. */
  settled: boolean;
  /** Digest of the name tables that the records were linked with. */
  nameTables: string;
}

/** Number that is no longer an identity's, and the number that it leads to now; null if it leads nowhere. */
export type Redirect = [number: number, heir: number | null];

/** The tables of published identities. What changes them is called inside a transaction. */
export interface PublishedTables {
  readonly needsDigests: boolean;
  readTotals(): Awaitable<Pick<PublishedTotals, 'identities' | 'postings' | 'newest'>>;
  /** Begins to replace all identities, postings and redirects. */
  beginReplacement(options: ReplacementOptions): Awaitable<Replacement>;
  /** Returns the keys that identities are published with; identities that are not there are left out. Null if some keys are not known. */
  readKeys(identities: number[]): Awaitable<Map<number, number[]> | null>;
  /** Inserts or replaces identities, and gives their records to them. */
  put(identities: PublishedIdentity[]): Awaitable<void>;
  /** Removes identities whose numbers lead to others now. */
  redirect(redirects: Redirect[]): Awaitable<void>;
  /** Removes redirects of numbers that are an identity's again. */
  removeRedirects(numbers: number[]): Awaitable<void>;
  /** Redirects to some identities. */
  listRedirectsTo(identities: number[]): Awaitable<Redirect[]>;
  readonly postings: PostingTable;
  /** Ends the publication of some identities. Returns the state of the graph after it. */
  finishPart(totals: PublishedTotals, rows: number[]): Awaitable<GraphState>;
}

export interface ReplacementOptions {
  /** Rows beyond this one keep their identities. */
  highestRow: number;
  /** What held for all records when they were linked; null if the link cache does not note it. */
  globals: string | null;
  /** The link cache that is being filled, if there is one. */
  builder: LinkFileBuilder | null;
}

/** A replacement of everything that is published. */
export interface Replacement {
  put(identities: PublishedIdentity[]): Awaitable<void>;
  /** Called after the last identity. */
  finishIdentities(numbering: IdentityNumbering): Awaitable<void>;
  /** Called with ascending keys. */
  putPostings(postings: Iterable<StagedPosting>): Awaitable<void>;
  /** Returns the state of the graph after the publication. */
  finish(totals: PublishedTotals): Awaitable<GraphState>;
}
