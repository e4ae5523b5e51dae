import type { ErrorRates } from '../link/error-rates.ts';
import type { Facts } from '../link/counted/facts.ts';
import type { CountOf, Totals } from '../link/counted/survey.ts';
import type { Tally } from '../link/counted/tally.ts';
import type { Group } from '../link/pairing.ts';
import type { Awaitable } from '../model.ts';

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
