import type { ErrorRates } from '../link/error-rates.ts';
import type { Facts } from '../link/counted/facts.ts';
import type { CountOf, Totals } from '../link/counted/survey.ts';
import type { Tally } from '../link/counted/tally.ts';
import type { Group } from '../link/pairing.ts';
import type { Awaitable, Identity } from '../model.ts';
import type { AtHandView } from '../link/packed/at-hand.ts';
import type { Pool } from '../platform/threads/helpers.ts';
import type { Pages } from './records.ts';

/** A pair that linking joins, with its match weight in bits. */
export type JoinedPair = [a: number, b: number, bits: number];
/** A pair that error rates were measured on, and how the two compare, as a number. */
export type MeasuredPair = [a: number, b: number, pattern: number];

/** What linking finds of some records, or of all. */
export interface FoundPairs {
  joined: Iterable<JoinedPair>;
  measured: MeasuredPair[];
}

/** What changed since records were linked last. */
export interface PendingChanges {
  /** Records that were put or taken out, ascending. */
  rows: number[];
  /** Identities that had records which were taken out. */
  affectedIdentities: number[];
}

/**
 * What an engine may remember of all records between two linkings, so that the next one compares only what changed. It follows from the
 * records: an engine that loses it, or doubts it, has all linked anew. From `begin` on it answers at once.
 *
 * From `begin` to `publish` or `undo` nothing else may change it.
 */
export interface LinkCache {
  /** What changed since the records were linked last; null where what is remembered is not of the graph as it is. */
  begin(): Awaitable<PendingChanges | null>;
  /** Was it found damaged, and thrown away? Then whatever failed for that can be done by linking all anew. */
  isDiscarded(): boolean;
  /** Takes back what changed since `begin`. */
  rollback(): void;
  /** See `globalsOf` in import: what held for all records when they were linked last. */
  globals(): string;
  totals(): Totals;
  count: CountOf;
  facts(row: number): Facts | null;
  /** The records behind a key with their persons, in a set order; not more than so many. */
  listHolders(key: number, most: number): { row: number; person: number }[];
  /** The records behind a key that have this person, in a set order. */
  listRowsOfPerson(key: number, person: number): number[];
  /** Puts facts in the place of those that were kept of a row, or nothing; its counts are not counted. */
  replaceFacts(row: number, facts: Facts | null): void;
  /** Nought takes a count away. */
  setCount(what: Parameters<CountOf>[0], key: number, count: number): void;
  setTotals(totals: Totals): void;
  /** Those of which a row is one. */
  listJoinedPairs(row: number): JoinedPair[];
  /** Puts what was found in the place of all pairs of which one of the rows is one, and of these pairs. */
  replacePairs(
    compared: { rows: Iterable<number>; pairs: [a: number, b: number][] },
    found: FoundPairs,
  ): void;
  /** How many pairs there are of each pattern. */
  countPatterns(): Map<number, number>;
  /** Records whose pairs are still to be weighed again, ascending; not more than so many. */
  listRowsToReweigh(most: number): number[];
  /** Their pairs are to be weighed again later. */
  addRowsToReweigh(rows: Iterable<number>): void;
  /** Their pairs have been. */
  removeRowsToReweigh(rows: Iterable<number>): void;
  /**
   * Publishes a part of the records, at once, and remembers all that was taken in since `begin`. Answers how many identities there are;
   * null, and nothing done, where records changed meanwhile.
   */
  publishPart(part: LinkedPart): Awaitable<number | null>;
  /** Begins anew, with nothing. Filled and handed to `publish` of the linking, it is what is remembered. */
  rebuild(): LinkCacheBuilder;
}

/** Takes in what linking finds of all records. What is not published is forgotten. */
export interface LinkCacheBuilder {
  /** @param numbers the same facts; see `factsToNumbers` */
  add(row: number, facts: Facts, numbers: Float64Array): void;
  /** After the last is added: what `groups` of blocks gives, for which they need not be added there too. */
  groups(): Iterable<Group[]>;
  finish(all: {
    counts: Iterable<[what: Parameters<CountOf>[0], counts: Tally]>;
    totals: Totals;
    globals: string;
    pairs: FoundPairs;
  }): void;
}

/** Which of some records are one person, where nothing joins them to any others. */
export interface LinkedPart {
  /** The records, ascending: all of every identity that one of them belonged to. */
  rows: number[];
  /** Those of them that changed since they were linked last. */
  changed: number[];
  /** Identities that had records which are gone. */
  affectedIdentities: number[];
  /** Is what weighs in every pair as it was when all records were linked last, and nothing put off? */
  settled: boolean;
  /** Rows of each identity of two or more records. */
  clusters: number[][];
  errorRates: ErrorRates;
}

export interface GraphLinking {
  /** Another text after each change of the records. */
  revision(): Awaitable<string>;
  /** Room for linking: from here to `drop`, records are read as of one moment. Once at a time. */
  openWorkspace(): Awaitable<LinkingWorkspace>;
  /**
   * Replaces all identities and postings by those of the partition, at once: who asks sees the old graph, then the new one. Numbers
   * follow `numberIdentities`, contents `gather`. Returns how many identities there are; null, and nothing done, where records changed
   * since the revision that was linked.
   */
  publish(partition: Partition): Awaitable<number | null>;
  /** Are the identities those that linking all records anew would give? Quickly told, however large the graph. */
  isSettled(): Awaitable<boolean>;
  /** What the records were found to be like when they were published last. */
  errorRates(): Awaitable<ErrorRates>;
  /** What is remembered between two linkings; an engine without it has all records linked anew each time. */
  readonly linkCache?: LinkCache;
  /** A published identity, or the one that its number leads to now; null where there is none. */
  getIdentity(number: number): Awaitable<Identity | null>;
}

/** Keeps the keys of rows, and the pairs of rows that linking makes of them, wherever the engine has room for many. Add first, then read. */
export interface LinkingWorkspace {
  addKeys(page: [row: number, keys: number[]][]): Awaitable<void>;
  /** Every key that two or more rows share, with its rows ascending. */
  groups(): Pages<Group>;
  /** Pairs to be compared (see `pairOf`), as often as they come. While `groups` is gone through or after, before `pairs`. */
  addPairs(pairs: number[]): Awaitable<void>;
  /** The pairs that were added, each once, ascending. */
  pairs(): Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;
  drop(): Awaitable<void>;
}

/** Which records are one person. */
export interface Partition {
  /** Rows of each identity of two or more records; every other record stands alone. */
  clusters: number[][];
  /** The revision of the records that were linked. */
  revision: string;
  errorRates: ErrorRates;
  /** What linking found, for remembering it; null where nothing is remembered. */
  linkCache?: LinkCacheBuilder | null;
  /** Records that linking has in memory, so that they need not be read again, and threads that may read them there. */
  inMemory?: { atHand: AtHandView; pool: Pool };
  /** Called now and then with the share of the work that is done, 0-1. */
  onProgress?: (done: number) => void;
}
