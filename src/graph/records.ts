import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';
import type { FingerprintFunctions, FingerprintsOfAllSecrets } from './encryption/fingerprints.ts';
import type { SealedRecord, SealedRow } from './encryption/sealed-records.ts';

/** Lists of items for `for await`: lists in memory, or pages that an engine reads from its database. */
export type PageIterable<T> = Iterable<T[]> | AsyncIterable<T[]>;

export interface GraphRecordOperations {
  /** Fingerprint functions for the present secret, with which records are imported and linked. */
  readonly fingerprints: FingerprintFunctions;
  readAllFingerprints(): Awaitable<FingerprintsOfAllSecrets>;
  /** True if the engine also stores the complete, encrypted values of records. Default: false. */
  readonly storesFullRecords?: boolean;
  /**
   * Adds or replaces records: all of them or none. Records of suppressed people are skipped and counted as `barred`. With `allowReturn` they are
   * added, and these people are removed from the suppression list. `alike`: number of added records that share an e-mail or a phone with a suppressed
   * person.
   */
  put(
    records: StoredRecord[],
    options?: { allowReturn?: boolean },
  ): Awaitable<{ added: number; replaced: number; barred?: number; alike?: number }>;
  /**
   * Removes records by source and id: all of them or none. Returns the number of removed records. Check calls still find the records until the next
   * linking.
   */
  remove(names: SourceRecordId[]): Awaitable<number>;
  /**
   * Runs `work` and commits its changes together, or none of them if it throws or the process ends. A nested call joins the outer one. Errors:
   * `database_busy` if other writers do not end within `mostWaitMs` milliseconds; errors of `work`.
   */
  runAtomically<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
  /**
   * Runs postponed work of the engine now, such as moving the write-ahead log, so that it does not delay a later change. Do not call it inside
   * `runAtomically`.
   */
  runDeferredWork?(): Awaitable<void>;
  openIncoming(): Awaitable<IncomingRecordStorage>;
  /**
   * Stores the present time as the last import time of these sources. `canBeUndone`: true if `undoLastImport` may restore the previous times. Call it
   * inside `runAtomically`. Undefined for engines without import times.
   */
  noteImport?(sources: string[], canBeUndone: boolean): Awaitable<void>;
  /** Returns the time of a source's last import, in milliseconds since 1970; null if unknown. */
  lastImportTime?(source: string): Awaitable<number | null>;
  /** Returns the last import that can be undone; null if there is none. */
  lastAppliedImport(): Awaitable<AppliedImport | null>;
  /**
   * Undoes the last import: removes the records that it added, and restores the records that it replaced or removed. Records that changed after the
   * import stay; `left` is their number.
   */
  undoLastImport(): Awaitable<{ removed: number; restored: number; left: number }>;
  discardUndoJournal(): Awaitable<void>;
  readRows(rows: number[]): Awaitable<RecordRow[]>;
  findByRecordId(recordId: string): Awaitable<RecordRow[]>;
  listByIdentity(identity: number): Awaitable<RecordRow[]>;
  pages(): PageIterable<RecordRow>;
  count(): Awaitable<number>;
  maxRow(): Awaitable<number>;
  /** Reads the records in encrypted form, so that worker threads can decrypt them. */
  readonly sealed?: SealedRecords;
}

interface SealedRecords {
  /** Secret of the graph (64 hexadecimal characters). Give it only to threads of this process. */
  readonly secret: string;
  pages(): PageIterable<SealedRow>;
  readRows(rows: number[]): Awaitable<SealedRow[]>;
}

/** Unique identifier of a record: its source, and its id within that source. */
export interface SourceRecordId {
  source: string;
  recordId: string;
}

/**
 * Temporary storage for the records of one import, in order of arrival. `apply` writes them to the graph; they are lost with `drop` or with the
 * process.
 */
export interface IncomingRecordStorage {
  /** Computes a record id (32 hexadecimal digits) from the text of a record without an id. The id stays the same after a change of the secret. */
  generateRecordId(text: string): string;
  put(records: StoredRecord[]): Awaitable<void>;
  /**
   * Adds records that worker threads have encrypted; otherwise the same as `put`. Undefined if the secret was changed: the threads do not know the
   * first secret, by which record ids are computed.
   */
  putSealed?(records: SealedRecord[]): Awaitable<void>;
  remove(names: SourceRecordId[]): Awaitable<void>;
  /**
   * Reduces all stored records with the same source and id to one: the last record, or the result of `merge`. Records before a removal of the same id
   * are ignored. Call it once, after the last `put` and before `apply`. Returns the number of results of `merge` that are left out because another
   * record has their source and id.
   */
  resolveDuplicates(merge?: (same: Iterable<StoredRecord>) => Iterable<StoredRecord>): Awaitable<number>;
  /**
   * True if this storage contains a record or a removal with this source and id.
   *
   * @param key hexadecimal fingerprint of the record's source and id
   */
  has(key: string): boolean;
  /** Writes the stored records to the graph, except those of suppressed people. Call it inside `runAtomically`. */
  apply(
    options?: ApplyOptions,
  ): Awaitable<{ added: number; replaced: number; removed: number; barred: number; alike?: number }>;
  drop(): void;
}

interface ApplyOptions {
  /** Description of the import, which is stored with the undo data. Without a description, the import cannot be undone. */
  journal?: object | undefined;
  allowReturn?: boolean | undefined;
}

/**
 * Last import: its time (`at`, milliseconds since 1970), its description (`what`, see `ApplyOptions.journal`), and the numbers of changed records.
 */
export interface AppliedImport {
  at: number;
  what: object;
  added: number;
  replaced: number;
  removed: number;
}
