// The file that remembers what linking found: beside the graph, made from it, and thrown away wherever it does not fit it.
import { rmSync } from 'node:fs';
import { errorCode } from '../../platform/files.ts';
import { connect, type Db, type FileKind, onceFor, LOG_PAGES } from '../../platform/sqlite.ts';
import { BonafideError } from '../../errors.ts';

/** What linking remembers: the letters "BFLK". */
export const LINK_FILE_KIND: FileKind = {
  applicationId: 0x42_46_4c_4b,
  name: 'link index',
  synchronous: 'NORMAL',
};

/** Another one wherever a table, the bytes of facts, or a rule of linking changes. */
export const LINK_FILE_FORMAT = 11;

export const LINK_TABLES = [
  'fact_page',
  'fact',
  'block_page',
  'block',
  'tally',
  'young',
  'young_count',
  'joined',
  'measured',
  'pattern',
  'pending',
  'due',
  'published',
  'redirect',
];

const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- What is known of records, encrypted: the digest that orders records is not keyed. In pages, by the first row that each had; and what came since.
CREATE TABLE fact_page (first INTEGER PRIMARY KEY, sealed BLOB NOT NULL);
CREATE TABLE fact (row INTEGER PRIMARY KEY, sealed BLOB NOT NULL);
-- Who is behind a key, and whom it may be by name: in pages, by the first entry of each; and who came since.
CREATE TABLE block_page (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, person INTEGER NOT NULL, entries BLOB NOT NULL);
CREATE INDEX block_page_entry ON block_page (key, person);
CREATE TABLE block (key INTEGER NOT NULL, person INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (key, person, row)) WITHOUT ROWID;
CREATE TABLE tally (what INTEGER NOT NULL, key INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (what, key)) WITHOUT ROWID;
-- Records that came last: what is found by them goes into 'block' and 'tally' step by step; since: the step before they came. See young.ts.
CREATE TABLE young (row INTEGER PRIMARY KEY, since INTEGER NOT NULL);
CREATE TABLE young_count (id INTEGER PRIMARY KEY, since INTEGER NOT NULL, counts BLOB NOT NULL);
-- Both ways round.
CREATE TABLE joined (a INTEGER NOT NULL, b INTEGER NOT NULL, bits REAL NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE measured (a INTEGER NOT NULL, b INTEGER NOT NULL, pattern INTEGER NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
-- How many pairs there are of each.
CREATE TABLE pattern (pattern INTEGER PRIMARY KEY, pairs INTEGER NOT NULL);
-- What was put, or taken out: then with the identity that it had.
CREATE TABLE pending (row INTEGER PRIMARY KEY, identity INTEGER);
-- Whose pairs are to be weighed again.
CREATE TABLE due (row INTEGER PRIMARY KEY);
-- Which keys an identity was published with: twice the key, plus 1 where the value is its primary one.
CREATE TABLE published (id INTEGER PRIMARY KEY, keys BLOB NOT NULL);
-- Numbers that lead elsewhere.
CREATE TABLE redirect (number INTEGER PRIMARY KEY, heir INTEGER);
CREATE INDEX redirect_heir ON redirect (heir);
`;

/** Opens the file, and makes it anew where it is not there, damaged, somebody else's or of another format. Errors: those of `connect`. */
export function openLinkFile(file: string): Db {
  try {
    return opened(file);
  } catch (error) {
    const code = error instanceof BonafideError ? error.code : '';
    if (code !== 'damaged_database' && code !== 'foreign_database') throw error;
    removeLinkFile(file);
    return opened(file);
  }
}

function opened(file: string): Db {
  const db = connect(file, LINK_FILE_KIND);
  try {
    db.pragma('cache_size = -65536');
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    // What is taken out is overwritten.
    db.pragma('secure_delete = ON');
    db.transaction(() => prepare(db)).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: Db): void {
  if (Number(db.pragma('user_version', { simple: true })) === LINK_FILE_FORMAT) return;
  for (const table of ['meta', ...LINK_TABLES]) db.exec(`DROP TABLE IF EXISTS ${table}`);
  db.exec(SCHEMA);
  db.pragma(`application_id = ${LINK_FILE_KIND.applicationId}`);
  db.pragma(`user_version = ${LINK_FILE_FORMAT}`);
}

export function removeLinkFile(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

/**
 * Runs work that another process may keep from the file; undefined where it does. Nobody waits for what can be made again: who comes
 * second links all records anew.
 */
export function runUnlessBusy<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_BUSY')) throw error;
    return undefined;
  }
}

/** A transaction, or a part of the one that is under way; see `hold` of `LinkFile`. */
export interface NestedTransaction {
  begin(): void;
  commit(): void;
  /** Nothing where none is begun. */
  rollback(): void;
}

export function createNestedTransaction(db: Db): NestedTransaction {
  let state: 'none' | 'whole' | 'part' = 'none';
  const end = (whole: string, part: string) => {
    if (state !== 'none' && db.inTransaction) db.exec(state === 'whole' ? whole : part);
    state = 'none';
  };
  return {
    begin() {
      const isPart = db.inTransaction;
      db.exec(isPart ? 'SAVEPOINT piece' : 'BEGIN IMMEDIATE');
      state = isPart ? 'part' : 'whole';
    },
    commit: () => end('COMMIT', 'RELEASE piece'),
    rollback: () => end('ROLLBACK', 'ROLLBACK TO piece; RELEASE piece'),
  };
}

export type LinkMetaName = 'stamp' | 'revision' | 'linked_at' | 'builder' | 'globals' | 'totals' | 'fold';

export function readLinkMeta(db: Db, name: LinkMetaName): string {
  return getMeta(db).get(name) ?? '';
}

/** What is kept as JSON; an empty object where nothing is. */
export function readLinkMetaJson(db: Db, name: LinkMetaName): unknown {
  return readOrReportDamage(() => JSON.parse(readLinkMeta(db, name) || '{}') as unknown);
}

/** What is sealed or written as text is damaged where it cannot be read, as SQLite says of its own pages. */
export function readOrReportDamage<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw damageError();
  }
}

/** As SQLite tells it of its own pages. */
export const damageError = () =>
  Object.assign(new Error('what linking remembers cannot be read'), { code: 'SQLITE_CORRUPT' });

/** The numbers that bytes are. */
export const toNumbers = (bytes: Buffer | undefined): number[] =>
  readOrReportDamage(() => {
    const numbers = new Float64Array((bytes?.length ?? 0) / 8);
    if (bytes) Buffer.from(numbers.buffer).set(bytes);
    return [...numbers];
  });

export function writeLinkMeta(db: Db, name: LinkMetaName, value: string): void {
  putMeta(db).run(name, value);
}

const getMeta = onceFor((db) =>
  db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck(),
);
const putMeta = onceFor((db) => db.prepare<[string, string]>('INSERT OR REPLACE INTO meta VALUES (?, ?)'));

/** Which state of the graph something is of. */
export interface GraphState {
  /** Random: another one after every change of records or identities. */
  stamp: string;
  revision: string;
  linkedAt: string;
}

export function readGraphState(db: Db): GraphState {
  return {
    stamp: readLinkMeta(db, 'stamp'),
    revision: readLinkMeta(db, 'revision'),
    linkedAt: readLinkMeta(db, 'linked_at'),
  };
}

export function writeGraphState(db: Db, { stamp, revision, linkedAt }: GraphState): void {
  writeLinkMeta(db, 'stamp', stamp);
  writeLinkMeta(db, 'revision', revision);
  writeLinkMeta(db, 'linked_at', linkedAt);
}

export function isSameGraphState(one: GraphState, two: GraphState): boolean {
  return (
    one.stamp !== '' &&
    one.stamp === two.stamp &&
    one.revision === two.revision &&
    one.linkedAt === two.linkedAt
  );
}
