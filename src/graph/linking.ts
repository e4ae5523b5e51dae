import type { RecordErrorRates } from '../link/compare/evidence.ts';
import type { LinkCacheRecord } from '../link/statistics/link-cache-record.ts';
import type { KeyCountLookup, LinkStatisticsTotals } from '../link/statistics/collected.ts';
import type { CountTable } from '../link/statistics/count-table.ts';
import type { BlockingKeyGroup } from '../link/candidate-pairs.ts';
import type { Awaitable, Identity } from '../model.ts';
import type { SharedMemoryRecordsView } from '../link/packed-records.ts';
import type { ThreadPool } from '../platform/threads/helpers.ts';
import type { PageIterable } from './records.ts';

/** Functions that link records to identities, and that publish the identities: write them to the tables that check calls read. */
export interface GraphLinkingOperations {
  /** Returns a text that changes with every change of the records. */
  revision(): Awaitable<string>;
  /** Opens the temporary workspace of a linking. Only one can be open. Until its `drop`, all records are read from one snapshot. */
  openWorkspace(): Awaitable<LinkingWorkspace>;
  /**
   * Replaces all identities by those of the linking result, in one transaction. Numbers come from `assignIdentityNumbers`, contents from
   * `computeIdentityForPublishing`. Returns the number of identities; null, without any change, if records changed after the linked revision.
   */
  publish(partition: FullLinkingResult): Awaitable<number | null>;
  /** True if linking all records again would not change any identity. Fast, even for large graphs. */
  isSettled(): Awaitable<boolean>;
  errorRates(): Awaitable<RecordErrorRates>;
  /** Cache with the results of the last linking. An engine without this cache links all records again after every change. */
  readonly linkCache?: LinkCache;
  /** Returns the identity with this number, or the identity into which it was merged; null if there is none. */
  getIdentity(number: number): Awaitable<Identity | null>;
}

/**
 * Temporary storage of a linking: the blocking keys of records, and the pairs of records to compare. Large amounts are stored on disk. Add all
 * entries before you read.
 */
export interface LinkingWorkspace {
  addKeys(page: [row: number, keys: number[]][]): Awaitable<void>;
  /** Yields each blocking key that two or more rows share, with these rows in ascending order. */
  groups(): PageIterable<BlockingKeyGroup>;
  /** Adds pairs of records to compare (see `encodeRowPair`); duplicates are allowed. Call it during or after `groups` and before `pairs`. */
  addPairs(pairs: number[]): Awaitable<void>;
  /** Yields the pairs of records to compare, without duplicates, in ascending order. */
  pairs(): Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;
  drop(): Awaitable<void>;
}

/** Result of linking all records. */
export interface FullLinkingResult {
  /** Record rows of each identity that has two or more records. Every other record is an identity of its own. */
  clusters: number[][];
  revision: string;
  errorRates: RecordErrorRates;
  /** Builder that linking has filled with the new link cache; null if there is none. */
  linkCache?: LinkCacheBuilder | null;
  /** Records that linking has in memory, and the worker threads that can read them. */
  inMemory?: { sharedRecords: SharedMemoryRecordsView; pool: ThreadPool };
  /** Called repeatedly while identities are written. `done`: completed share (0 to 1). */
  onProgress?: (done: number) => void;
}

/** Pair of record rows that linking considers one person, with the match weight in bits. */
export type LinkedRecordPair = [a: number, b: number, bits: number];
/** Pair of record rows from which error rates were measured. `pattern` encodes which of their values are equal. */
export type ErrorRateRecordPair = [a: number, b: number, pattern: number];

export interface PairsFoundByLinking {
  joined: Iterable<LinkedRecordPair>;
  measured: ErrorRateRecordPair[];
}

export interface PendingRecordChanges {
  /** Row numbers of added, replaced or removed records, ascending. */
  rows: number[];
  /** Numbers of the identities that contained removed records. */
  affectedIdentities: number[];
}

