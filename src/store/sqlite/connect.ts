// Connections to `store.db`. The writer thread loads this file, so it must not load a query builder.
import { toSqliteError, openSqliteFile, type Db, type SqliteFileKind } from '../../platform/sqlite.ts';
import type { BonafideError } from '../../errors.ts';

/** Kind of `store.db`: its application id is the letters "BONS"; each commit is on disk before it returns. */
export const STORE_FILE_KIND: SqliteFileKind = {
  applicationId: 0x42_4f_4e_53,
  name: 'store',
  synchronous: 'FULL',
};

/** Opens a connection to a store. Errors: those of `openSqliteFile`. */
export function connectSqliteStore(file: string): Db {
  const db = openSqliteFile(file, STORE_FILE_KIND);
  // Deleted claims and results are encrypted, but the secret is in the same folder.
  db.pragma('secure_delete = ON');
  return db;
}

/** Converts an error of SQLite or of the file system, thrown by work on a store, to a BonafideError. */
export const toSqliteStoreError = (error: unknown, file: string): BonafideError =>
  toSqliteError(error, file, STORE_FILE_KIND);
