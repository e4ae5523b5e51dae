// A store as whoever works on it at once has it: an operator's duties and commands, in a thread or a process of their own.
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Db } from '../platform/sqlite.ts';
import type * as schema from './schema.ts';

/** What runs SQL and answers at once: a connection of SQLite, or one that has its form and waits for another engine. */
export type SqlConnection = Pick<Db, 'prepare' | 'transaction' | 'exec'>;

/** The limit of a list of which all is wanted. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Where a store is. An address may hold a password, and is told to nobody. */
export type StoreLocation = { file: string } | { url: string };

export interface Store {
  /** Who changes it, for the audit log; whoever runs the command line where nobody is named. */
  actor?: string;
  /** For everything an operator does. */
  db: BetterSQLite3Database<typeof schema>;
  /** For statements that are written by hand. */
  raw: SqlConnection;
  /** Runs what reads on the path of a call. Errors: what the engine throws, in our codes; database_busy at once for a while after it was. */
  read<T>(work: () => T): T;
  /** Whether no such read failed in the last seconds: only another call can find out whether all is well again. */
  isHealthy(): boolean;
  /** The highest number that an act was ever given: one that was removed does not give its number back. */
  getLastAuditSeq(): number;
  /** What the engine threw, as one BonafideError; any other error as it is. */
  toStoreError(error: unknown): unknown;
  close(): void;
}
