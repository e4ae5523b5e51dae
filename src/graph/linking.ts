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
export interface Found {
  joined: Iterable<JoinedPair>;
  measured: MeasuredPair[];
}

/** What changed since records were linked last. */
export interface Pending {
  /** Records that were put or taken out, ascending. */
  rows: number[];
  /** Identities that had records which were taken out. */
  bereft: number[];
}

/**
 * What an engine may remember of all records between two linkings, so that the next one compares only what changed. It follows from the
 * records: an engine that loses it, or doubts it, has all linked anew. From `begin` on it answers at once.
 *
 * From `begin` to `publish` or `undo` nothing else may change it.
 */
export interface LinkIndex {
  /** What changed since the records were linked last; null where what is remembered is not of the graph as it is. */
  begin(): Awaitable<Pending | null>;
  /** Was it found damaged, and thrown away? Then whatever failed for that can be done by linking all anew. */
  isLost(): boolean;
  /** Takes back what changed since `begin`. */
  undo(): void;
  /** See `globalsOf` in import: what held for all records when they were linked last. */
  globals(): string;
  totals(): Totals;
  count: CountOf;
  facts(row: number): Facts | null;
  /** The records behind a key with their persons, in a set order; not more than so many. */
  behind(key: number, most: number): { row: number; person: number }[];
  /** The records behind a key that have this person, in a set order. */
  named(key: number, person: number): number[];
  /** Puts facts in the place of those that were kept of a row, or nothing; its counts are not counted. */
  replace(row: number, facts: Facts | null): void;
  /** Nought takes a count away. */
  setCount(what: Parameters<CountOf>[0], key: number, count: number): void;
  setTotals(totals: Totals): void;
  /** Those of which a row is one. */
  joinedTo(row: number): JoinedPair[];
  /** Puts what was found in the place of all pairs of which one of the rows is one, and of these pairs. */
  setFound(compared: { rows: Iterable<number>; pairs: [a: number, b: number][] }, found: Found): void;
  /** How many pairs there are of each pattern. */
  patterns(): Map<number, number>;
  /** Records whose pairs are still to be weighed again, ascending; not more than so many. */
  due(most: number): number[];
  /** Their pairs are to be weighed again later. */
  putOff(rows: Iterable<number>): void;
  /** Their pairs have been. */
  done(rows: Iterable<number>): void;
  /**
   * Publishes a part of the records, at once, and remembers all that was taken in since `begin`. Answers how many identities there are;
   * null, and nothing done, where records changed meanwhile.
   */
  publish(part: LinkedPart): Awaitable<number | null>;
  /** Begins anew, with nothing. Filled and handed to `publish` of the linking, it is what is remembered. */
  rebuild(): IndexBuilder;
}

/** Takes in what linking finds of all records. What is not published is forgotten. */
export interface IndexBuilder {
  /** @param numbers the same facts; see `factsToNumbers` */
  add(row: number, facts: Facts, numbers: Float64Array): void;
  /** After the last is added: what `groups` of blocks gives, for which they need not be added there too. */
  groups(): Iterable<Group[]>;
  finish(all: {
    counts: Iterable<[what: Parameters<CountOf>[0], counts: Tally]>;
    totals: Totals;
    globals: string;
    found: Found;
  }): void;
}

/** Which of some records are one person, where nothing joins them to any others. */
export interface LinkedPart {
  /** The records, ascending: all of every identity that one of them belonged to. */
  rows: number[];
  /** Those of them that changed since they were linked last. */
  changed: number[];
  /** Identities that had records which are gone. */
  bereft: number[];
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
  blocks(): Awaitable<Blocks>;
  /**
   * Replaces all identities and postings by those of the partition, at once: who asks sees the old graph, then the new one. Numbers
   * follow `numberIdentities`, contents `gather`. Returns how many identities there are; null, and nothing done, where records changed
   * since the revision that was linked.
   */
  publish(partition: Partition): Awaitable<number | null>;
  /** Are the identities those that linking all records anew would give? Quickly told, however large the graph. */
  settled(): Awaitable<boolean>;
  /** What the records were found to be like when they were published last. */
  errorRates(): Awaitable<ErrorRates>;
  /** What is remembered between two linkings; an engine without it has all records linked anew each time. */
  readonly index?: LinkIndex;
  /** A published identity, or the one that its number leads to now; null where there is none. */
  identity(number: number): Awaitable<Identity | null>;
}

/** Keeps the keys of rows, and the pairs of rows that linking makes of them, wherever the engine has room for many. Add first, then read. */
export interface Blocks {
  add(page: [row: number, keys: number[]][]): Awaitable<void>;
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
  index?: IndexBuilder | null;
  /** Records that linking has in memory, so that they need not be read again, and threads that may read them there. */
  near?: { atHand: AtHandView; pool: Pool };
  /** Called now and then with the share of the work that is done, 0-1. */
  onProgress?: (done: number) => void;
}
