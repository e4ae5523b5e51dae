import Database from 'better-sqlite3';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  listGraphDatabaseSchemaStatements,
  getRecordsFilePath,
  listRecordsDatabaseSchemaStatements,
} from '../../graph/sqlite/database.ts';
import {
  GRAPH_FILE_TYPE_DEFINITION,
  GRAPH_FILE_VERSION,
  RECORDS_FILE_TYPE_DEFINITION,
  RECORDS_FILE_VERSION,
} from '../../graph/sqlite/schema.ts';
import { getGraphFilePath } from '../../graph/sqlite/open.ts';
import {
  convertStorageErrorToBonafideError,
  openSqliteFile,
  openTemporaryDatabase,
  isStorageError,
  type Db,
  type SqliteFileType,
} from '../../platform/sqlite.ts';
import { STORE_FILE_TYPE_DEFINITION } from '../../store/sqlite/connect.ts';
import {
  getStoreFile,
  listStoreSchemaStatements,
  getSupportedStoreVersion,
} from '../../store/sqlite/open.ts';
import { BonafideError } from '../../errors.ts';
import { getErrorCode } from '../../platform/files.ts';

export interface DatabaseFile {
  name: 'graph.db' | 'records.db' | 'store.db';
  file: string;
  kind: SqliteFileType;
  /** Newest schema version (`user_version`) of this database that the program reads. */
  version: number;
  /** Returns the statements that create the database in a version; null for an unknown version. */
  getSchema(this: void, version: number): string[] | null;
}

/** Returns the databases that exist in a folder and are not empty; the store is last. Opening an empty file would write a header to it. */
export function listDatabases(folder: string): DatabaseFile[] {
  const all: DatabaseFile[] = [
    // graph.db must come before records.db in a snapshot: the records may be newer than the graph by one publication, but never older.
    {
      name: 'graph.db',
      file: getGraphFilePath(folder),
      kind: GRAPH_FILE_TYPE_DEFINITION,
      version: GRAPH_FILE_VERSION,
      getSchema: listGraphDatabaseSchemaStatements,
    },
    {
      name: 'records.db',
      file: getRecordsFilePath(getGraphFilePath(folder)),
      kind: RECORDS_FILE_TYPE_DEFINITION,
      version: RECORDS_FILE_VERSION,
      getSchema: listRecordsDatabaseSchemaStatements,
    },
    {
      name: 'store.db',
      file: getStoreFile(folder),
      kind: STORE_FILE_TYPE_DEFINITION,
      version: getSupportedStoreVersion(),
      getSchema: listStoreSchemaStatements,
    },
  ];
  return all.filter(({ file }) => existsSync(file) && statSync(file).size > 0);
}

/** Database that the settings may keep outside the data folder. records.db is always kept with graph.db. */
export type RelocatableDatabase = 'graph.db' | 'store.db';

/** Returns the databases in a folder, without those that the settings keep elsewhere: their files in the folder are old copies. */
export const listUsedDatabases = (
  folder: string,
  elsewhere: readonly RelocatableDatabase[] = [],
): DatabaseFile[] =>
  listDatabases(folder).filter(({ name }) => !elsewhere.includes(name === 'records.db' ? 'graph.db' : name));

/**
 * Opens a database, runs `work` on it and closes it. Converts SQLite's errors to a BonafideError. `busyMs` is the longest wait for another process
 * that locks the file.
 */
export async function runWithDatabase<T>(
  { file, kind }: Pick<DatabaseFile, 'file' | 'kind'>,
  work: (db: Db) => T | Promise<T>,
  busyMs?: number,
): Promise<T> {
  const db = openSqliteFile(file, kind, busyMs);
  try {
    return await work(db);
  } catch (error) {
    throw isStorageError(error) ? convertStorageErrorToBonafideError(error, file, kind) : error;
  } finally {
    db.close();
  }
}

