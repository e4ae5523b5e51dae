import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import type { Awaitable } from '../model.ts';
import type { FingerprintFunctions, FingerprintFunctionsOfAllSecrets } from './encryption/fingerprints.ts';
import type { SealedRecord, SealedRow } from './encryption/sealed-records.ts';

/** Lists of items for `for await`: all in memory, or pages that an engine reads from its database. */
export type PageIterable<T> = Iterable<T[]> | AsyncIterable<T[]>;

export interface GraphRecordOperations {
  /** Fingerprint functions under the present secret, for importing and linking records. */
  readonly fingerprints: FingerprintFunctions;
  readAllFingerprints(): Awaitable<FingerprintFunctionsOfAllSecrets>;
  /** True if the engine also stores the complete values of records, encrypted. Default: false. */
  readonly storesFullRecords?: boolean;
  /**
   * Adds or replaces records, all of them or none. Skips records of people on the suppression list, and counts them as `barred`. With `allowReturn`,
   * adds them, and removes these people from the list. `alike` is the number of added records that share an e-mail or a phone with a person on the
   * list.
   */
  put(
    records: StoredRecord[],
    options?: { allowReturn?: boolean },
  ): Awaitable<{ added: number; replaced: number; barred?: number; alike?: number }>;
  /** Removes records by source and id, all of them or none. Returns the number of removed records. Checks still find them until the next linking. */
  remove(names: SourceRecordId[]): Awaitable<number>;
  /**
   * Runs `work`, and commits all its changes together, or none if it throws or the process ends. A nested call joins the outer one. Errors:
   * `database_busy` if other writers do not end within `mostWaitMs` milliseconds; errors of `work`.
   */
  runAtomically<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
  /**
   * Runs work that the engine has postponed, such as moving the write-ahead log, so that it does not delay a later change. Do not call it inside
   * `runAtomically`.
   */
  runDeferredWork?(): Awaitable<void>;
  openIncoming(): Awaitable<IncomingRecordStorage>;
  /**
   * Stores the present time as the time of these sources' last import. Call it inside `runAtomically`. Undefined for engines without such times.
   * @param canBeUndone true if `undoLastImport` may restore the previous times
   */
  noteImport?(sources: string[], canBeUndone: boolean): Awaitable<void>;
  /** Returns the time of a source's last import, in milliseconds since 1970; null if unknown. */
  lastImportTime?(source: string): Awaitable<number | null>;
  /** Returns the last import that can be undone; null if there is none. */
  lastAppliedImport(): Awaitable<AppliedImport | null>;
  /**
   * Undoes the last import: removes records that it added, and restores records that it replaced or removed. Leaves records that changed since the
   * import; `left` is their number.
   */
  undoLastImport(): Awaitable<{ removed: number; restored: number; left: number }>;
  discardUndoJournal(): Awaitable<void>;
  readRows(rows: number[]): Awaitable<RecordRow[]>;
  findByRecordId(recordId: string): Awaitable<RecordRow[]>;
  listByIdentity(identity: number): Awaitable<RecordRow[]>;
  pages(): PageIterable<RecordRow>;
  count(): Awaitable<number>;
  maxRow(): Awaitable<number>;
  /** Reads records in encrypted form, for worker threads that decrypt them. */
  readonly sealed?: SealedRecords;
}

interface SealedRecords {
  /** Secret of the graph (64 hexadecimal characters). Pass it only to threads of this process. */
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
 * Temporary storage for the records of one import, in order of arrival. `apply` writes them to the graph. `drop`, or the end of the process, deletes
 * them.
 */
export interface IncomingRecordStorage {
  /** Computes a record id (32 hexadecimal digits) from the text of a record without an id. The id stays the same after a change of the secret. */
  generateRecordId(text: string): string;
  put(records: StoredRecord[]): Awaitable<void>;
  /**
   * Adds records that worker threads have encrypted, otherwise like `put`. Undefined if the secret was ever changed: record ids are computed under
   * the first secret, which the threads do not know.
   */
  putSealed?(records: SealedRecord[]): Awaitable<void>;
  remove(names: SourceRecordId[]): Awaitable<void>;
  /**
   * Reduces all records with the same source and id to one: the last one, or the result of `merge`. Ignores records before a removal of the same id.
   * Call it once, after the last `put` and before `apply`. Returns the number of results of `merge` that were left out because another record has
   * their source and id.
   */
  resolveDuplicates(merge?: (same: Iterable<StoredRecord>) => Iterable<StoredRecord>): Awaitable<number>;
  /**
   * True if this storage contains a record with this source and id, or its removal.
   * @param key fingerprint of source and id, in hexadecimal
   */
  has(key: string): boolean;
  /** Writes the records to the graph, except those of people on the suppression list. Call it inside `runAtomically`. */
  apply(
    options?: ApplyOptions,
  ): Awaitable<{ added: number; replaced: number; removed: number; barred: number; alike?: number }>;
  drop(): void;
}

interface ApplyOptions {
  /** Description of the import, which is stored with the data for its undo. Without it, the import cannot be undone. */
  journal?: object | undefined;
  allowReturn?: boolean | undefined;
}

/**
 * Last import: its time (`at`, milliseconds since 1970), its description (`what`, see `ApplyOptions.journal`), and the numbers of records that it
 * changed.
 */
export interface AppliedImport {
  at: number;
  what: object;
  added: number;
  replaced: number;
  removed: number;
}
