import type { RecordRow, StoredRecord } from '../link/stored.ts';
import type { Awaitable } from '../model.ts';
import type { Fingerprints } from './encryption/fingerprints.ts';
import type { SealedRecord, SealedRow } from './encryption/sealed-records.ts';

/** What can be gone through with `for await`: a list in memory, or pages that an engine fetches. */
export type Pages<T> = Iterable<T[]> | AsyncIterable<T[]>;

export interface GraphRecords {
  /** Under which records come in and are linked. */
  readonly fingerprints: Fingerprints;
  /** Under which they came in before the secret was changed, the oldest first; none, where it is left out. */
  readonly earlierFingerprints?: readonly Fingerprints[];
  /** Whether whole records are kept, sealed beside the fingerprints: see `whole` of `StoredRecord`. Not, where it is left out. */
  readonly storesFullRecords?: boolean;
  /**
   * Puts records in, replacing those with the same source and record id: all of them or none. Records that are kept out (see `bar`) are
   * left out and counted, unless they may return: then nothing keeps them out any more. `alike` counts those that came in and share an
   * e-mail or a phone with somebody who is kept out.
   */
  put(
    records: StoredRecord[],
    options?: { allowReturn?: boolean },
  ): Awaitable<{ added: number; replaced: number; barred?: number; alike?: number }>;
  /** Takes records out, all of them or none, and answers how many there were; until the next linking checks still see them. */
  remove(names: RecordName[]): Awaitable<number>;
  /**
   * All that `work` puts, takes out, links and publishes is there at once, or nothing of it: where it throws, or the process ends, all is as
   * before. Who else changes records waits meanwhile, and so does this for them, for so many milliseconds at most. Inside another one it is a part
   * of that.
   *
   * Errors: `database_busy` where others do not end, and what `work` throws.
   */
  runAtomically<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
  /** Does now, while nobody waits, what would else hold up some later change. Engines that put nothing off leave it out. Not inside `whole`. */
  runDeferredWork?(): Awaitable<void>;
  /** Room for records on their way in. */
  openIncoming(): IncomingRecords;
  /** Notes that records of these sources are imported now; inside `whole`. `canBeUndone`: `takeBack` takes this back. Engines that keep no such note leave it out. */
  noteImport?(sources: string[], canBeUndone: boolean): Awaitable<void>;
  /** When records of a source were imported last, in milliseconds since 1970; null where nobody noted it. */
  lastImportTime?(source: string): Awaitable<number | null>;
  /** What was applied last with a journal; null where nothing was, or it was taken back. */
  lastAppliedImport(): Awaitable<AppliedImport | null>;
  /**
   * Takes that back: what it put goes, what it replaced or took out is there again. Records that were changed since stay as they are, and
   * are counted as `left`.
   */
  undoLastImport(): Awaitable<{ removed: number; restored: number; left: number }>;
  /** What was applied last can be taken back no more: nothing is kept of what was before it. */
  discardUndoJournal(): Awaitable<void>;
  /** Records by their rows, in any order; a row that is gone is left out. */
  readRows(rows: number[]): Awaitable<RecordRow[]>;
  /** Records of this id, whatever their source, in the order of import. */
  findByRecordId(recordId: string): Awaitable<RecordRow[]>;
  /** Records of an identity, in the order of import. */
  listByIdentity(identity: number): Awaitable<RecordRow[]>;
  /** All records, in the order of import. */
  pages(): Pages<RecordRow>;
  count(): Awaitable<number>;
  /** The highest row there is; 0 in an empty graph. */
  maxRow(): Awaitable<number>;
  /** The same records as they are kept, for threads that open them; without it, who asks opens them all. */
  readonly sealed?: SealedRecords;
}

/** See `recordSealing`. */
export interface SealedRecords {
  /** What fingerprints and sealing are derived from (64 hex characters): for threads of this process, and nothing else. */
  readonly secret: string;
  /** All records, in the order of import. */
  pages(): Pages<SealedRow>;
  readRows(rows: number[]): Awaitable<SealedRow[]>;
}

/** What a record is called. */
export interface RecordName {
  source: string;
  recordId: string;
}

/** Records on their way in, in the order in which they came. Nobody sees them before `apply`, and nothing of them is left after `drop` or the process. */
export interface IncomingRecords {
  put(records: StoredRecord[]): Awaitable<void>;
  /** The same of records as `sealed` has them, where the engine has that. */
  putSealed?(records: SealedRecord[]): Awaitable<void>;
  /** Records that are to be taken out. */
  remove(names: RecordName[]): Awaitable<void>;
  /**
   * Of each record name that came more than once, only what came last, or what `merge` makes of all that came since it was to be taken out.
   * Needed once, after the last and before `apply`.
   */
  resolveDuplicates(merge?: (same: Iterable<StoredRecord>) => Iterable<StoredRecord>): Awaitable<void>;
  /** Whether a record (by the hex of its own fingerprint) is on its way in. */
  has(key: string): boolean;
  /** Puts them into the graph's records, but for those that are kept out. Inside `whole`. */
  apply(
    options?: ApplyOptions,
  ): Awaitable<{ added: number; replaced: number; removed: number; barred: number; alike?: number }>;
  drop(): void;
}

interface ApplyOptions {
  /** By what this may be called later, so that it can be taken back; without it nothing is kept for that. */
  journal?: object | undefined;
  /** Whether those that are kept out may return. */
  allowReturn?: boolean | undefined;
}

/** What was applied last: when (milliseconds since 1970), by what it was called, and how many records it changed. */
export interface AppliedImport {
  at: number;
  what: object;
  added: number;
  replaced: number;
  removed: number;
}