/** Tables that may be missing: the log of changed look-up keys is created by the first write, the tables `_litestream_…` by Litestream. */
const OPTIONAL_TABLES = ['key_change', '_litestream_seq', '_litestream_lock'];
const LITESTREAM_TABLES = [
  'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)',
  'CREATE TABLE _litestream_lock (id INTEGER)',
];

/**
 * Compares the tables, indexes and triggers of a database with those that this program creates for the database's version. Returns the first
 * difference as the end of a sentence about the database; null if there is none, or if the version is unknown. A trigger or a view of another
 * program would run inside our statements, and its indexes and foreign keys could reject them.
 */
export function findSchemaDifference(db: Db, getSchema: DatabaseFile['getSchema']): string | null {
  const statements = getSchema(Number(db.pragma('user_version', { simple: true })));
  if (statements === null) return null;
  const model = openTemporaryDatabase();
  try {
    for (const sql of [...statements, ...LITESTREAM_TABLES]) model.exec(sql);
    return compareSchemas(readSchema(db), readSchema(model));
  } finally {
    model.close();
  }
}

/** Statements that created the tables, indexes, triggers and views of a database, by type and name, such as `table keys`. */
type SchemaObjects = Map<string, string>;

function readSchema(db: Db): SchemaObjects {
  const rows = db
    .prepare<[], [type: string, name: string, sql: string]>(
      "SELECT type, name, coalesce(sql, '') FROM sqlite_schema",
    )
    .raw()
    .all();
  // SQLite itself adds tables and indexes whose names begin with `sqlite_`, such as that of AUTOINCREMENT.
  return new Map(
    rows
      .filter(([type, name]) => !(['table', 'index'].includes(type) && name.startsWith('sqlite_')))
      .map(([type, name, sql]) => [`${type} ${name}`, sql.split(/\s/).filter(Boolean).join(' ')]),
  );
}

function compareSchemas(found: SchemaObjects, expected: SchemaObjects): string | null {
  for (const [name, sql] of found) {
    const expectedSql = expected.get(name);
    if (expectedSql === undefined) return `has the ${name}, which Bonafide did not make`;
    if (expectedSql !== sql) return `has another ${name} than Bonafide makes`;
  }
  const missing = [...expected.keys()].find(
    (name) => !found.has(name) && !OPTIONAL_TABLES.some((table) => name === `table ${table}`),
  );
  return missing === undefined ? null : `lacks the ${missing}`;
}

/** Result of SQLite's quick check of one table and its indexes. */
interface TableCheck {
  table: string;
  /** SQLite's descriptions of the damage, without values; empty if the table is intact. */
  problems: string[];
}

/**
 * Checks a database for damage and yields the result of each table, so that the caller can pause in between. Errors: those of SQLite if the list
 * of tables cannot be read.
 */
export function* checkTablesForDamage(db: Db): Generator<TableCheck> {
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
 * Throws if another process has the database open. Otherwise merges the write-ahead log into the database file. A database that is too damaged
 * to open stays unchanged. Errors: database_busy, read_only, disk_full.
 */
export function checkpointUnusedDatabase(file: string, kind: SqliteFileType): void {
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
    const { code } = convertStorageErrorToBonafideError(error, file, kind);
    if (code === 'damaged_database' || code === 'foreign_database') return;
    if (code === 'database_busy' || getErrorCode(error).startsWith('SQLITE_BUSY'))
      throw new BonafideError(
        'database_busy',
        `The database ${file} is in use by another process. Stop the server, then run this command again.`,
      );
    throw convertStorageErrorToBonafideError(error, file, kind);
  }
}

const LOCK_WAIT_MS = 60_000;

/**
 * Runs `work` with an exclusive lock on the folder. Does nothing if the folder was removed during the wait for the lock. The operating system
 * releases the lock of a killed process. Errors: those of SQLite and of `work`.
 */
export function runWithLockIfFolderExists(folder: string, work: () => void): void {
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
