// Optional capabilities of a graph engine: erasing people, manual links, and moving to another engine.
import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';

/** Functions that erase records completely from the engine's files and prevent a later import of the same records. */
export interface GraphErasureOperations {
  /**
   * Begins an erasure by adding marks to the suppression list; see `getSuppressionMarks`.
   *
   * @param time milliseconds since 1970
   * @param name name of the erasure until `finishErasure`; not empty
   */
  suppress(marks: Buffer[], time: number, name: string): Awaitable<void>;
  countSuppressed(): Awaitable<number>;
  /**
   * Returns how many of these records are suppressed (`barred`), and how many others share an e-mail or a phone with a suppressed person
   * (`alike`).
   */
  checkSuppressed(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * Collects the bytes that these records have in the engine's files. Call it before the erasure. After the erasure, the returned function
   * returns those bytes that must no longer be in any file.
   */
  collectTraces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** Returns the name of an unfinished erasure that `suppress` began; null if there is none. */
  pendingErasure(): Awaitable<string | null>;
  finishErasure(): Awaitable<void>;
  /** Empties the engine's write-ahead logs into its files. Returns false if a long-running reader prevents it. */
  emptyLogs(): Awaitable<boolean>;
  /** Rewrites the engine's files, so that they contain no deleted data. */
  rewriteFiles(): Awaitable<void>;
  /** True if checks must wait during `rewriteFiles`. Default: false. */
  readonly rewriteBlocksChecks?: boolean;
  /** Returns the size of the graph in bytes. Only engines with files outside the data folder have this function. */
  sizeInBytes?(): Awaitable<number>;
  /** Part of a sentence that names copies which the engine cannot erase, such as backups. Undefined if there are none. */
  readonly unreachableCopies?: string;
}

/**
 * Decision of an operator that records are one person (`join`) or different people (`split`). The decision overrides sources and linking until
 * an operator undoes it.
 */
export interface ManualLink {
  kind: 'split' | 'join';
  /** Author of the manual link: `command-line` with the system user, or the id of an admin key. */
  who: string;
  why: string;
  /** Time of the manual link, in milliseconds since 1970. */
  time: number;
  /**
   * Groups of records, each as a list of hexadecimal record fingerprints. Records in one group are one person; records in different groups are
   * different people.
   */
  groups: string[][];
}

export interface StoredManualLink extends ManualLink {
  id: number;
  /** Time at which the manual link was undone, in milliseconds since 1970; null if it is still valid. */
  undone: number | null;
}

/**
 * Functions that store manual links. If several manual links name a record, the newest valid one gives the record its label; see
 * `createManualLinkLabel`.
 */
export interface ManualLinkOperations {
  list(): Awaitable<StoredManualLink[]>;
  /** Adds a manual link and returns its id. */
  add(link: ManualLink): Awaitable<number>;
  /** Marks a manual link as undone. Returns false if there is no valid manual link with this id. */
  undo(id: number, time: number): Awaitable<boolean>;
  /** Removes records from all manual links. Also removes the reasons of these links, which may describe the records. */
  removeRecords(keys: string[]): Awaitable<void>;
}

/** Returns the label for the records in one group of a manual link. It begins with a NUL character, which imported labels cannot contain. */
export const createManualLinkLabel = (id: number, group: number): string => `\0${id}.${group}`;

/** Identity numbers that a graph keeps when it is copied to another engine. `heir` is the number into which an identity was merged, or null. */
interface MovedNumbers {
  identities: [row: number, identity: number][];
  redirects: [number: number, heir: number | null][];
  previousNumbers: [row: number, number: number][];
}

/** Functions that read and write the data which is copied to another engine together with the records. */
export interface GraphMoveOperations {
  /** Returns the revision of the source graph if this graph is an unfinished copy; null otherwise. */
  copiedRevision(): Awaitable<string | null>;
  /**
   * Marks this graph as an unfinished copy, which opens only with `allowUnfinishedCopy`. Its first linking removes the
   * mark.
   *
   * @param revision revision of the source graph; see `GraphLinkingOperations.revision`
   */
  beginCopy(revision: string): Awaitable<void>;
  /** Returns retired identity numbers, each with the number that replaces it (`heir`, or null). */
  listRedirects(): Awaitable<[number: number, heir: number | null][]>;
  /** Returns record rows, each with a retired identity number that the record had; see `numberIdentities`. */
  listPreviousNumbers(): Awaitable<[row: number, number: number][]>;
  /** Stores the identity numbers of the source graph, so that identities keep them when this graph is linked. Call it inside `runAtomically`. */
  putNumbers(numbers: MovedNumbers): Awaitable<void>;
  /** Returns the suppression list: each mark with the time of its erasure, in milliseconds since 1970. */
  listSuppressed(): Awaitable<[mark: Buffer, time: number][]>;
  /** Adds marks to the suppression list. Call it inside `runAtomically`. Times are milliseconds since 1970. */
  addSuppressed(marks: [mark: Buffer, time: number][]): Awaitable<void>;
}

/** Reader of the log of changed look-up keys. With the log, only watches with a changed key need a re-check. */
export interface LookupKeyChangeReader {
  /** Returns some changes after a position. A null position returns no changes, but the present position. */
  read(position: string | null): Awaitable<ChangedLookupKeys>;
}

/** Look-up keys that changed between two positions in the log. */
export interface ChangedLookupKeys {
  /** Position after these changes; the given position if nothing changed. Null if the graph has no such log. */
  position: string | null;
  /** Fingerprints of the changed keys; see `createWatchKeyFingerprinter`. Null if any key may have changed. */
  keys: number[] | null;
}
