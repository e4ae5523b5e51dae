// Store as commands and operators' threads use it: every statement blocks until it is done.
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Db } from '../platform/sqlite.ts';

/** Connection that runs SQL and returns at once: SQLite, or PostgreSQL through the bridge. */
export type SqlConnection = Pick<Db, 'prepare' | 'transaction' | 'exec'>;

/** Limit of a list that returns all its items. */
export const NO_ITEM_LIMIT = Number.MAX_SAFE_INTEGER;

/** File or address of a store. An address may contain a password: it must not be shown. */
export type StoreLocation = { file: string } | { url: string };

/** Open store, in SQLite or PostgreSQL. */
export interface Store {
  /** Actor of changes in the audit log; the user of the command line if missing. */
  actor?: string;
  /** Query builder of Drizzle, for ordinary queries. */
  db: BetterSQLite3Database;
  /** Connection, for SQL statements written by hand. */
  raw: SqlConnection;
  /** Runs a read on the path of a call. Errors: those of the engine, as BonafideErrors; database_busy at once for a while after a first one. */
  read<T>(work: () => T): T;
  /** Returns true if no `read` failed in the last seconds: only another read can find out whether the store works again. */
  isHealthy(): boolean;
  /** Returns the highest number that an audit entry ever had; a removed entry does not give its number back. */
  getLastAuditSeq(): number;
  /** Returns an error of the engine as a BonafideError; any other error as it is. */
  toStoreError(error: unknown): unknown;
  close(): void;
}
