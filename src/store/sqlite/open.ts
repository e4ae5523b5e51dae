import { statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { drizzle, readMigrationFiles } from '../drizzle.ts';
import { BonafideError } from '../../errors.ts';
import * as schema from '../schema.ts';
import { isStorageError } from '../../platform/sqlite.ts';
import { connectSqliteStore, STORE_FILE_KIND, toSqliteStoreError } from './connect.ts';
import type { Store } from '../store.ts';
import { STORE_MIGRATIONS } from '../../platform/assets.ts';
import { upgrade } from '../../platform/upgrade.ts';

/** A store in a file. */
export interface SqliteStore extends Store {
  file: string;
  raw: Database.Database;
}

/** Where the store of a data folder is. */
export const getStoreFile = (dataDir: string) => join(dataDir, 'store.db');

/** A whole check of a file this small costs some tens of milliseconds; a larger one shows damage when it is read. */
const QUICK_CHECK_LIMIT = 32 * 1024 * 1024;

export interface StoreOptions {
  file: string;
  /** How long to wait for another process that holds the file, in milliseconds: whoever serves cannot wait for long. */
  waitMs?: number;
}

/**
 * Opens the store, brings its tables up to date and makes sure that it is ours and whole.
 *
 * Errors: those of `connect`, and newer_database where a later Bonafide wrote the file.
 */
export function openSqliteStore({ file, waitMs = 5000 }: StoreOptions): SqliteStore {
  let raw = connectSqliteStore(file);
  try {
    if (isEarlier(raw, file)) {
      // An upgrade has the file to itself.
      raw.close();
      upgradeStore(file);
      raw = connectSqliteStore(file);
    }
    makeTables(raw);
    raw.pragma(`busy_timeout = ${waitMs}`);
    if (statSync(file).size <= QUICK_CHECK_LIMIT) quickCheck(raw, file);
  } catch (error) {
    raw.close();
    throw toSqliteStoreError(error, file);
  }
  const last = raw.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").pluck();
  return {
    file,
    raw,
    db: drizzle(raw, { schema }),
    ...reader(file),
    getLastAuditSeq: () => last.get() ?? 0,
    toStoreError: (error) => (isStorageError(error) ? toSqliteStoreError(error, file) : error),
    close: () => raw.close(),
  };
}

/** Each look at a locked file holds up the event loop, so for a while after one nobody else looks. */
const BUSY_PAUSE_MS = 1000;

const UNHEALTHY_MS = 5000;

function reader(file: string): Pick<Store, 'read' | 'isHealthy'> {
  let [busyUntil, failedAt] = [0, -Infinity];
  return {
    isHealthy: () => performance.now() - failedAt > UNHEALTHY_MS,
    read(work) {
      if (performance.now() < busyUntil)
        throw new BonafideError('database_busy', `${file} is held by another process. Try again.`);
      try {
        return work();
      } catch (thrown) {
        if (!isStorageError(thrown)) throw thrown;
        failedAt = performance.now();
        const error = toSqliteStoreError(thrown, file);
        if (error.code === 'database_busy') busyUntil = failedAt + BUSY_PAUSE_MS;
        throw error;
      }
    },
  };
}

function quickCheck(raw: Database.Database, file: string): void {
  if (raw.pragma('quick_check(1)', { simple: true }) === 'ok') return;
  throw new BonafideError(
    'damaged_database',
    `${file} is damaged. Restore it from a backup, or move it away.`,
  );
}

// Applies the migrations that drizzle-kit wrote; `user_version` counts how many of them a file has seen.
const migrations = () => readMigrationFiles({ migrationsFolder: STORE_MIGRATIONS });
const versionOf = (raw: Database.Database) => Number(raw.pragma('user_version', { simple: true }));

/** The version of the files that this program writes. */
export const getStoreVersion = () => migrations().length;

/** Is a file of an earlier version, and not empty? Errors: newer_database. */
function isEarlier(raw: Database.Database, file: string): boolean {
  const [version, known] = [versionOf(raw), migrations().length];
  if (version <= known) return version > 0 && version < known;
  throw new BonafideError(
    'newer_database',
    `${file} was written by a newer Bonafide. Run that version, or choose another folder with --data-dir.`,
  );
}

/** Makes the tables of an empty file. The version is read again inside the transaction, so of two processes that start together one does. */
function makeTables(raw: Database.Database): void {
  if (versionOf(raw) > 0) return;
  const make = () => {
    if (versionOf(raw) > 0) return;
    applyFrom(raw, 0);
    raw.pragma(`user_version = ${migrations().length}`);
    raw.pragma(`application_id = ${STORE_FILE_KIND.applicationId}`);
  };
  raw.transaction(make).immediate();
}

function applyFrom(raw: Database.Database, version: number): void {
  for (const migration of migrations().slice(version)) for (const sql of migration.sql) raw.exec(sql);
}

/** Brings a file of an earlier version up to date, and keeps it beside. Errors: those of `upgrade`. */
function upgradeStore(file: string): void {
  const counts = ['keys', 'usage', 'calls'].map((table) => `(SELECT count(*) FROM ${table})`);
  upgrade({
    file,
    kind: STORE_FILE_KIND,
    version: migrations().length,
    unchanged: (db) => db.prepare(`SELECT ${counts.join()}`).get(),
    change: (db) => applyFrom(db, versionOf(db)),
  });
}
