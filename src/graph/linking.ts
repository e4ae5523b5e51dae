import type { RecordErrorRates } from '../link/compare/evidence.ts';
import type { RecordFacts } from '../link/statistics/record-facts.ts';
import type { KeyCountLookup, SurveyTotals } from '../link/statistics/survey.ts';
import type { CountTable } from '../link/statistics/count-table.ts';
import type { BlockingKeyGroup } from '../link/candidate-pairs.ts';
import type { Awaitable, Identity } from '../model.ts';
import type { SharedRecordsView } from '../link/packed-records.ts';
import type { ThreadPool } from '../platform/threads/helpers.ts';
import type { PageIterable } from './records.ts';

/** Functions that link records to identities, and write the identities to the tables that checks read (publish). */
export interface GraphLinkingOperations {
  /** Returns a text that changes with every change of the records. */
  revision(): Awaitable<string>;
  /** Opens the temporary workspace of a linking; only one can be open. Until its `drop`, records are read from one snapshot. */
  openWorkspace(): Awaitable<LinkingWorkspace>;
  /**
   * Replaces all identities by those of the partition, in one transaction. Numbers come from `numberIdentities`, and contents from
   * `computeIdentity`. Returns the number of identities; null, without any change, if records changed after the linked revision.
   */
  publish(partition: FullLinkingResult): Awaitable<number | null>;
  /** True if linking all records again would not change any identity. Fast, even for large graphs. */
  isSettled(): Awaitable<boolean>;
  errorRates(): Awaitable<RecordErrorRates>;
  /** Results of the last linking. Without this cache, every change links all records again. */
  readonly linkCache?: LinkCache;
  /** Returns the identity with this number, or the identity into which it was merged; null if there is none. */
  getIdentity(number: number): Awaitable<Identity | null>;
}

/**
 * Temporary storage of a linking: keys of records, and pairs of records to compare. Uses the disk if there are many. Add all before you read.
 */
export interface LinkingWorkspace {
  addKeys(page: [row: number, keys: number[]][]): Awaitable<void>;
  /** Yields each key that two or more rows share, with its rows in ascending order. */
  groups(): PageIterable<BlockingKeyGroup>;
  /** Adds pairs of records to compare (see `encodeRowPair`); duplicates are allowed. Call it during or after `groups` and before `pairs`. */
  addPairs(pairs: number[]): Awaitable<void>;
  /** Yields the pairs of records to compare, without duplicates, in ascending order. */
  pairs(): Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;
  drop(): Awaitable<void>;
}

/** Result of linking all records: the rows of each identity. */
export interface FullLinkingResult {
  /** Rows of each identity that has two or more records. Every other record is an identity of its own. */
  clusters: number[][];
  revision: string;
  errorRates: RecordErrorRates;
  /** Filled builder of the new link cache; null if there is no cache. */
  linkCache?: LinkCacheBuilder | null;
  /** Records that linking keeps in memory, and worker threads that can read them. */
  inMemory?: { atHand: SharedRecordsView; pool: ThreadPool };
  /** Called repeatedly with the completed share of writing the identities (0 to 1). */
  onProgress?: (done: number) => void;
}

/** Pair of rows that are one person according to linking, with the match weight in bits. */
export type JoinedRecordPair = [a: number, b: number, bits: number];
/** Pair of rows with which error rates were measured. `pattern` encodes which of their values agree. */
export type MeasuredRecordPair = [a: number, b: number, pattern: number];

export interface PairsFoundByLinking {
  joined: Iterable<JoinedRecordPair>;
  measured: MeasuredRecordPair[];
}

export interface PendingRecordChanges {
  /** Row numbers of added, replaced or removed records, ascending. */
  rows: number[];
  /** Numbers of the identities that contained removed records. */
  affectedIdentities: number[];
}

/**
 * Results of the last linking, so that the next one compares only changed records. Without a usable cache, all records are linked again. From
 * `begin` until `publishPart` or `rollback`, no other process changes the cache, and all functions are synchronous.
 */
export interface LinkCache {
  /** Begins a linking and returns the changes since the last one; null if the cache does not match the graph. */
  begin(): Awaitable<PendingRecordChanges | null>;
  /** True if the cache was damaged and is deleted. Linking all records again then solves the problem. */
  isDiscarded(): boolean;
  rollback(): void;
  /** Returns, as JSON, the graph-wide statistics with which all pairs were compared; see `serializeGlobalStatistics`. */
  globals(): string;
  totals(): SurveyTotals;
  count: KeyCountLookup;
  facts(row: number): RecordFacts | null;
  /** Returns at most `most` records that have a key, with their persons, in a fixed order. */
  listHolders(key: number, most: number): { row: number; person: number }[];
  /** Returns the rows of one person that have a key, in a fixed order. */
  listRowsOfPerson(key: number, person: number): number[];
  /** Replaces the facts (data that linking compares) of a row; null deletes the facts. Counts stay unchanged. */
  replaceFacts(row: number, facts: RecordFacts | null): void;
  /** Stores how often a key occurs; 0 deletes the count. */
  setCount(what: Parameters<KeyCountLookup>[0], key: number, count: number): void;
  setTotals(totals: SurveyTotals): void;
  listJoinedPairs(row: number): JoinedRecordPair[];
  /** Replaces the pairs that were compared again (all pairs of `rows`, and the given `pairs`) by the newly found pairs. */
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
   * Writes the identities of changed records to the tables that checks read, and commits all changes since `begin`, in one transaction. Returns
   * the number of identities; null, without any change, if other records changed since `begin`.
   */
  publishPart(part: PartialLinkingResult): Awaitable<number | null>;
  /** Starts a new, empty cache. It replaces this cache when it is passed to `GraphLinkingOperations.publish`. */
  rebuild(): LinkCacheBuilder;
}

/** Builds a link cache while all records are linked. The result is discarded unless it is passed to `GraphLinkingOperations.publish`. */
export interface LinkCacheBuilder {
  /** Adds the facts of a record, both as an object and as numbers (see `encodeRecordFacts`). */
  add(row: number, facts: RecordFacts, numbers: Float64Array): void;
  /** Yields the groups of rows that share a key, like `LinkingWorkspace.groups`. Call it after the last `add`. */
  groups(): Iterable<BlockingKeyGroup[]>;
  finish(all: {
    counts: Iterable<[what: Parameters<KeyCountLookup>[0], counts: CountTable]>;
    totals: SurveyTotals;
    globals: string;
    pairs: PairsFoundByLinking;
  }): void;
}

/** Result of linking changed records: complete identities, which have no links to other records. */
export interface PartialLinkingResult {
  /** Row numbers of all records of these identities, ascending. If an identity loses a row to another one, both identities are included. */
  rows: number[];
  /** Those of the `rows` that changed since the last linking. */
  changed: number[];
  /** Numbers of the identities that contained removed records. */
  affectedIdentities: number[];
  /** True if nothing is postponed: the graph-wide statistics are up to date, and no row must be compared again. */
  settled: boolean;
  /** Rows of each identity that has two or more records. */
  clusters: number[][];
  errorRates: RecordErrorRates;
}
