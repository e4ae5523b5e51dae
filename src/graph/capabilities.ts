import type { RecordRow, StoredRecord } from '../link/stored.ts';
import type { Awaitable } from '../model.ts';

/** Taking records out so that no byte of them is left, and keeping them out. */
export interface GraphErasing {
  /**
   * Begins an erasure: keeps records out from now on that have one of these marks; see `marksOf`. `time` is in milliseconds since 1970,
   * `name` what the erasure is called by until its end; not empty.
   */
  suppress(marks: Buffer[], time: number, name: string): Awaitable<void>;
  /** How many marks there are by which records are kept out. */
  countSuppressed(): Awaitable<number>;
  /** How many of these records would be kept out, and how many of the others share an e-mail or a phone with somebody who is. */
  checkSuppressed(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * How the engine's files write what they hold of these records. Asked before they are erased; what it answers gives afterwards the
   * byte strings that nobody who is left has in common with them, and that should be nowhere.
   */
  collectTraces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** The erasure whose bytes may still be in the files, because it was interrupted: what it is called, from `bar` to `overwritten`; null where there is none. */
  pendingErasure(): Awaitable<string | null>;
  /** Nothing of them is left. */
  finishErasure(): Awaitable<void>;
  /** Moves what is written from the engine's logs into its files, and empties them. False where somebody reads on in them for long. */
  emptyLogs(): Awaitable<boolean>;
  /** Writes anew what is left, and nothing else. */
  rewriteFiles(): Awaitable<void>;
  /** Do checks wait while that is done? Not, where it is left out. */
  readonly rewriteBlocksChecks?: boolean;
  /** How many bytes all of it takes where it is not in files of the data folder. */
  sizeInBytes?(): Awaitable<number>;
  /** Where the engine cannot take anything out of, in a clause; everywhere it can, where it is left out. */
  readonly unreachableCopies?: string;
}

// What a person has judged about who is who: it stands above what linking finds and what sources say, until it is undone.
/** A judgement as it is made. */
export interface ManualLink {
  kind: 'split' | 'join';
  /** Who judged: `command-line` and the system's user, or the id of an admin key. */
  who: string;
  why: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Records by the hex of their own fingerprints: those of a group are one person, those of different groups are not. */
  groups: string[][];
}

export interface StoredManualLink extends ManualLink {
  id: number;
  /** When it was undone; null while it stands. */
  undone: number | null;
}

/** Keeps judgements. A record that is put gets the label of the latest standing one about it; see `judgedLabel`. */
export interface GraphManualLinks {
  list(): Awaitable<StoredManualLink[]>;
  add(judgement: ManualLink): Awaitable<number>;
  /** False where there is none of this number that stands. */
  undo(id: number, time: number): Awaitable<boolean>;
  /** Takes records out of all judgements, with the reasons of these: they may tell of them. */
  forget(keys: string[]): Awaitable<void>;
}

/** The label of a group. No source's own is the same, since what is imported has no such character. */
export const manualLinkLabel = (id: number, group: number): string => `\0${id}.${group}`;

interface MovedNumbers {
  identities: [row: number, identity: number][];
  redirects: [number: number, heir: number | null][];
  previousNumbers: [row: number, number: number][];
}

/** What a graph that moves to another engine takes along beside its records. */
export interface GraphMoving {
  /** Of which revision of another graph this is a copy that is not whole; null where it is none. */
  copiedRevision(): Awaitable<string | null>;
  /** Says that it is one: until it has been published, only who opened it `unfinished` is let in. See `linking.revision`. */
  beginCopy(revision: string): Awaitable<void>;
  /** Numbers that are no identity's any more, and the one that stands for each now (null: nobody). */
  listRedirects(): Awaitable<[number: number, heir: number | null][]>;
  /** The rows that bore each of them when it was an identity's last; see `numberIdentities`. */
  listPreviousNumbers(): Awaitable<[row: number, number: number][]>;
  /** Gives records the identities that they had in another engine, and takes over where numbers lead, and who bore them: publishing keeps it. Inside `whole`. */
  putNumbers(numbers: MovedNumbers): Awaitable<void>;
  /** What keeps those out who were forgotten, and since when (milliseconds since 1970). */
  listSuppressed(): Awaitable<[mark: Buffer, time: number][]>;
  /** Takes it over. Inside `whole`. */
  addSuppressed(marks: [mark: Buffer, time: number][]): Awaitable<void>;
}
