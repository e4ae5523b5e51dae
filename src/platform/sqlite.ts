import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BonafideError, type ErrorCode } from '../errors.ts';
import { ensurePrivateFileExists, getErrorCode } from './files.ts';

export type Db = Database.Database;

/** Returns a function that calls `prepare` once per connection and caches the result, because preparing a statement is slow. */
export function preparePerConnection<T, Connection extends object = Db>(
  prepare: (db: Connection) => T,
): (db: Connection) => T {
  const prepared = new WeakMap<Connection, T>();
  return (db) => {
    let statements = prepared.get(db);
    if (statements === undefined) prepared.set(db, (statements = prepare(db)));
    return statements;
  };
}

/** Number of rows that one statement of `createRowWriter` inserts. */
const ROWS_PER_STATEMENT = 32;

export interface RowWriter {
  add(...values: unknown[]): void;
  /** Inserts the rows that were added but not written yet. Call it in the transaction of the last `add`. */
  end(): void;
}

/** Creates a writer that inserts several rows per statement, which takes less than half the time of single rows. */
export function createRowWriter(db: Db, table: string, columns: number): RowWriter {
  const row = `(${Array(columns).fill('?').join()})`;
  const prepareInsert = (rows: number) =>
    db.prepare(`INSERT INTO ${table} VALUES ${Array(rows).fill(row).join()}`);
  const [one, several] = [prepareInsert(1), prepareInsert(ROWS_PER_STATEMENT)];
  let values: unknown[] = [];
  return {
    add(...added) {
      for (const value of added) values.push(value);
      if (values.length < ROWS_PER_STATEMENT * columns) return;
      several.run(values);
      values = [];
    },
    end() {
      for (let at = 0; at < values.length; at += columns) one.run(values.slice(at, at + columns));
      values = [];
    },
  };
}

/** Number of pages in the write-ahead log at which SQLite moves them into the database file. */
export const WAL_CHECKPOINT_PAGES = 2000;

/** Moves the write-ahead logs that are more than half full into their database files. Call it while no caller waits. */
export function checkpointHalfFullWals(db: Db): void {
  for (const { name } of db.pragma('database_list') as { name: string }[]) {
    if (name === 'temp') continue;
    const [checkpoint] = db.pragma(`${name}.wal_checkpoint(NOOP)`) as { log: number; checkpointed: number }[];
    if (checkpoint && checkpoint.log - checkpoint.checkpointed > WAL_CHECKPOINT_PAGES / 2)
      db.pragma(`${name}.wal_checkpoint(PASSIVE)`);
  }
}

/** Properties of one kind of SQLite file. */
export interface SqliteFileType {
  /** SQLite `application_id`: four ASCII letters as a number. */
  applicationId: number;
  /** Name in error messages, such as `store` or `graph`. */
  name: string;
  /** FULL if committed data must survive a power cut; NORMAL if lost work can be repeated; OFF if all data may be lost. */
  synchronous: 'FULL' | 'NORMAL' | 'OFF';
  /** Page size of a new file in bytes. Default: that of SQLite. */
  pageSize?: number;
}

/** Oldest accepted SQLite version. Earlier versions may damage a database: sqlite.org/wal.html, "The WAL-Reset Bug". */
const MIN_SQLITE_VERSION = [3, 51, 3] as const;

/** Throws for an SQLite version that may damage databases. Errors: unsupported_sqlite. */
export function requireSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number);
  const at = MIN_SQLITE_VERSION.findIndex((wanted, i) => parts[i] !== wanted);
  if (at === -1 || (parts[at] ?? 0) > (MIN_SQLITE_VERSION[at] ?? 0)) return;
  throw new BonafideError(
    'unsupported_sqlite',
    `This is SQLite ${version}, which can damage databases. Install better-sqlite3 with SQLite ${MIN_SQLITE_VERSION.join('.')} or newer.`,
  );
}

let versionChecked = false;

function checkVersion(db: Db): void {
  if (versionChecked) return;
  requireSqliteVersion(String(db.prepare('SELECT sqlite_version()').pluck().get()));
  versionChecked = true;
}

