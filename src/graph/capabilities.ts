// Optional capabilities of a graph engine: erasing people, manual links, and moving to another engine.
import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';

/** Functions that erase records completely from the engine's files and prevent a later import of the same records. */
export interface GraphErasureOperations {
  /**
   * Begins an erasure: adds marks (hashes that recognise the erased people) to the suppression list; see `computeSuppressionMarks`.
   *
   * @param time milliseconds since 1970
   * @param name name of this erasure, which `pendingErasure` returns until `finishErasure`; not empty
   */
  suppress(marks: Buffer[], time: number, name: string): Awaitable<void>;
  countSuppressed(): Awaitable<number>;
  /**
   * Returns how many of these records belong to suppressed people (`barred`), and how many other records share an e-mail or a phone with a suppressed
   * person (`alike`).
   */
  checkSuppressed(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * Reads the bytes of these records in the engine's files; call it before the erasure. The returned function, called after the erasure, returns
   * those bytes that must no longer be in any file.
   */
  collectTraces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** Returns the name that `suppress` gave to an unfinished erasure; null if there is none. */
  pendingErasure(): Awaitable<string | null>;
  finishErasure(): Awaitable<void>;
  /** Writes the content of the engine's write-ahead logs into its files, and empties the logs. Returns false if a long-running reader prevents it. */
  emptyLogs(): Awaitable<boolean>;
  /** Rewrites the engine's files, so that they contain no deleted data. */
  rewriteFiles(): Awaitable<void>;
  /** True if check calls must wait during `rewriteFiles`. Default: false. */
  readonly rewriteBlocksChecks?: boolean;
  /** Returns the size of the graph in bytes. Only engines with files outside the data folder have this function. */
  sizeInBytes?(): Awaitable<number>;
  /** Part of a sentence for operators: the copies that the engine cannot erase, such as backups. Undefined if there are none. */
  readonly unreachableCopies?: string;
}

/**
 * Decision of an operator: records are one person (`join`) or different people (`split`). It overrides the labels of sources and the result of
 * linking until an operator undoes it.
 */
export interface ManualLink {
  kind: 'split' | 'join';
  /** Author of the manual link: `command-line` with the system user, or the id of an admin API key. */
  who: string;
  why: string;
  /** Time of the manual link, in milliseconds since 1970. */
  time: number;
  /**
   * Groups of records, each as a list of hexadecimal record fingerprints. Records of one group are one person. Records of different groups are
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
 * Functions that store manual links. If several manual links contain a record, the newest valid one gives the record its label; see
 * `createManualLinkLabel`.
 */
export interface ManualLinkOperations {
  list(): Awaitable<StoredManualLink[]>;
  /** Adds a manual link and returns its id. */
  add(link: ManualLink): Awaitable<number>;
  /** Marks a manual link as undone. Returns false if there is no valid manual link with this id. */
  undo(id: number, time: number): Awaitable<boolean>;
  /** Removes records from all manual links, by record fingerprint. Also removes the reasons of these links, because they may describe the records. */
  removeRecords(keys: string[]): Awaitable<void>;
}

/** Returns the label for the records of one group of a manual link. It begins with a NUL character, which imported labels cannot contain. */
export const createManualLinkLabel = (id: number, group: number): string => `\0${id}.${group}`;

/** Identity numbers that a graph keeps when it is copied to another engine. `heir` is the number that replaces the retired `number`, or null. */
interface MovedIdentityNumbers {
  identities: [row: number, identity: number][];
  redirects: [number: number, heir: number | null][];
  previousNumbers: [row: number, number: number][];
}

/** Functions for copying a graph to another engine: they read and write the data other than records. */
export interface GraphCopyOperations {
  /** If this graph is an unfinished copy, returns the revision of the source graph when the copy began; otherwise null. */
  copiedRevision(): Awaitable<string | null>;
  /**
   * Marks this graph as an unfinished copy, which opens only with `allowUnfinishedCopy`. The first linking removes the mark.
   *
   * @param revision revision of the source graph; see `GraphLinkingOperations.revision`
   */
  beginCopy(revision: string): Awaitable<void>;
  /** Returns retired identity numbers, each with the number that replaces it (`heir`, or null). */
  listRedirects(): Awaitable<[number: number, heir: number | null][]>;
  /** Returns pairs of a record row and a retired identity number that the record had; see `assignIdentityNumbers`. */
  listPreviousNumbers(): Awaitable<[row: number, number: number][]>;
  /** Stores the identity numbers of the source graph, which identities keep when this graph is linked. Call it inside `runAtomically`. */
  putNumbers(numbers: MovedIdentityNumbers): Awaitable<void>;
  /** Returns the suppression list: each mark with the time of the person's erasure, in milliseconds since 1970. */
  listSuppressed(): Awaitable<[mark: Buffer, time: number][]>;
  /** Adds marks to the suppression list, each with the time of the erasure in milliseconds since 1970. Call it inside `runAtomically`. */
  addSuppressed(marks: [mark: Buffer, time: number][]): Awaitable<void>;
  /** Returns the previous secrets of the graph, as fingerprint keys, oldest first. */
  listEarlierSecrets(): Promise<string[]>;
  /** Replaces the list of previous secrets. Call it inside `runAtomically`. */
  replaceEarlierSecrets(keys: string[]): Promise<void>;
}

/** Reader of the log of changed look-up keys. With the log, only watches with a changed look-up key are checked again. */
export interface LookupKeyChangeReader {
  /** Returns some changes after a position in the log. For null, returns the present position and no changes. */
  read(position: string | null): Awaitable<ChangedLookupKeys>;
}

/** Look-up keys that changed between two positions in the log. */
export interface ChangedLookupKeys {
  /** Position in the log after these changes; the given position if nothing changed. Null if the graph has no such log. */
  position: string | null;
  /** Fingerprints of the changed look-up keys; see `createWatchKeyFingerprinter`. Null if any look-up key may have changed. */
  keys: number[] | null;
}
