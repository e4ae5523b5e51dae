import Database from 'better-sqlite3';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { Vault } from '../vault.ts';

export type Db = Database.Database;

/** "BFGR" in ASCII: tells a graph file from any other SQLite file. */
const APPLICATION_ID = 0x42464752;
const VERSION = 1;

const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- One row a record that was imported. key: fingerprint of source and record id; ref: of the record id alone; sealed: names, dates, ids and fingerprints, encrypted (see records.ts).
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  ref INTEGER NOT NULL,
  identity INTEGER,
  sealed BLOB NOT NULL
);
CREATE INDEX record_ref ON record (ref);
CREATE INDEX record_identity ON record (identity);
-- One row an identity. merged_into: the lower number that proved to be the same person.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  merged_into INTEGER,
  first_seen INTEGER,
  last_seen INTEGER,
  records INTEGER NOT NULL,
  sources INTEGER NOT NULL,
  names BLOB,
  sketches BLOB
);
-- key: fingerprint of a form. id 0 carries in meta how many identities share the key, where more than one does;
-- otherwise meta is 1 for an identity's primary value and 0 for another.
CREATE TABLE posting (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
`;

export interface DatabaseOptions {
  file: string;
  vault: Vault;
  /** Make the file where there is none. */
  create: boolean;
}

/**
 * Opens the graph file, makes it where it is missing, and checks that it is ours and that the secret is its own.
 * Errors: `foreign_database`, `damaged_database`, `newer_database`, `wrong_secret`, `read_only`, `disk_full`, `database_busy`.
 */
export function openDatabase({ file, vault, create }: DatabaseOptions): Db {
  return translated(file, () => {
    if (!existsSync(file) && !create)
      throw new BonafideError('graph_unavailable', `There is no graph at ${file}: import records first.`);
    mkdirSync(dirname(file), { recursive: true });
    const db = new Database(file);
    try {
      // First of all, so that two processes that open at once wait for each other instead of failing.
      db.pragma('busy_timeout = 5000');
      prepareFile(db, file, vault);
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
      db.pragma('mmap_size = 8589934592');
      db.pragma('cache_size = -65536');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function prepareFile(db: Db, file: string, vault: Vault): void {
  const check = vault.key('check', 'bonafide graph').toString();
  const id = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  if (id === 0 && version === 0 && db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0) {
    db.transaction(() => {
      if (db.pragma('application_id', { simple: true }) !== 0) return;
      db.exec(SCHEMA);
      db.prepare(
        "INSERT INTO meta VALUES ('secret_check', ?), ('revision', '0'), ('linked_revision', '0')",
      ).run(check);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${VERSION}`);
    }).immediate();
  } else if (id !== APPLICATION_ID) {
    throw new BonafideError(
      'foreign_database',
      `${file} is a database of another program, not a Bonafide graph: move it away.`,
    );
  } else if (version > VERSION) {
    throw new BonafideError(
      'newer_database',
      `${file} was made by a newer Bonafide: update this one to read it.`,
    );
  }
  if (readMeta(db, 'secret_check') !== check)
    throw new BonafideError(
      'wrong_secret',
      `The secret does not belong to ${file}: put back the file "secret" (or BONAFIDE_SECRET) that the graph was made with.`,
    );
}

export function readMeta(db: Db, name: string): string | null {
  return (
    (db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(name) as string | undefined) ?? null
  );
}

export function writeMeta(db: Db, name: string, value: string): void {
  db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(
    name,
    value,
  );
}

/** Runs `work`, and gives SQLite's own errors a code and one clear sentence. */
export function translated<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(file, error);
  }
}

function translate(file: string, error: unknown): unknown {
  const code = (error as { code?: string }).code ?? '';
  const say = (as: ConstructorParameters<typeof BonafideError>[0], text: string) =>
    new BonafideError(as, text);
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC')
    return say(
      'disk_full',
      `The disk that holds ${file} is full: free some space and run this again; nothing half-done is kept.`,
    );
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    ['EROFS', 'EACCES', 'ENOTDIR', 'EEXIST', 'EPERM'].includes(code)
  )
    return say(
      'read_only',
      `Cannot open ${file} for writing: check the folder's permissions or choose another with --data-dir.`,
    );
  // A damaged header or schema comes as a plain SQLITE_ERROR.
  const broken = code === 'SQLITE_ERROR' && /unsupported file format|no such (?:table|column)/.test(String(error));
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT') || broken)
    return say(
      'damaged_database',
      `${file} is damaged or not a database: restore it from a copy, or delete it and import again.`,
    );
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return say(
      'database_busy',
      `${file} is in use by another import: wait for it to end and run this again.`,
    );
  if (code.startsWith('SQLITE_IOERR'))
    return say(
      'disk_full',
      `The disk that holds ${file} could not be written (full, or failing): nothing half-done is kept.`,
    );
  return error;
}
