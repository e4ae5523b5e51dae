import type { RecordRow, StoredRecord } from '../../link/stored.ts';
import type { Awaitable } from '../../model.ts';

/** Taking records out so that no byte of them is left, and keeping them out. */
export interface GraphErasing {
  /**
   * Begins an erasure: keeps records out from now on that have one of these marks; see `marksOf`. `time` is in milliseconds since 1970,
   * `name` what the erasure is called by until its end; not empty.
   */
  bar(marks: Buffer[], time: number, name: string): Awaitable<void>;
  /** How many marks there are by which records are kept out. */
  barred(): Awaitable<number>;
  /** How many of these records would be kept out, and how many of the others share an e-mail or a phone with somebody who is. */
  ask(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * How the engine's files write what they hold of these records. Asked before they are erased; what it answers gives afterwards the
   * byte strings that nobody who is left has in common with them, and that should be nowhere.
   */
  traces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** The erasure whose bytes may still be in the files, because it was interrupted: what it is called, from `bar` to `overwritten`; null where there is none. */
  owed(): Awaitable<string | null>;
  /** Nothing of them is left. */
  overwritten(): Awaitable<void>;
  /** Moves what is written from the engine's logs into its files, and empties them. False where somebody reads on in them for long. */
  emptyLogs(): Awaitable<boolean>;
  /** Writes anew what is left, and nothing else. */
  rewrite(): Awaitable<void>;
  /** Do checks wait while that is done? Not, where it is left out. */
  readonly rewritingStops?: boolean;
  /** How many bytes all of it takes where it is not in files of the data folder. */
  bytes?(): Awaitable<number>;
  /** Where the engine cannot take anything out of, in a clause; everywhere it can, where it is left out. */
  readonly beyond?: string;
}
