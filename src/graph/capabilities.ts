// Optional capabilities of a graph engine: erasing people, manual links, and moving to another engine.
import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';

/** Functions that erase records completely from the engine's files, and prevent a later import of the same records. */
export interface GraphErasureOperations {
  /**
   * Begins an erasure: adds marks (keyed hashes that recognise the erased people) to the suppression list; see `computeSuppressionMarks`.
   * @param time milliseconds since 1970
   * @param name name of this erasure, which `pendingErasure` returns until `finishErasure`; not empty
   */
  suppress(marks: Buffer[], time: number, name: string): Awaitable<void>;
  countSuppressed(): Awaitable<number>;
  /**
   * Returns how many of these records belong to people on the suppression list (`barred`), and how many others share an e-mail or a phone with such a
   * person (`alike`).
   */
  checkSuppressed(records: StoredRecord[]): Awaitable<{ barred: number; alike: number }>;
  /**
   * Collects the bytes of these records in the engine's files; call it before the erasure. Call the returned function after the erasure: it returns
   * the bytes that no file may contain any more, which excludes bytes that remaining records also have.
   */
  collectTraces(rows: RecordRow[]): Awaitable<() => Buffer[]>;
  /** Returns the name of an erasure that is not finished, as `suppress` received it; null if there is none. */
  pendingErasure(): Awaitable<string | null>;
  finishErasure(): Awaitable<void>;
  /** Moves the content of the engine's write-ahead logs to its files, and empties the logs. Returns false if a long-running reader prevents it. */
  emptyLogs(): Awaitable<boolean>;
  /** Rewrites the engine's files without deleted data. */
  rewriteFiles(): Awaitable<void>;
  /** True if check calls must wait during `rewriteFiles`. Default: false. */
  readonly rewriteBlocksChecks?: boolean;
  /** Returns the size of the graph in bytes. Only engines with files outside the data folder have this function. */
  sizeInBytes?(): Awaitable<number>;
  /** Copies of the data that the engine cannot erase, such as backups, as part of a sentence for operators. Undefined if there are none. */
  readonly unreachableCopies?: string;
}

/**
 * Decision of an operator that records are one person (`join`) or different people (`split`). It has priority over labels of sources and the result
 * of linking, until an operator undoes it.
 */
export interface ManualLink {
  kind: 'split' | 'join';
  /** Creator of the link: `command-line` with the name of the system user, or the id of an admin API key. */
  who: string;
  why: string;
  /** Time at which the link was made, in milliseconds since 1970. */
  time: number;
  /**
   * Groups of records, by their fingerprints in hexadecimal. Records of one group are one person; records of different groups are different people.
   */
  groups: string[][];
}

export interface StoredManualLink extends ManualLink {
  id: number;
  /** Time at which the link was undone, in milliseconds since 1970; null if it is valid. */
  undone: number | null;
}

/** Functions that store manual links. If several valid links contain a record, the newest one decides; see `createManualLinkLabel`. */
export interface ManualLinkOperations {
  list(): Awaitable<StoredManualLink[]>;
  /** Adds a manual link and returns its id. */
  add(link: ManualLink): Awaitable<number>;
  /** Marks a manual link as undone. Returns false if there is no valid manual link with this id. */
  undo(id: number, time: number): Awaitable<boolean>;
  /** Removes records from all manual links, by record fingerprint. Also removes the reasons of these links, which may describe the records. */
  removeRecords(keys: string[]): Awaitable<void>;
}

/**
 * Returns the person label that a manual link gives to the records of one of its groups. It begins with a NUL character, which no imported label
 * contains.
 */
export const createManualLinkLabel = (id: number, group: number): string => `\0${id}.${group}`;

/**
 * Identity numbers that stay the same when a graph is copied to another engine. `heir` is the number that replaces the retired `number`; null for
 * none.
 */
interface MovedIdentityNumbers {
  identities: [row: number, identity: number][];
  redirects: [number: number, heir: number | null][];
  previousNumbers: [row: number, number: number][];
}

/** Functions for copying a graph to another engine. They read and write the data that is not in records. */
export interface GraphCopyOperations {
  /** Returns the source graph's revision at the beginning of the copy, if this graph is an unfinished copy; otherwise null. */
  copiedRevision(): Awaitable<string | null>;
  /**
   * Marks this graph as an unfinished copy, which can be opened only with `allowUnfinishedCopy`. The first linking removes the mark.
   * @param revision revision of the source graph; see `GraphLinkingOperations.revision`
   */
  beginCopy(revision: string): Awaitable<void>;
  /** Returns retired identity numbers, each with the number that replaces it (`heir`, or null). */
  listRedirects(): Awaitable<[number: number, heir: number | null][]>;
  /** Returns pairs of a record's row number and an identity number that the record had before; see `assignIdentityNumbers`. */
  listPreviousNumbers(): Awaitable<[row: number, number: number][]>;
  /** Stores the identity numbers of the source graph, which linking then gives to the identities of this graph. Call it inside `runAtomically`. */
  putNumbers(numbers: MovedIdentityNumbers): Awaitable<void>;
  /** Returns the suppression list: marks, each with the time at which its person was erased, in milliseconds since 1970. */
  listSuppressed(): Awaitable<[mark: Buffer, time: number][]>;
  /** Adds marks to the suppression list, each with the time of the erasure (milliseconds since 1970). Call it inside `runAtomically`. */
  addSuppressed(marks: [mark: Buffer, time: number][]): Awaitable<void>;
  /** Returns the fingerprint key of each previous secret of the graph, oldest first (see `deriveFingerprintKey`). */
  listEarlierSecrets(): Promise<string[]>;
  /** Replaces the list of fingerprint keys of previous secrets. Call it inside `runAtomically`. */
  replaceEarlierSecrets(keys: string[]): Promise<void>;
}

/** Reads the log of look-up keys whose records changed. With this log, only watches with such a look-up key are checked again. */
export interface LookupKeyChangeReader {
  /** Returns some changes after a position in the log. With null, returns the present position and no changes. */
  read(position: string | null): Awaitable<ChangedLookupKeys>;
}

/** Look-up keys whose records changed between two positions in the log. */
export interface ChangedLookupKeys {
  /** Position in the log after these changes; the position before if nothing changed. Null if the graph has no such log. */
  position: string | null;
  /** Fingerprints of the look-up keys, as watches store them; see `createWatchKeyFingerprinter`. Null if any look-up key may have changed. */
  keys: number[] | null;
}