/**
 * Results of the last linking, with which the next linking compares only changed records. Without a usable cache, all records are linked again. From
 * `begin` until `publishPart` or `rollback`, no other process changes the cache, and all functions are synchronous.
 */
export interface LinkCache {
  /** Begins a linking and returns the record changes since the last one; null if the cache does not match the graph. */
  begin(): Awaitable<PendingRecordChanges | null>;
  /** True if the cache was damaged and was deleted. Linking all records again then builds a new cache. */
  isDiscarded(): boolean;
  rollback(): void;
  /** Returns the graph-wide statistics with which all pairs were compared, as JSON; see `serializeGraphWideLinkStatistics`. */
  globals(): string;
  totals(): LinkStatisticsTotals;
  count: KeyCountLookup;
  facts(row: number): LinkCacheRecord | null;
  /** Returns at most `most` records that have a linking key (fingerprint by which linking finds records), sorted by person and row. */
  listHolders(key: number, most: number): { row: number; person: number }[];
  /** Returns the rows of one person that have a linking key, in ascending order. */
  listRowsOfPerson(key: number, person: number): number[];
  /** Replaces the facts of a row (the data that linking compares); null deletes them. Does not change the counts. */
  replaceFacts(row: number, facts: LinkCacheRecord | null): void;
  /** Stores the number of records with a value, by the value's fingerprint (`key`); 0 deletes the number. */
  setCount(what: Parameters<KeyCountLookup>[0], key: number, count: number): void;
  setTotals(totals: LinkStatisticsTotals): void;
  listJoinedPairs(row: number): LinkedRecordPair[];
  /** Replaces all pairs of `rows`, and the given `pairs`, by the newly found pairs. */
  replacePairs(
    compared: { rows: Iterable<number>; pairs: [a: number, b: number][] },
    found: PairsFoundByLinking,
  ): void;
  countPatterns(): Map<number, number>;
  /** Returns at most `most` rows whose pairs must be compared again, in ascending order. */
  listRowsToReweigh(most: number): number[];
  addRowsToReweigh(rows: Iterable<number>): void;
  removeRowsToReweigh(rows: Iterable<number>): void;
  /**
   * Publishes the identities of changed records and commits all changes since `begin`, in one transaction. Returns the number of identities; null,
   * without any change, if other records changed since `begin`.
   */
  publishPart(part: PartialLinkingResult): Awaitable<number | null>;
  /** Starts a new, empty cache. The new cache replaces this one when it is passed to `GraphLinkingOperations.publish`. */
  rebuild(): LinkCacheBuilder;
}

/** Builds a link cache while all records are linked. The cache is discarded unless it is passed to `GraphLinkingOperations.publish`. */
export interface LinkCacheBuilder {
  /** Adds the facts of a record (the data that linking compares), both as an object and as numbers (see `encodeLinkCacheRecordAsNumbers`). */
  add(row: number, facts: LinkCacheRecord, numbers: Float64Array): void;
  /** Yields the groups of rows that share a blocking key, like `LinkingWorkspace.groups`. Call it after the last `add`. */
  groups(): Iterable<BlockingKeyGroup[]>;
  finish(all: {
    counts: Iterable<[what: Parameters<KeyCountLookup>[0], counts: CountTable]>;
    totals: LinkStatisticsTotals;
    globals: string;
    pairs: PairsFoundByLinking;
  }): void;
}

/** Result of linking changed records: identities with all their records. */
export interface PartialLinkingResult {
  /** Row numbers of all records of these identities, ascending. If a row moves from one identity to another, both identities are included. */
  rows: number[];
  /** Members of `rows` whose records changed since the last linking. */
  changed: number[];
  /** Numbers of the identities that contained removed records. */
  affectedIdentities: number[];
  /** True if no work is postponed: the graph-wide statistics are up to date, and no row must be compared again. */
  settled: boolean;
  /** Record rows of each identity that has two or more records. */
  clusters: number[][];
  errorRates: RecordErrorRates;
}
