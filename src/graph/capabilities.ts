// Optional capabilities of a graph engine: erasing people, manual links, and moving to another engine.
import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';

/** Erases records completely from the engine's files, and prevents their re-import. */
export interface GraphErasureOperations {
  /**
   * Begins an erasure: adds marks to the suppression list (see `getSuppressionMarks`).
   *
   * @param time milliseconds since 1970 @param name name of the erasure until `finishErasure`; not empty
   */
  suppress(marks: Buffer[], time: number, name: string): Awaitable<void>;
  countSuppressed(): Awaitable<number>;
  /** Counts how many of these records are suppressed (`barred`), and how many others share an e-mail or a phone with a suppressed person (`alike`). */
  checkSuppressed(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * Collects the byte sequences that the engine's files contain of these records. Call it before the records are erased. The returned function,
   * called after the erasure, returns the byte sequences that no remaining record shares, and that must not be in any file.
   */
  collectTraces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** Returns the name of an erasure that was begun with `suppress` and not finished; null if there is none. */
  pendingErasure(): Awaitable<string | null>;
  finishErasure(): Awaitable<void>;
  /** Moves the content of the engine's write-ahead logs into its files and empties the logs. Returns false if a long-running reader prevents it. */
  emptyLogs(): Awaitable<boolean>;
  /** Rewrites the engine's files, so that they contain only current data. */
  rewriteFiles(): Awaitable<void>;
  /** True if checks have to wait during `rewriteFiles`. Default: false. */
  readonly rewriteBlocksChecks?: boolean;
  /** Returns the size of the graph in bytes, for engines whose files are not in the data folder. */
  sizeInBytes?(): Awaitable<number>;
  /** Clause that names copies of the data which the engine cannot erase, such as backups. Omitted if there are none. */
  readonly unreachableCopies?: string;
}

/**
 * Decision of an operator which records are one person (`join`) or different people (`split`). It overrides sources and linking until it is
 * undone.
 */
export interface ManualLink {
  kind: 'split' | 'join';
  /** Author: `command-line` and the system user, or the id of an admin key. */
  who: string;
  /** Reason, as the author wrote it. */
  why: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Fingerprints of records, in hex. Records in one group are one person; records in different groups are different people. */
  groups: string[][];
}

export interface StoredManualLink extends ManualLink {
  id: number;
  /** When the manual link was undone (milliseconds since 1970); null while it is valid. */
  undone: number | null;
}

/** Stores manual links. A record that is put gets the label of the newest valid manual link that names the record; see `createManualLinkLabel`. */
export interface ManualLinkOperations {
  list(): Awaitable<StoredManualLink[]>;
  /** Returns the id of the new manual link. */
  add(link: ManualLink): Awaitable<number>;
  /** Marks a manual link as undone. Returns false if no valid manual link has this id. */
  undo(id: number, time: number): Awaitable<boolean>;
  /** Removes records from all manual links, and the reasons of these links, which could describe the records. */
  removeRecords(keys: string[]): Awaitable<void>;
}

/** Returns the record label for one group of a manual link. No source can set the same label: imported labels contain no NUL character. */
export const createManualLinkLabel = (id: number, group: number): string => `\0${id}.${group}`;

/** Identity numbers that a graph takes along to another engine. `heir` is the current number of a merged identity, or null. */
interface MovedNumbers {
  identities: [row: number, identity: number][];
  redirects: [number: number, heir: number | null][];
  previousNumbers: [row: number, number: number][];
}

/** Reads and writes the data that is copied to another engine together with the records. */
export interface GraphMoveOperations {
  /** Returns the revision of the source graph if this graph is an unfinished copy; otherwise null. */
  copiedRevision(): Awaitable<string | null>;
  /**
   * Marks this graph as an unfinished copy. Until its first publishing it opens only with `allowUnfinishedCopy`.
   *
   * @param revision revision of the source graph; see `GraphLinkingOperations.revision`
   */
  beginCopy(revision: string): Awaitable<void>;
  /** Returns retired identity numbers, each with the number that replaces it (null: no replacement). */
  listRedirects(): Awaitable<[number: number, heir: number | null][]>;
  /** Returns the record rows of each retired identity number when it was last in use; see `numberIdentities`. */
  listPreviousNumbers(): Awaitable<[row: number, number: number][]>;
  /** Stores the identity numbers, redirects and previous numbers of the source graph, so that publishing keeps them. Call inside `runAtomically`. */
  putNumbers(numbers: MovedNumbers): Awaitable<void>;
  /** Returns the suppression list, each mark with the time of the erasure (milliseconds since 1970). */
  listSuppressed(): Awaitable<[mark: Buffer, time: number][]>;
  /** Adds marks to the suppression list. Call inside `runAtomically`. */
  addSuppressed(marks: [mark: Buffer, time: number][]): Awaitable<void>;
}

/** Log of the look-up keys that each publication changed, so that only watches with these keys are re-checked. */
export interface LookupKeyChangeReader {
  /** Returns changes after a position, a limited number at a time. With null, returns the present position only. */
  read(position: string | null): Awaitable<ChangedLookupKeys>;
}

/** Changes of look-up keys between two positions. */
export interface ChangedLookupKeys {
  /** Position after these changes; the position that was given if nothing changed. Null if the graph keeps no log. */
  position: string | null;
  /** Fingerprints of the changed keys; see `createWatchKeyFingerprint`. Null if any key may have changed. */
  keys: number[] | null;
}
