import type { RecordErrorRates } from '../link/compare/evidence.ts';
import type { LinkCacheRecord } from '../link/statistics/link-cache-record.ts';
import type { KeyCountLookup, LinkStatisticsTotals } from '../link/statistics/collected.ts';
import type { CountTable } from '../link/statistics/count-table.ts';
import type { BlockingKeyGroup } from '../link/candidate-pairs.ts';
import type { Awaitable, Identity } from '../model.ts';
import type { SharedMemoryRecordsView } from '../link/packed-records.ts';
import type { ThreadPool } from '../platform/threads/helpers.ts';
import type { PageIterable } from './records.ts';

/** Functions that link records to identities, and that publish the identities: write them to the tables that checks read. */
export interface GraphLinkingOperations {
  /** Returns a text that changes with every change of the records. */
  revision(): Awaitable<string>;
  /** Opens the temporary workspace of a linking. Only one can be open. Until its `drop`, records are read from one snapshot. */
  openWorkspace(): Awaitable<LinkingWorkspace>;
  /**
   * Replaces all identities by those of the linking result, in one transaction. Their numbers come from `assignIdentityNumbers`, their contents from
   * `computeIdentityForPublishing`. Returns the number of identities; null, without any change, if records changed after the revision that was
   * linked.
   */
  publish(partition: LinkingResultOfAllRecords): Awaitable<number | null>;
  /** True if linking all records again would not change any identity. Fast, even for large graphs. */
  isSettled(): Awaitable<boolean>;
  errorRates(): Awaitable<RecordErrorRates>;
  /** Results of the last linking. An engine without this cache links all records again after every change. */
  readonly linkCache?: LinkCache;
  /** Returns the identity with this number, or the identity into which it was merged; null if there is none. */
  getIdentity(number: number): Awaitable<Identity | null>;
}

/**
 * Temporary storage of a linking: the blocking keys of records, and the pairs of records to compare. Large amounts are on disk. Add all entries
 * before you read any.
 */
export interface LinkingWorkspace {
  addKeys(page: [row: number, keys: number[]][]): Awaitable<void>;
  /** Yields each blocking key that at least two rows have, with these rows in ascending order. */
  groups(): PageIterable<BlockingKeyGroup>;
  /** Adds pairs of records to compare (see `encodeRowPair`); duplicates are allowed. Call it during or after `groups` and before `pairs`. */
  addPairs(pairs: number[]): Awaitable<void>;
  /** Yields the pairs of records to compare, without duplicates, in ascending order. */
  pairs(): Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;
  drop(): Awaitable<void>;
}

/** Result of linking all records. */
export interface LinkingResultOfAllRecords {
  /** Record rows of each identity with at least two records. Every other record is an identity of its own. */
  clusters: number[][];
  revision: string;
  errorRates: RecordErrorRates;
  /** Builder that the linking filled with the new link cache; null without a link cache. */
  linkCache?: LinkCacheBuilder | null;
  /** Records that the linking has in memory, and the worker threads that can read them. */
  inMemory?: { sharedRecords: SharedMemoryRecordsView; pool: ThreadPool };
  /** Called repeatedly while identities are written. `done` is the completed fraction (0 to 1). */
  onProgress?: (done: number) => void;
}

/** Rows of two records that linking considers one person, with the match weight in bits. */
export type LinkedRecordPair = [a: number, b: number, bits: number];
/** Rows of two records from which error rates were measured. `pattern` encodes which of their values are equal. */
export type ErrorRateRecordPair = [a: number, b: number, pattern: number];

export interface PairsFoundByLinking {
  joined: Iterable<LinkedRecordPair>;
  measured: ErrorRateRecordPair[];
}

export interface PendingRecordChanges {
  /** Row numbers of added, replaced or removed records, ascending. */
  rows: number[];
  /** Identity numbers of the removed records. */
  affectedIdentities: number[];
}

/**
 * Results of the last linking, with which the next linking compares only changed records. If the cache cannot be used, all records are linked again.
 * From `begin` until `publishPart` or `rollback`, no other process changes the cache, and all functions are synchronous.
 */
export interface LinkCache {
  /** Begins a linking, and returns the changes of records since the last one; null if the cache does not match the graph. */
  begin(): Awaitable<PendingRecordChanges | null>;
  /** True if the cache was damaged, and therefore deleted. Linking all records again builds a new one. */
  isDiscarded(): boolean;
  rollback(): void;
  /** Returns the graph-wide statistics with which all pairs were compared, as JSON; see `serializeGraphWideLinkStatistics`. */
  globals(): string;
  totals(): LinkStatisticsTotals;
  count: KeyCountLookup;
  facts(row: number): LinkCacheRecord | null;
  /** Returns at most `most` records that have a linking key (a fingerprint by which linking finds records), sorted by `person` and row. */
  listHolders(key: number, most: number): { row: number; person: number }[];
  /** Returns the rows of records that have a linking key and this key of names (`person`), in ascending order. */
  listRowsOfPerson(key: number, person: number): number[];
  /** Replaces the linking data of a record (what linking compares); null deletes it. Does not change the numbers of `setCount`. */
  replaceFacts(row: number, facts: LinkCacheRecord | null): void;
  /** Stores the number of records that have a value, by the value's kind (`what`) and fingerprint (`key`); 0 deletes the number. */
  setCount(what: Parameters<KeyCountLookup>[0], key: number, count: number): void;
  setTotals(totals: LinkStatisticsTotals): void;
  listJoinedPairs(row: number): LinkedRecordPair[];
  /** Replaces all pairs with one of the `rows`, and the given `pairs`, by the pairs that linking found. */
  replacePairs(
    compared: { rows: Iterable<number>; pairs: [a: number, b: number][] },
    found: PairsFoundByLinking,
  ): void;
  countPatterns(): Map<number, number>;
  /** Returns at most `most` rows whose records must be compared again, in ascending order. */
  listRowsToReweigh(most: number): number[];
  addRowsToReweigh(rows: Iterable<number>): void;
  removeRowsToReweigh(rows: Iterable<number>): void;
  /**
   * Publishes the identities of changed records and commits all changes since `begin`, in one transaction. Returns the number of identities; null,
   * without any change, if other records changed since `begin`.
   */
  publishPart(part: LinkingResultOfChangedRecords): Awaitable<number | null>;
  /** Begins a new, empty cache. It replaces this one when it is passed to `GraphLinkingOperations.publish`. */
  rebuild(): LinkCacheBuilder;
}

/** Builds a link cache while all records are linked. The cache is dropped unless it is passed to `GraphLinkingOperations.publish`. */
export interface LinkCacheBuilder {
  /** Adds the linking data of a record (what linking compares), as an object and as numbers (see `encodeLinkCacheRecordAsNumbers`). */
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

/** Result of linking changed records: all records of the identities that have changed or may have changed, linked again. */
export interface LinkingResultOfChangedRecords {
  /** Rows of all records of these identities, ascending. If a record moves from one identity to another, both are included. */
  rows: number[];
  /** Those of `rows` whose records changed since the last linking. */
  changed: number[];
  /** Identity numbers of the removed records. */
  affectedIdentities: number[];
  /** True if no linking work is postponed: statistics of all records are up to date, and no record must be compared again. */
  settled: boolean;
  /** Record rows of each identity with at least two records. */
  clusters: number[][];
  errorRates: RecordErrorRates;
}
