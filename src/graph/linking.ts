import type { RecordErrorRates } from '../link/compare/evidence.ts';
import type { RecordFacts } from '../link/statistics/record-facts.ts';
import type { KeyCountLookup, CountTotals } from '../link/statistics/survey.ts';
import type { CountTable } from '../link/statistics/count-table.ts';
import type { BlockingKeyGroup } from '../link/candidate-pairs.ts';
import type { Awaitable, Identity } from '../model.ts';
import type { SharedRecordsView } from '../link/packed-records.ts';
import type { ThreadPool } from '../platform/threads/helpers.ts';
import type { PageIterable } from './records.ts';

/** Links the records of a graph engine into identities and publishes the identities. */
export interface GraphLinkingOperations {
  /** Returns a text that differs after every change of the records. */
  revision(): Awaitable<string>;
  /** Opens the temporary workspace of a linking; only one can be open at a time. Until its `drop`, records are read from one snapshot. */
  openWorkspace(): Awaitable<LinkingWorkspace>;
  /**
   * Replaces all identities and postings by those of the partition, in one transaction. Identities are numbered by `numberIdentities`; their
   * content is computed by `gather`. Returns the number of identities; null, without any change, if records changed after the linked revision.
   */
  publish(partition: RecordPartition): Awaitable<number | null>;
  /** True if linking all records again would give the published identities. Fast for graphs of any size. */
  isSettled(): Awaitable<boolean>;
  errorRates(): Awaitable<RecordErrorRates>;
  /** Results of the last linking. Without it, every change of records links all records again. */
  readonly linkCache?: LinkCache;
  /** Returns the published identity of a number, or the identity that it was merged into; null if there is none. */
  getIdentity(number: number): Awaitable<Identity | null>;
}

/** Stores blocking keys and candidate pairs during a linking, on disk if there are many. Add first, then read. */
export interface LinkingWorkspace {
  addKeys(page: [row: number, keys: number[]][]): Awaitable<void>;
  /** Iterates over the keys that two or more rows share, with their rows ascending. */
  groups(): PageIterable<BlockingKeyGroup>;
  /** Adds candidate pairs (see `encodeRowPair`); duplicates are allowed. Call during or after `groups` and before `pairs`. */
  addPairs(pairs: number[]): Awaitable<void>;
  /** Iterates over the distinct candidate pairs, ascending. */
  pairs(): Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;
  drop(): Awaitable<void>;
}

/** Result of linking all records: the rows of each identity. */
export interface RecordPartition {
  /** Rows of each identity with two or more records. Every other record is an identity alone. */
  clusters: number[][];
  revision: string;
  errorRates: RecordErrorRates;
  /** Filled builder of the new link cache; null if nothing is cached. */
  linkCache?: LinkCacheBuilder | null;
  /** Records that linking has in memory, and worker threads that can read these records. */
  inMemory?: { atHand: SharedRecordsView; pool: ThreadPool };
  /** Called repeatedly with the completed share of the publishing, 0-1. */
  onProgress?: (done: number) => void;
}

/** A pair of rows that linking joined, with its match weight in bits. */
export type JoinedRecordPair = [a: number, b: number, bits: number];
/** Pair of rows by which error rates were measured, with its comparison pattern as a number. */
export type MeasuredRecordPair = [a: number, b: number, pattern: number];

/** Pairs of rows that a linking found. */
export interface PairsFoundByLinking {
  joined: Iterable<JoinedRecordPair>;
  measured: MeasuredRecordPair[];
}

export interface PendingRecordChanges {
  /** Rows of added, replaced or removed records, ascending. */
  rows: number[];
  /** Identities that contained removed records. */
  affectedIdentities: number[];
}

/**
 * Results of the last linking, so that the next linking compares only changed records. The cache can always be rebuilt from the records: an
 * engine without a usable cache links all records again. From `begin` until `publishPart` or `rollback` no other process changes the cache, and
 * all methods return synchronously.
 */
export interface LinkCache {
  /** Begins a linking and returns the changes since the last one; null if the cache does not match the graph. */
  begin(): Awaitable<PendingRecordChanges | null>;
  /** True if the cache was damaged and was deleted. Linking all records again then repairs what failed. */
  isDiscarded(): boolean;
  rollback(): void;
  /** Returns the graph-wide figures, as JSON, that all pairs were weighed with; see `serializeGlobalStatistics`. */
  globals(): string;
  totals(): CountTotals;
  count: KeyCountLookup;
  facts(row: number): RecordFacts | null;
  /** Returns up to `most` records that have a key, with their persons, in a fixed order. */
  listHolders(key: number, most: number): { row: number; person: number }[];
  /** Returns the rows of one person that have a key, in a fixed order. */
  listRowsOfPerson(key: number, person: number): number[];
  /** Replaces or deletes (null) the facts of a row. Does not change counts. */
  replaceFacts(row: number, facts: RecordFacts | null): void;
  /** Sets how often a key occurs; 0 deletes the count. */
  setCount(what: Parameters<KeyCountLookup>[0], key: number, count: number): void;
  setTotals(totals: CountTotals): void;
  listJoinedPairs(row: number): JoinedRecordPair[];
  /** Replaces the pairs that were compared again (all pairs of `rows`, and single `pairs`) by the pairs that were found. */
  replacePairs(
    compared: { rows: Iterable<number>; pairs: [a: number, b: number][] },
    found: PairsFoundByLinking,
  ): void;
  countPatterns(): Map<number, number>;
  /** Returns up to `most` rows, ascending, whose pairs must be weighed again. */
  listRowsToReweigh(most: number): number[];
  addRowsToReweigh(rows: Iterable<number>): void;
  removeRowsToReweigh(rows: Iterable<number>): void;
  /**
   * Publishes the identities of changed records and commits all changes since `begin`, in one transaction. Returns the number of identities;
   * null, without any change, if other records changed since `begin`.
   */
  publishPart(part: PartialLinkingResult): Awaitable<number | null>;
  /** Starts a new, empty cache. It replaces this cache when it is published with `GraphLinkingOperations.publish`. */
  rebuild(): LinkCacheBuilder;
}

/** Builds a link cache while all records are linked. Without a publishing, the result is discarded. */
export interface LinkCacheBuilder {
  /** Adds a record's facts, twice: as an object and as numbers (see `factsToNumbers`). */
  add(row: number, facts: RecordFacts, numbers: Float64Array): void;
  /** Iterates over the groups of rows that share a key, like `LinkingWorkspace.groups`. Call after the last `add`. */
  groups(): Iterable<BlockingKeyGroup[]>;
  finish(all: {
    counts: Iterable<[what: Parameters<KeyCountLookup>[0], counts: CountTable]>;
    totals: CountTotals;
    globals: string;
    pairs: PairsFoundByLinking;
  }): void;
}

/** Result of linking changed records: complete identities, without links to records outside of the result. */
export interface PartialLinkingResult {
  /** Rows of all records of these identities, ascending. If an identity loses a row to another identity, the result contains both. */
  rows: number[];
  /** The rows among `rows` that changed since the last linking. */
  changed: number[];
  /** Identities that contained removed records. */
  affectedIdentities: number[];
  /** True if the graph-wide figures are those of the last linking of all records, and no row must be weighed again. */
  settled: boolean;
  /** Rows of each identity with two or more records. */
  clusters: number[][];
  errorRates: RecordErrorRates;
}
