import type { StoredRecord } from '../../link/stored.ts';
import type { Awaitable } from '../../model.ts';
import type { SealedRecord } from '../sealed/record.ts';

/** What a record is called. */
export interface RecordName {
  source: string;
  recordId: string;
}

/** Records on their way in, in the order in which they came. Nobody sees them before `apply`, and nothing of them is left after `drop` or the process. */
export interface Incoming {
  put(records: StoredRecord[]): Awaitable<void>;
  /** The same of records as `sealed` has them, where the engine has that. */
  putSealed?(records: SealedRecord[]): Awaitable<void>;
  /** Records that are to be taken out. */
  remove(names: RecordName[]): Awaitable<void>;
  /**
   * Of each record name that came more than once, only what came last, or what `merge` makes of all that came since it was to be taken out.
   * Needed once, after the last and before `apply`.
   */
  settle(merge?: (same: Iterable<StoredRecord>) => Iterable<StoredRecord>): Awaitable<void>;
  /** Whether a record (by the hex of its own fingerprint) is on its way in. */
  has(key: string): boolean;
  /** Puts them into the graph's records, but for those that are kept out. Inside `whole`. */
  apply(
    options?: ApplyOptions,
  ): Awaitable<{ added: number; replaced: number; removed: number; barred: number; alike?: number }>;
  drop(): void;
}

export interface ApplyOptions {
  /** By what this may be called later, so that it can be taken back; without it nothing is kept for that. */
  journal?: object | undefined;
  /** Whether those that are kept out may return. */
  allowReturn?: boolean | undefined;
}

/** What was applied last: when (milliseconds since 1970), by what it was called, and how many records it changed. */
export interface Applied {
  at: number;
  what: object;
  added: number;
  replaced: number;
  removed: number;
}