/**
 * Opens an SQLite file, or creates it with mode 0600, and sets `busy_timeout`, WAL and foreign keys. `busyMs` is the longest wait for another
 * process that locks the file. Errors: read_only, disk_full, disk_failed, out_of_memory, database_busy, foreign_database, damaged_database,
 * unreadable_file, unsupported_sqlite.
 */
export function openSqliteFile(file: string, kind: SqliteFileType, busyMs = BUSY_MS): Db {
  let db: Db | undefined;
  try {
    // SQLite gives the write-ahead log the mode of the database file, so that this mode covers both.
    ensurePrivateFileExists(file);
    db = new Database(file);
    db.pragma(`busy_timeout = ${busyMs}`);
    checkVersion(db);
    requireOwnFile(db, file, kind);
    // Has no effect on a file that already has pages.
    if (kind.pageSize !== undefined) db.pragma(`page_size = ${kind.pageSize}`);
    enterWal(db, busyMs);
    db.pragma('foreign_keys = ON');
    db.pragma(`synchronous = ${kind.synchronous}`);
    return db;
  } catch (error) {
    db?.close();
    throw convertStorageErrorToBonafideError(error, file, kind);
  }
}

/** Opens an existing SQLite file for reading only. Errors: those of `openSqliteFile`. */
export function openSqliteFileReadOnly(file: string, kind: SqliteFileType): Db {
  let db: Db | undefined;
  try {
    // The option `readonly` would leave new log files behind.
    db = new Database(file, { fileMustExist: true });
    db.pragma('query_only = ON');
    db.pragma(`busy_timeout = ${BUSY_MS}`);
    checkVersion(db);
    requireOwnFile(db, file, kind);
    return db;
  } catch (error) {
    db?.close();
    throw convertStorageErrorToBonafideError(error, file, kind);
  }
}

/** Opens a private database in memory, which SQLite moves to an unnamed temporary file when it grows. */
export function openTemporaryDatabase(): Db {
  const db = new Database('');
  checkVersion(db);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  return db;
}

function requireOwnFile(db: Db, file: string, kind: SqliteFileType): void {
  // One transaction reads both, because another process may be creating the tables.
  const look = db.transaction(() => ({
    id: db.pragma('application_id', { simple: true }),
    tables: db.prepare('SELECT count(*) FROM sqlite_master').pluck().get(),
  }));
  const { id, tables } = look();
  if (id === kind.applicationId || (tables === 0 && id === 0)) return;
  throw foreignDatabaseError(file, kind);
}

/** Switches a database to WAL mode. Retries while another process creates the same file, because SQLite ignores `busy_timeout` here. */
function enterWal(db: Db, busyMs: number): void {
  for (let waited = 0; ; waited += RETRY_MS)
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (getErrorCode(error) !== 'SQLITE_BUSY' || waited >= busyMs) throw error;
      Atomics.wait(NOTHING, 0, 0, RETRY_MS);
    }
}

const BUSY_MS = 5000;
const RETRY_MS = 10;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

const foreignDatabaseError = (file: string, { name }: Pick<SqliteFileType, 'name'>) =>
  new BonafideError(
    'foreign_database',
    `${file} is not a Bonafide ${name}. Move it away, or choose another folder with --data-dir.`,
  );

/** Converts an error of SQLite or the file system to a BonafideError that names the file and says what to do. */
export function convertStorageErrorToBonafideError(
  error: unknown,
  file: string,
  kind: Pick<SqliteFileType, 'name'>,
): BonafideError {
  if (error instanceof BonafideError) return error;
  const code = getSqliteCode(error);
  if (code === 'SQLITE_NOTADB') return foreignDatabaseError(file, kind);
  const [cause, text] = findCause(UNOPENED.test(code) ? (findWriteProblem(dirname(file)) ?? code) : code) ?? [
    'internal_error' as const,
    `could not be used (${code || 'unknown reason'}).`,
  ];
  return new BonafideError(cause, `The file ${file} ${text}`, { cause: code });
}

const findCause = (code: string) => CAUSES.find(([pattern]) => pattern.test(code))?.[1];

/** Matches the error code of SQLite for a file that it cannot open, also because the folder is not writable. */
const UNOPENED = /^SQLITE_CANTOPEN/;

