// The file `limits.db`: what processes that serve one folder must agree on from call to call, and what may be lost. Every change is a
// transaction of its own, so it is exact; none waits for the disk.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { BonafideError } from '../../errors.ts';
import { asSqliteError, connect, type Db, type FileKind } from '../../platform/sqlite.ts';
import { unlocked } from '../../platform/threads/lock.ts';
import type { LimitStore } from '../serving/limiter.ts';

/** The letters "BONL". */
const LIMITS: FileKind = { applicationId: 0x42_4f_4e_4c, name: 'limits file', synchronous: 'OFF' };

export const limitsFile = (dataDir: string) => join(dataDir, 'limits.db');

/** The event loop stands still while it waits for another process, whose transaction takes microseconds. */
const WAIT_MS = 100;

const TABLES = `
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, full_at REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS work (
    fingerprint BLOB PRIMARY KEY, request BLOB NOT NULL, request_id TEXT NOT NULL, until INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS flights (
    key TEXT NOT NULL, process TEXT NOT NULL, calls INTEGER NOT NULL, PRIMARY KEY (key, process)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS processes (id TEXT PRIMARY KEY, seen INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS links (hash BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sessions (hash BLOB PRIMARY KEY, key TEXT, until INTEGER NOT NULL) WITHOUT ROWID`;

export interface LimitsFile extends LimitStore {
  /** Whether anything was ever changed by this process. */
  isOpen(): boolean;
  close(): void;
}

/**
 * The limits of a data folder. The file is opened, or made, when it is needed first. Threads of a process that share it work one after the
 * other by `alone`: SQLite sleeps for milliseconds where another one works for microseconds.
 */
export function openLimits(dataDir: string, alone = unlocked): LimitsFile {
  const file = limitsFile(dataDir);
  let db: Db | null = null;
  return {
    change(work) {
      try {
        return alone(() => {
          const own = (db ??= openWhole(file));
          return transactionOf(own).immediate(work, own) as ReturnType<typeof work>;
        });
      } catch (error) {
        if (error instanceof BonafideError) throw error;
        // The next one opens it anew: it may be whole, or another one, by then.
        db?.close();
        db = null;
        throw new BonafideError('store_unavailable', asSqliteError(error, file, LIMITS).message);
      }
    },
    isOpen: () => db !== null,
    close() {
      db?.close();
      db = null;
    },
  };
}

type Transaction = Database.Transaction<(work: (db: Db) => unknown, db: Db) => unknown>;
const TRANSACTIONS = new WeakMap<Db, Transaction>();

function transactionOf(db: Db): Transaction {
  const known = TRANSACTIONS.get(db);
  if (known) return known;
  const made = db.transaction((work: (db: Db) => unknown, db: Db) => work(db));
  TRANSACTIONS.set(db, made);
  return made;
}

/** Opens the file; one that is damaged is made anew, for nothing in it is missed: limits of minutes, and who is signed in. */
function openWhole(file: string): Db {
  try {
    return open(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    return open(file);
  }
}

function open(file: string): Db {
  const db = connect(file, LIMITS);
  try {
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new BonafideError('damaged_database', `${file} is damaged.`);
    db.transaction(() => {
      db.exec(TABLES);
      db.pragma(`application_id = ${LIMITS.applicationId}`);
    }).immediate();
    db.pragma(`busy_timeout = ${WAIT_MS}`);
    return db;
  } catch (error) {
    db.close();
    throw asSqliteError(error, file, LIMITS);
  }
}

const isDamage = (error: unknown) =>
  error instanceof BonafideError && ['damaged_database', 'foreign_database'].includes(error.code);
