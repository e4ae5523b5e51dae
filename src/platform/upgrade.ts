// A database of an earlier version becomes one of this version: whole or not at all, with the earlier one kept beside it.
//
// It happens in one transaction on the file itself. A changed copy that takes the file's place by a rename would do as well, but for
// one hazard: a process that opened the old file before the rename writes its log under the new file's name.
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BonafideError } from '../errors.ts';
import { createPrivately, syncFile, syncFolder } from './files.ts';
import { needSpace } from './space.ts';
import { asSqliteError, connect, isStorageError } from './sqlite.ts';
import type { Db, FileKind } from './sqlite.ts';

export interface Upgrade {
  file: string;
  kind: FileKind;
  /** The version to bring it to. */
  version: number;
  /** Changes the tables, inside a transaction; may tell how far it is, from 0 to 1. */
  change(db: Db, tell: (done: number) => void): void;
  /** What must be the same before and after, such as counts. */
  unchanged(db: Db): unknown;
  /** Much of the file is free afterwards: it is made as small as what it holds. */
  shrinks?: boolean;
}

/** Room for the earlier file, for the journal of what changes, and for growing a little. */
const SPACE = 2.3;
const TELL_EVERY_MS = 5000;

/**
 * Upgrades a file; one that somebody else upgraded meanwhile is left as it is. The earlier file is `FILE.version-N` afterwards.
 * Errors: database_busy where another process has the file open, disk_full before anything is written, damaged_database where what
 * came of it is not whole (then nothing has changed), and what `change` throws.
 */
export function upgrade(wanted: Upgrade, say: (text: string) => void = sayOnStandardError): void {
  const { file, kind, version } = wanted;
  const tell = slowly(say, `upgrading ${basename(file)}`);
  try {
    const db = aloneOn(wanted);
    try {
      if (versionOf(db) < version) upgradeAlone(db, wanted, tell);
    } finally {
      db.close();
    }
  } catch (error) {
    throw isStorageError(error) ? asSqliteError(error, file, kind) : error;
  }
}

const versionOf = (db: Db) => Number(db.pragma('user_version', { simple: true }));

/** A connection that nobody else is connected beside, as long as it lives; a plain one where nothing is left to do. */
function aloneOn({ file, kind, version }: Upgrade): Db {
  const db = connect(file, kind);
  try {
    // Only the last connection of all can leave the write-ahead log.
    db.pragma('journal_mode = DELETE');
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('synchronous = FULL');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    return db;
  } catch (error) {
    const done = asSqliteError(error, file, kind).code === 'database_busy' && versionOf(db) >= version;
    if (done) return db;
    db.close();
    if (asSqliteError(error, file, kind).code !== 'database_busy') throw error;
    throw new BonafideError(
      'database_busy',
      `${file} is of an earlier version, and another process has it open: stop that one, so that it can be upgraded.`,
    );
  }
}

function upgradeAlone(db: Db, wanted: Upgrade, tell: (step: string, done?: number) => void): void {
  const { file, version, change, unchanged } = wanted;
  needSpace(dirname(file), SPACE * sizeOf(db), `Upgrading ${file}`);
  tell('keeping the earlier file');
  const kept = keepEarlier(db, file);
  try {
    db.transaction(() => {
      const before = JSON.stringify(unchanged(db));
      change(db, (done) => tell('changing', done));
      db.pragma(`user_version = ${version}`);
      tell('checking');
      const whole = db.pragma('quick_check(1)', { simple: true }) === 'ok';
      if (whole && JSON.stringify(unchanged(db)) === before) return;
      const text = `${file} would not be whole after its upgrade, so it was left as it is. Run bonafide doctor.`;
      throw new BonafideError('damaged_database', text);
    }).immediate();
  } catch (error) {
    rmSync(kept, { force: true });
    throw error;
  }
  if (wanted.shrinks) shrink(db, tell);
}

/** The file is whole without it, so a disk that is full is no reason to fail. */
function shrink(db: Db, tell: (step: string) => void): void {
  tell('making it smaller');
  try {
    db.exec('VACUUM');
  } catch (error) {
    if (!isStorageError(error)) throw error;
  }
}

const sizeOf = (db: Db) =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));

/** A copy of the file as it is, made by SQLite itself: to open the file beside a connection would let go its locks. */
function keepEarlier(db: Db, file: string): string {
  const kept = `${file}.version-${versionOf(db)}`;
  const partial = `${kept}.partial`;
  rmSync(partial, { force: true });
  createPrivately(partial);
  db.prepare('VACUUM INTO ?').run(partial);
  chmodSync(partial, 0o600);
  syncFile(partial);
  renameSync(partial, kept);
  syncFolder(dirname(file));
  return kept;
}

/** Says what is being done once it takes long, and every few seconds from then on. */
function slowly(say: (text: string) => void, what: string): (step: string, done?: number) => void {
  let said = performance.now();
  return (step, done) => {
    if (performance.now() - said < TELL_EVERY_MS) return;
    said = performance.now();
    say(`${what}: ${step}${done === undefined ? '' : ` ${Math.floor(done * 100)} %`}`);
  };
}

const sayOnStandardError = (text: string) => void process.stderr.write(`${text}\n`);