/** Returns the system's error code for an existing folder that is not writable; null if it is writable. */
function findWriteProblem(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    const code = getErrorCode(error);
    return code === 'ENOENT' ? null : code;
  }
}

/**
 * Returns the SQLite error code of an error. Damage to a header and lack of memory have no code of their own in SQLite, and are recognised by
 * the message.
 */
function getSqliteCode(error: unknown): string {
  const code = getErrorCode(error);
  if (code === 'SQLITE_ERROR' && BROKEN.test(String(error))) return 'SQLITE_CORRUPT';
  return code === '' && error instanceof Error && error.message === 'Out of memory' ? 'SQLITE_NOMEM' : code;
}

const BROKEN = /unsupported file format|malformed database|no such (?:table|column)/;

/** True if an error comes from SQLite or the file system. */
export function isStorageError(error: unknown): boolean {
  const code = getSqliteCode(error);
  return code.startsWith('SQLITE_') || CAUSES.some(([pattern]) => pattern.test(code));
}

/** Runs `work`, and converts its errors with `convertStorageErrorToBonafideError`. */
export function runWithConvertedSqliteErrors<T>(
  file: string,
  work: () => T,
  kind: Pick<SqliteFileType, 'name'>,
): T {
  try {
    return work();
  } catch (error) {
    throw isStorageError(error) ? convertStorageErrorToBonafideError(error, file, kind) : error;
  }
}

/** Yields the items of `open()`, and converts errors of SQLite with `convertStorageErrorToBonafideError`. */
export function* iterateWithSqliteErrors<T>(
  file: string,
  open: () => Iterable<T>,
  kind: Pick<SqliteFileType, 'name'>,
): Iterable<T> {
  const pages = open()[Symbol.iterator]();
  try {
    for (;;) {
      const next = runWithConvertedSqliteErrors(file, () => pages.next(), kind);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Frees the connection if the caller stops iterating early.
    pages.return?.();
  }
}

// EFBIG (file size limit) arrives as SQLITE_IOERR_WRITE, ENOSPC as SQLITE_FULL.
const CAUSES: [RegExp, [ErrorCode, string]][] = [
  [
    /^SQLITE_(?:CORRUPT|IOERR_(?:READ|SHORT_READ|CORRUPTFS|DATA))/,
    ['damaged_database', 'is damaged. Restore it from a backup, or move it away.'],
  ],
  [
    /^(SQLITE_FULL|SQLITE_IOERR_WRITE|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|EFBIG)/,
    ['disk_full', 'cannot be written: the disk is full. Free some space and try again.'],
  ],
  [
    /^(SQLITE_READONLY|SQLITE_PERM|EACCES|EROFS|EPERM)/,
    [
      'read_only',
      'cannot be written. Check its permissions and those of its folder, and that its disk is not mounted read-only.',
    ],
  ],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, ['database_busy', 'is locked by another process. Try again.']],
  [
    /^(SQLITE_NOMEM|SQLITE_IOERR_NOMEM|ENOMEM)/,
    ['out_of_memory', 'could not be used, because the memory is full. Free some memory and try again.'],
  ],
  [
    /^(SQLITE_CANTOPEN|ENOTDIR|EEXIST|EISDIR|ENOENT|ELOOP|ENAMETOOLONG)/,
    [
      'unreadable_file',
      'cannot be opened: it must be a file in an existing folder, on a disk with free space for its log. Check --data-dir and the disk.',
    ],
  ],
  [
    /^(SQLITE_IOERR|EIO)/,
    ['disk_failed', 'could not be read or written: its disk reports a failure. Check the disk.'],
  ],
];

/**
 * Creates and locks a file, until the lock is closed or the process ends; null if another process holds the lock. The file is removed with the lock.
 */
export function lockFile(file: string): { close(): void } | null {
  const lock = new Database(file, { timeout: 0 });
  if (!beginExclusive(lock) || !existsSync(file)) {
    lock.close();
    return null;
  }
  return {
    close() {
      try {
        rmSync(file, { force: true });
      } catch {
        // Windows does not remove an open file, so an empty file is left.
      }
      lock.close();
    },
  };
}

function beginExclusive(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
