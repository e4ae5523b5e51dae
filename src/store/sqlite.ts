import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BonafideError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

/** What a store says of itself in the file's header: the letters "BONS". */
export const APPLICATION_ID = 0x42_4f_4e_53;

/**
 * Opens (or makes, mode 0600) one SQLite file with the settings that every connection of the store needs:
 * `busy_timeout` before anything that may wait for another process, WAL, foreign keys, and synchronous=FULL so
 * that a commit that returned survives a power cut.
 * Throws BonafideError: read_only, disk_full, database_busy, foreign_database, damaged_database, unreadable_file.
 */
export function connect(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    createPrivately(file);
    db = new Database(file);
    db.pragma('busy_timeout = 5000');
    refuseForeign(db, file);
    db.pragma('journal_mode = WAL');
    db.pragma('foreign_keys = ON');
    db.pragma('synchronous = FULL');
    return db;
  } catch (error) {
    db?.close();
    throw asStoreError(error, file);
  }
}

/** SQLite gives the WAL beside a database the mode of the database itself, so this one chmod covers both. */
function createPrivately(file: string): void {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

// Not mkdir's own `recursive`: where a folder can never be made, as in /proc, Node 24 tries for ever.
function makeFolder(folder: string): void {
  const make = () => mkdirSync(folder, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    make();
  }
}

function refuseForeign(db: Database.Database, file: string): void {
  const id = db.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID) return;
  const tables = db.prepare('SELECT count(*) FROM sqlite_master').pluck().get();
  if (tables === 0 && id === 0) return;
  throw foreign(file);
}

const foreign = (file: string) =>
  new BonafideError(
    'foreign_database',
    `${file} is not a Bonafide store. Move it away, or choose another folder with --data-dir.`,
  );

/** Turns what SQLite or the file system threw into one BonafideError whose message names the file and the way out. */
export function asStoreError(error: unknown, file: string): BonafideError {
  if (error instanceof BonafideError) return error;
  const code = codeOf(error);
  if (code === 'SQLITE_NOTADB') return foreign(file);
  const [found, text] = CAUSES.find(([pattern]) => pattern.test(code))?.[1] ?? [
    'internal_error' as const,
    `could not be used (${code || 'unknown reason'}).`,
  ];
  return new BonafideError(found, `${file} ${text}`, { cause: code });
}

// EFBIG (a file size limit) reaches us as SQLITE_IOERR_WRITE, ENOSPC as SQLITE_FULL.
const CAUSES: [RegExp, [ErrorCode, string]][] = [
  [/^SQLITE_CORRUPT/, ['damaged_database', 'is damaged. Restore it from a backup, or move it away.']],
  [
    /^(SQLITE_FULL|SQLITE_IOERR_WRITE|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|EFBIG)/,
    ['disk_full', 'cannot grow: the disk is full. Free some space and try again.'],
  ],
  [
    /^(SQLITE_READONLY|SQLITE_PERM|EACCES|EROFS|EPERM)/,
    ['read_only', 'cannot be written. Check its permissions and those of its folder.'],
  ],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, ['database_busy', 'is held by another process. Try again.']],
  [
    /^(SQLITE_CANTOPEN|ENOTDIR|EEXIST|EISDIR|ENOENT|ELOOP|ENAMETOOLONG)/,
    ['unreadable_file', 'cannot be opened: its folder is missing, or is not a folder. Check --data-dir.'],
  ],
];

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
