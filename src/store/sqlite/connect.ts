// Connections to `store.db`. The writer thread loads this file, so it must not load a query builder.
import {
  convertStorageErrorToBonafideError,
  openSqliteFile,
  type Db,
  type SqliteFileType,
} from '../../platform/sqlite.ts';
import type { BonafideError } from '../../errors.ts';

/** File type of `store.db`: application id "BONS". A commit is on disk when it returns. */
export const STORE_FILE_TYPE_DEFINITION: SqliteFileType = {
  applicationId: 0x42_4f_4e_53,
  name: 'store',
  synchronous: 'FULL',
};

/** Opens a connection to a store file. Errors: those of `openSqliteFile`. */
export function connectSqliteStore(file: string): Db {
  const db = openSqliteFile(file, STORE_FILE_TYPE_DEFINITION);
  // Deleted claims and results are encrypted, but the secret is in the same folder.
  db.pragma('secure_delete = ON');
  return db;
}

/** Converts an error of SQLite or of the file system to a BonafideError that names the store file. */
export const toSqliteStoreError = (error: unknown, file: string): BonafideError =>
  convertStorageErrorToBonafideError(error, file, STORE_FILE_TYPE_DEFINITION);
