import type { ErrorRates } from '../../link/error-rates.ts';
import type { AtHandView } from '../../link/packed/at-hand.ts';
import type { Group } from '../../link/pairing.ts';
import type { Awaitable, Identity } from '../../model.ts';
import type { Pool } from '../../platform/threads/helpers.ts';
import type { IndexBuilder, LinkIndex } from '../link-index.ts';
import type { Pages } from './records.ts';

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
