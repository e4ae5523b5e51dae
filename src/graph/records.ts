import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';
import type { Fingerprints } from './encryption/fingerprints.ts';
import type { SealedRecord, SealedRow } from './encryption/sealed-records.ts';

/** Arrays of items that `for await` can read: a list in memory, or pages that an engine fetches. */
export type PageIterable<T> = Iterable<T[]> | AsyncIterable<T[]>;

export interface GraphRecords {
  /** Fingerprint functions under the current secret, for importing and linking records. */
  readonly fingerprints: Fingerprints;
  /** Fingerprints under previous secrets, oldest first. Omitted if the secret never changed. */
  readonly earlierFingerprints?: readonly Fingerprints[];
  /** True if the engine also stores the encrypted values of records (`whole` of `StoredRecord`). Default: false. */
  readonly storesFullRecords?: boolean;
  /**
   * Adds records, or replaces stored records that have the same source and record id. Writes all given records or none. Records on the
   * suppression list are skipped and counted as `barred`; with `allowReturn` they are added and leave the list. `alike` counts added records
   * that share an e-mail or a phone with a suppressed person.
   */
  put(
    records: StoredRecord[],
    options?: { allowReturn?: boolean },
  ): Awaitable<{ added: number; replaced: number; barred?: number; alike?: number }>;
  /**
   * Removes the named records and returns how many of them existed; if one removal fails, nothing is removed. Checks see removed records until
   * the next linking.
   */
  remove(names: RecordName[]): Awaitable<number>;
  /**
   * Runs `work` so that its changes, linking and publication are committed together; nothing is changed if `work` throws or the process ends.
   * Other writers wait until it ends. This call waits at most `mostWaitMs` milliseconds for other writers. A nested call joins the outer one.
   *
   * Errors: `database_busy` if other writers do not end in time, and errors of `work`.
   */
  runAtomically<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
  /** Runs the engine's deferred work now, so that it does not delay a later change. Not allowed inside `runAtomically`. */
  runDeferredWork?(): Awaitable<void>;
  openIncoming(): IncomingRecords;
  /**
   * Stores the current time as the import time of these sources. Call inside `runAtomically`. With `canBeUndone`, `undoLastImport` restores the
   * previous import times. Omitted by engines that store no import times.
   */
  noteImport?(sources: string[], canBeUndone: boolean): Awaitable<void>;
  /** Returns when a source was last imported (milliseconds since 1970); null if unknown. */
  lastImportTime?(source: string): Awaitable<number | null>;
  /** Returns the last import that can be undone; null if there is none. */
  lastAppliedImport(): Awaitable<AppliedImport | null>;
  /**
   * Undoes the last applied import: removes records that it added, and restores records that it replaced or removed. Records that changed after
   * the import stay unchanged and are counted as `left`.
   */
  undoLastImport(): Awaitable<{ removed: number; restored: number; left: number }>;
  discardUndoJournal(): Awaitable<void>;
  readRows(rows: number[]): Awaitable<RecordRow[]>;
  findByRecordId(recordId: string): Awaitable<RecordRow[]>;
  listByIdentity(identity: number): Awaitable<RecordRow[]>;
  pages(): PageIterable<RecordRow>;
  count(): Awaitable<number>;
  maxRow(): Awaitable<number>;
  /** The same records without decryption, so that worker threads can decrypt them. */
  readonly sealed?: SealedRecords;
}

export interface SealedRecords {
  /** Secret of the graph (64 hex characters). Give it only to threads of this process. */
  readonly secret: string;
  pages(): PageIterable<SealedRow>;
  readRows(rows: number[]): Awaitable<SealedRow[]>;
}

/** Unique name of a record: its source and its id in that source. */
export interface RecordName {
  source: string;
  recordId: string;
}

/** Staging area for the records of one import, in order of arrival. Its content is invisible until `apply`, and is lost with `drop` or with the process. */
export interface IncomingRecords {
  put(records: StoredRecord[]): Awaitable<void>;
  /** Like `put`, for records that are already encrypted. */
  putSealed?(records: SealedRecord[]): Awaitable<void>;
  remove(names: RecordName[]): Awaitable<void>;
  /**
   * Reduces all staged records of one name to one record: the last one, or the result of `merge` over all records that were staged after the
   * last removal of that name. Call it once, after the last `put` and before `apply`.
   */
  resolveDuplicates(merge?: (same: Iterable<StoredRecord>) => Iterable<StoredRecord>): Awaitable<void>;
  /** True if a record is staged. @param key fingerprint of the record's source and id, in hex */
  has(key: string): boolean;
  /** Writes the staged records to the graph, except suppressed records. Call inside `runAtomically`. */
  apply(
    options?: ApplyOptions,
  ): Awaitable<{ added: number; replaced: number; removed: number; barred: number; alike?: number }>;
  drop(): void;
}

interface ApplyOptions {
  /** Description of the import, stored with the undo journal. Without it, the import cannot be undone. */
  journal?: object | undefined;
  allowReturn?: boolean | undefined;
}

/** The last applied import: time (milliseconds since 1970), its description (`journal` of `ApplyOptions`), and numbers of changed records. */
export interface AppliedImport {
  at: number;
  what: object;
  added: number;
  replaced: number;
  removed: number;
}
