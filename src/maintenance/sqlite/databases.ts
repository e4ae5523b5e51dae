import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordsFile } from '../../graph/sqlite/database.ts';
import { GRAPH, RECORDS } from '../../graph/sqlite/schema.ts';
import { graphFile } from '../../graph/sqlite/open.ts';
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

/** A database of a data folder. */
export interface DatabaseFile {
  name: 'graph.db' | 'records.db' | 'store.db';
  file: string;
  kind: SqliteFileKind;
}

/** The databases that a folder has; the store last. */
export function listDatabases(folder: string): DatabaseFile[] {
  const all: DatabaseFile[] = [
    // Before the records: those may know of a publication that the graph does not, and never the other way round.
    { name: 'graph.db', file: graphFile(folder), kind: GRAPH },
    { name: 'records.db', file: recordsFile(graphFile(folder)), kind: RECORDS },
    { name: 'store.db', file: getStoreFile(folder), kind: STORE_FILE_KIND },
  ];
  return all.filter(({ file }) => existsSync(file));
}

/** Runs `work` on a database of this kind, and gives what SQLite throws one of our codes. */
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

/** What SQLite's quick check found in one table and its indexes. */
interface TableCheck {
  table: string;
  /** What is wrong, in SQLite's own words, which hold no values; nothing where all is well. */
  problems: string[];
}

/**
 * Checks a database table by table, so that whoever checks can pause, and readers and writers go on meanwhile.
 * Errors: those of SQLite, where not even the list of tables can be read.
 */
export function* checkTables(db: Db): Generator<TableCheck> {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    .pluck()
    .all();
  for (const table of ['sqlite_schema', ...tables]) {
    const said = db.prepare<[], string>(`PRAGMA quick_check("${table}")`).pluck().all();
    yield { table, problems: said.filter((line) => line !== 'ok') };
  }
}

/**
 * Makes sure that no other process has a database open, and leaves it without a write-ahead log: whole in its one file. One that is
 * too damaged to be opened is left as it is. Errors: database_busy, read_only, disk_full.
 */
export function requireUnused(file: string, kind: SqliteFileKind): void {
  try {
    const db = openSqliteFile(file, kind);
    try {
      db.pragma('busy_timeout = 1000');
      // Only the last connection of all can leave the write-ahead log.
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
        `${file} is in use by another process: stop the server first.`,
      );
    throw toSqliteError(error, file, kind);
  }
}

const LOCK_WAIT_MS = 60_000;

/**
 * Runs `work` while no other process runs its own in the same folder; not at all where the folder is gone by then. The lock is one of
 * SQLite's, which the system takes from a process that is killed. Errors: what SQLite and `work` throw.
 */
export function runLocked(folder: string, work: () => void): void {
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
