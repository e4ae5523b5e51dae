import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getRecordsFile } from '../../graph/sqlite/database.ts';
import { GRAPH_FILE_KIND, RECORDS_FILE_KIND } from '../../graph/sqlite/schema.ts';
import { getGraphFile } from '../../graph/sqlite/open.ts';
import {
  toSqliteError,
  openSqliteFile,
  isStorageError,
  type Db,
  type SqliteFileKind,
} from '../../platform/sqlite.ts';
import { STORE_FILE_KIND } from '../../store/sqlite/connect.ts';
import { getStoreFile } from '../../store/sqlite/open.ts';
import { BonafideError } from '../../errors.ts';
import { getErrorCode } from '../../platform/files.ts';

export interface DatabaseFile {
  name: 'graph.db' | 'records.db' | 'store.db';
  file: string;
  kind: SqliteFileKind;
}

/** Returns the databases that exist in a folder; the store is last. */
export function listDatabases(folder: string): DatabaseFile[] {
  const all: DatabaseFile[] = [
    // graph.db must come before records.db in a snapshot: the records may be newer than the graph by one publication, but never older.
    { name: 'graph.db', file: getGraphFile(folder), kind: GRAPH_FILE_KIND },
    { name: 'records.db', file: getRecordsFile(getGraphFile(folder)), kind: RECORDS_FILE_KIND },
    { name: 'store.db', file: getStoreFile(folder), kind: STORE_FILE_KIND },
  ];
  return all.filter(({ file }) => existsSync(file));
}

/** A database that the settings may keep outside the data folder; records.db belongs to graph.db. */
export type RelocatableDatabase = 'graph.db' | 'store.db';

/**
 * Returns the databases that exist in a folder, except databases that the settings keep elsewhere: files of these in the folder are old
 * copies.
 */
export const listUsedDatabases = (
  folder: string,
  elsewhere: readonly RelocatableDatabase[] = [],
): DatabaseFile[] =>
  listDatabases(folder).filter(({ name }) => !elsewhere.includes(name === 'records.db' ? 'graph.db' : name));

/** Opens a database, runs `work` on it and closes it. Turns SQLite's errors into errors with our codes. */
export async function useDatabase<T>(
  { file, kind }: Pick<DatabaseFile, 'file' | 'kind'>,
  work: (db: Db) => T | Promise<T>,
): Promise<T> {
  const db = openSqliteFile(file, kind);
  try {
    return await work(db);
  } catch (error) {
    throw isStorageError(error) ? toSqliteError(error, file, kind) : error;
  } finally {
    db.close();
  }
}

/** Result of SQLite's quick check for one table and its indexes. */
interface TableCheck {
  table: string;
  /** SQLite's descriptions of the damage, which contain no values; empty if the table is intact. */
  problems: string[];
}

/**
 * Checks a database table by table, so that the caller can pause between tables while readers and writers continue. Errors: those of
 * SQLite, if not even the list of tables can be read.
 */
export function* checkTables(db: Db): Generator<TableCheck> {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    .pluck()
    .all();
  for (const table of ['sqlite_schema', ...tables]) {
    const checkResults = db.prepare<[], string>(`PRAGMA quick_check("${table}")`).pluck().all();
    yield { table, problems: checkResults.filter((line) => line !== 'ok') };
  }
}

/**
 * Verifies that no other process has a database open, and merges its write-ahead log into the main file. A database too damaged to open is
 * left unchanged. Errors: database_busy, read_only, disk_full.
 */
export function requireDatabaseUnused(file: string, kind: SqliteFileKind): void {
  try {
    const db = openSqliteFile(file, kind);
    try {
      db.pragma('busy_timeout = 1000');
      // SQLite permits this change of the journal mode only if no other connection is open.
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
  } catch (error) {
    const { code } = toSqliteError(error, file, kind);
    if (code === 'damaged_database' || code === 'foreign_database') return;
    if (code === 'database_busy' || getErrorCode(error).startsWith('SQLITE_BUSY'))
      throw new BonafideError(
        'database_busy',
        `The database ${file} is in use by another process. Stop the server first.`,
      );
    throw toSqliteError(error, file, kind);
  }
}

const LOCK_WAIT_MS = 60_000;

/**
 * Runs `work` while holding an exclusive lock on the folder; does not run it if the folder no longer exists after the wait. The lock is a
 * SQLite file lock, which the operating system releases when a process is killed. Errors: those of SQLite and of `work`.
 */
export function runWithFolderLock(folder: string, work: () => void): void {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(join(folder, 'lock'));
    lock.pragma(`busy_timeout = ${LOCK_WAIT_MS}`);
    lock.exec('BEGIN EXCLUSIVE');
    if (existsSync(folder)) work();
  } catch (error) {
    if (existsSync(folder)) throw error;
  } finally {
    lock?.close();
  }
}
