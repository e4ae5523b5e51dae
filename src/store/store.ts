// Store for commands and operators' threads: every statement blocks until it is done.
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Db } from '../platform/sqlite.ts';

/** Connection that runs SQL synchronously: SQLite, or PostgreSQL through the bridge. */
export type SqlConnection = Pick<Db, 'prepare' | 'transaction' | 'exec'>;

/** Limit of a list that returns all its items. */
export const NO_ITEM_LIMIT = Number.MAX_SAFE_INTEGER;

/** File or address of a store. An address may contain a password, so it must not be shown. */
export type StoreLocation = { file: string } | { url: string };

export interface Store {
  /** Actor of changes in the audit log; the user of the command line if missing. */
  actor?: string;
  /** Query builder of Drizzle, for ordinary queries. */
  db: BetterSQLite3Database;
  raw: SqlConnection;
  /** Runs a read during a call. Errors: those of the engine, as BonafideErrors; after database_busy, further reads fail at once for a while. */
  read<T>(work: () => T): T;
  /** Returns true if no `read` failed in the last seconds. After that time, only another read can show if the store works. */
  isHealthy(): boolean;
  /** Returns the highest number that an audit entry ever had. The number of a removed entry is never reused. */
  getLastAuditSeq(): number;
  /** Converts an error of the engine to a BonafideError; returns any other error unchanged. */
  toStoreError(error: unknown): unknown;
  close(): void;
}
