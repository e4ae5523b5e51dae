// Store for commands and operators' threads: every statement blocks until it is done.
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Db } from '../platform/sqlite.ts';

/** Connection that runs SQL and blocks the thread meanwhile, in SQLite or PostgreSQL. */
export type SqlConnection = Pick<Db, 'prepare' | 'transaction' | 'exec'>;

/** Value of `limit` for a list of all items. */
export const NO_ITEM_LIMIT = Number.MAX_SAFE_INTEGER;

/** File path or URL of a store. Never show the URL, because it may contain a password. */
export type StoreLocation = { file: string } | { url: string };

/** Options of `eraseDeletedRows`. */
export interface DeletedRowsErasure {
  /** Values that this process deleted, encrypted as they were stored; null if some are unknown. */
  sealed: readonly Buffer[] | null;
  /** Value of the mark of `markErasurePending` after this process deleted the values; null if it deleted none. */
  generation: number | null;
  /** True to erase now, even if calls must wait: rewrites an SQLite file of any size, and PostgreSQL tables without a time limit. */
  force?: boolean;
}

export interface Store {
  /** Author of changes for the audit log. Default: the user of the command line. */
  actor?: string;
  /** Query builder (Drizzle) for all but the most frequent queries. */
  db: BetterSQLite3Database;
  raw: SqlConnection;
  /** Runs a read that a call needs. After database_busy, further reads fail at once for a second. Errors: those of the engine, as BonafideErrors. */
  read<T>(work: () => T): T;
  /** Returns true if no `read` failed in the last seconds. */
  isHealthy(): boolean;
  /** Returns the highest number that an audit entry ever had, even if the entry was removed since. */
  getLastAuditSeq(): number;
  /** Converts an error of the engine to a BonafideError; returns any other error unchanged. */
  toStoreError(error: unknown): unknown;
  close(): void;
}
