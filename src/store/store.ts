// Store for commands and operators' threads: every statement blocks until it is done.
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Db } from '../platform/sqlite.ts';

/** Connection that runs SQL synchronously in SQLite or PostgreSQL. */
export type SqlConnection = Pick<Db, 'prepare' | 'transaction' | 'exec'>;

/** Value of `limit` with which a list returns all items. */
export const NO_ITEM_LIMIT = Number.MAX_SAFE_INTEGER;

/** File path or URL of a store. The URL may contain a password, so do not show it. */
export type StoreLocation = { file: string } | { url: string };

/** Erasure of the bytes of deleted rows; see `eraseDeletedRows`. */
export interface DeletedRowsErasure {
  /** The values that this process deleted, encrypted as they were stored; null if some are unknown. */
  sealed: readonly Buffer[] | null;
  /** Generation of the pending erasure after this process deleted the values; null if it deleted none. See `markErasurePending`. */
  generation: number | null;
  /** True to erase even if calls must wait meanwhile: an SQLite file of any size, and PostgreSQL tables however long it takes. */
  force?: boolean;
}

export interface Store {
  /** Actor of changes in the audit log. Default: the user of the command line. */
  actor?: string;
  /** Drizzle query builder for ordinary queries. */
  db: BetterSQLite3Database;
  raw: SqlConnection;
  /** Runs a read during a call. After database_busy, further reads fail at once for a second. Errors: those of the engine, as BonafideErrors. */
  read<T>(work: () => T): T;
  /** Returns true if no `read` failed in the last seconds. */
  isHealthy(): boolean;
  /** Returns the highest number that an audit entry ever had. Numbers of removed entries are not reused. */
  getLastAuditSeq(): number;
  /** Converts an error of the engine to a BonafideError; returns any other error unchanged. */
  toStoreError(error: unknown): unknown;
  close(): void;
}
