// File of the link cache (link.db): its tables, its recorded graph state, and how it is opened. The content is discarded if it does not match the
// graph.
import { rmSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { getErrorCode } from '../../platform/files.ts';
import {
  openSqliteFile,
  type Db,
  type SqliteFileType,
  preparePerConnection,
  WAL_CHECKPOINT_PAGES,
} from '../../platform/sqlite.ts';

/** File type of the link cache: application id "BFLK". */
export const LINK_CACHE_FILE_TYPE_DEFINITION: SqliteFileType = {
  applicationId: 0x42_46_4c_4b,
  name: 'link index',
  synchronous: 'NORMAL',
};

/** Version of the link cache file. Increase it when a table, the encoding of linking data, or a rule of linking changes. */
const LINK_CACHE_FILE_VERSION = 14;

const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- Facts of records, encrypted, because they contain a hash without a key. fact_page: by the first row of each page; fact: later changes.
CREATE TABLE fact_page (first INTEGER PRIMARY KEY, sealed BLOB NOT NULL);
CREATE TABLE fact (row INTEGER PRIMARY KEY, sealed BLOB NOT NULL);
-- Records that have a key, with their persons. block_page: by the first entry of each page; block: later changes.
CREATE TABLE block_page (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, person INTEGER NOT NULL, entries BLOB NOT NULL);
CREATE INDEX block_page_entry ON block_page (key, person);
CREATE TABLE block (key INTEGER NOT NULL, person INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (key, person, row)) WITHOUT ROWID;
CREATE TABLE tally (what INTEGER NOT NULL, key INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (what, key)) WITHOUT ROWID;
-- Recent changes, which go into block and tally step by step. since: the last step before the change. See recent-changes.ts.
CREATE TABLE young (row INTEGER PRIMARY KEY, since INTEGER NOT NULL);
CREATE TABLE young_count (id INTEGER PRIMARY KEY, since INTEGER NOT NULL, counts BLOB NOT NULL);
-- Pairs of rows, in both directions.
CREATE TABLE joined (a INTEGER NOT NULL, b INTEGER NOT NULL, bits REAL NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE measured (a INTEGER NOT NULL, b INTEGER NOT NULL, pattern INTEGER NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
-- Number of measured pairs of each comparison pattern.
CREATE TABLE pattern (pattern INTEGER PRIMARY KEY, pairs INTEGER NOT NULL);
-- Rows that changed since the last linking. identity: of removed rows.
CREATE TABLE pending (row INTEGER PRIMARY KEY, identity INTEGER);
-- Rows whose pairs must be weighed again.
CREATE TABLE due (row INTEGER PRIMARY KEY);
-- Keys that an identity was published with: twice the key, plus 1 for a primary value.
CREATE TABLE published (id INTEGER PRIMARY KEY, keys BLOB NOT NULL);
-- Retired identity numbers.
CREATE TABLE redirect (number INTEGER PRIMARY KEY, heir INTEGER);
CREATE INDEX redirect_heir ON redirect (heir);
`;

const TABLES = Array.from(SCHEMA.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name);

/**
 * Opens the link cache file. Replaces it by a new one if it is missing, damaged, or of another type or version. Errors: those of `openSqliteFile`.
 */
export function openLinkCacheDatabase(file: string): Db {
  try {
    return connectLinkCacheDatabase(file);
  } catch (error) {
    if (!isDamagedFileError(error)) throw error;
    removeLinkCacheFile(file);
    return connectLinkCacheDatabase(file);
  }
}

function connectLinkCacheDatabase(file: string): Db {
  const db = openSqliteFile(file, LINK_CACHE_FILE_TYPE_DEFINITION);
  try {
    db.pragma('cache_size = -65536');
    db.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    // Overwrites deleted data with zeros.
    db.pragma('secure_delete = ON');
    db.transaction(() => createTables(db)).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function createTables(db: Db): void {
  if (Number(db.pragma('user_version', { simple: true })) === LINK_CACHE_FILE_VERSION) return;
  for (const table of TABLES) db.exec(`DROP TABLE IF EXISTS ${table}`);
  db.exec(SCHEMA);
  db.pragma(`application_id = ${LINK_CACHE_FILE_TYPE_DEFINITION.applicationId}`);
  db.pragma(`user_version = ${LINK_CACHE_FILE_VERSION}`);
}

export function removeLinkCacheFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

export function clearLinkCacheTables(db: Db): void {
  for (const table of TABLES) db.exec(`DELETE FROM ${table}`);
}

/** True if an error means that a database file is damaged, or is not of the expected type. */
export const isDamagedFileError = (error: unknown): boolean =>
  error instanceof BonafideError && (error.code === 'damaged_database' || error.code === 'foreign_database');

/** Runs `work` on the link cache file. Returns undefined at once if another process has locked the file. */
export function runUnlessLinkCacheFileLocked<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!getErrorCode(error).startsWith('SQLITE_BUSY')) throw error;
    return undefined;
  }
}

/** Creates functions for a transaction, or for a savepoint if the connection already has a transaction. */
export function createNestedTransaction(db: Db) {
  let state: 'none' | 'transaction' | 'savepoint' = 'none';
  const end = (transactionSql: string, savepointSql: string) => {
    if (state !== 'none' && db.inTransaction)
      db.exec(state === 'transaction' ? transactionSql : savepointSql);
    state = 'none';
  };
  return {
    begin() {
      const isNested = db.inTransaction;
      db.exec(isNested ? 'SAVEPOINT piece' : 'BEGIN IMMEDIATE');
      state = isNested ? 'savepoint' : 'transaction';
    },
    commit: () => end('COMMIT', 'RELEASE piece'),
    /** Rolls back the changes since `begin`; does nothing before `begin`. */
    rollback: () => end('ROLLBACK', 'ROLLBACK TO piece; RELEASE piece'),
  };
}

export type LinkCacheMetadataName =
  | 'stamp'
  | 'revision'
  | 'linked_at'
  | 'builder'
  | 'globals'
  | 'totals'
  | 'fold';

const selectMeta = preparePerConnection((db) =>
  db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck(),
);
const putMeta = preparePerConnection((db) =>
  db.prepare<[string, string]>('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
);

/** Returns a text of the table `meta`; an empty text if it has none with this name. */
export function readLinkCacheMetadata(db: Db, name: LinkCacheMetadataName): string {
  return selectMeta(db).get(name) ?? '';
}

/** Returns a JSON value of the table `meta`; an empty object if it has none with this name. */
export function readLinkCacheMetadataJson(db: Db, name: LinkCacheMetadataName): unknown {
  return readOrThrowDamageError(() => JSON.parse(readLinkCacheMetadata(db, name) || '{}') as unknown);
}

export function writeLinkCacheMetadata(db: Db, name: LinkCacheMetadataName, value: string): void {
  putMeta(db).run(name, value);
}

/** State of a graph at one time. A link cache may be used only if it was built from the present state. */
export interface GraphState {
  /** Random text, which changes with every change of records or identities. Empty if unknown. */
  stamp: string;
  revision: string;
  linkedAt: string;
}

export function readLinkCacheGraphState(db: Db): GraphState {
  return {
    stamp: readLinkCacheMetadata(db, 'stamp'),
    revision: readLinkCacheMetadata(db, 'revision'),
    linkedAt: readLinkCacheMetadata(db, 'linked_at'),
  };
}

export function writeLinkCacheGraphState(db: Db, { stamp, revision, linkedAt }: GraphState): void {
  writeLinkCacheMetadata(db, 'stamp', stamp);
  writeLinkCacheMetadata(db, 'revision', revision);
  writeLinkCacheMetadata(db, 'linked_at', linkedAt);
}

export const isSameGraphState = (a: GraphState, b: GraphState): boolean =>
  a.stamp !== '' && a.stamp === b.stamp && a.revision === b.revision && a.linkedAt === b.linkedAt;

/** Runs `read` and returns its result. If it throws, throws the error for a damaged link cache instead. */
export function readOrThrowDamageError<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw createDamagedLinkCacheError();
  }
}

/** Creates the error for a damaged link cache, with SQLite's error code for a damaged page. */
export const createDamagedLinkCacheError = () =>
  Object.assign(new Error('the link cache cannot be read'), { code: 'SQLITE_CORRUPT' });

/** Decodes 64-bit floating-point numbers from bytes. Errors: that of `createDamagedLinkCacheError`. */
export const bytesToFloats = (bytes: Buffer | undefined): Float64Array =>
  readOrThrowDamageError(() => {
    const numbers = new Float64Array((bytes?.length ?? 0) / Float64Array.BYTES_PER_ELEMENT);
    if (bytes) Buffer.from(numbers.buffer).set(bytes);
    return numbers;
  });

export const bytesToNumbers = (bytes: Buffer | undefined): number[] => [...bytesToFloats(bytes)];

export const numbersToBytes = (numbers: ArrayLike<number>): Buffer =>
  Buffer.from(Float64Array.from(numbers).buffer);
