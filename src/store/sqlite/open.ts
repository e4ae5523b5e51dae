import { statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { BonafideError } from '../../errors.ts';
import { STORE_MIGRATIONS } from '../../platform/assets.ts';
import * as schema from './schema.ts';
import { isStorageError } from '../../platform/sqlite.ts';
import { APPLICATION_ID, asStoreError, connect } from './connect.ts';

export interface Store {
  file: string;
  /** For everything an operator does. */
  db: BetterSQLite3Database<typeof schema>;
  /** For prepared statements on the path of a check. */
  raw: Database.Database;
  /** Runs what reads on the path of a call. Errors: what SQLite throws, in our codes; database_busy at once for a while after it was. */
  read<T>(work: () => T): T;
  close(): void;
}

/** Where the store of a data folder is. */
export const storeFile = (dataDir: string) => join(dataDir, 'store.db');

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
export function openStore({ file, waitMs = 5000 }: StoreOptions): Store {
  const raw = connect(file);
  try {
    migrate(raw, file);
    raw.pragma(`busy_timeout = ${waitMs}`);
    if (statSync(file).size <= QUICK_CHECK_LIMIT) quickCheck(raw, file);
  } catch (error) {
    raw.close();
    throw asStoreError(error, file);
  }
  return { file, raw, db: drizzle(raw, { schema }), read: reader(file), close: () => raw.close() };
}

/** Each look at a locked file holds up the event loop, so for a while after one nobody else looks. */
const BUSY_PAUSE_MS = 1000;

function reader(file: string): Store['read'] {
  let busyUntil = 0;
  return (work) => {
    if (performance.now() < busyUntil)
      throw new BonafideError('database_busy', `${file} is held by another process. Try again.`);
    try {
      return work();
    } catch (thrown) {
      if (!isStorageError(thrown)) throw thrown;
      const error = asStoreError(thrown, file);
      if (error.code === 'database_busy') busyUntil = performance.now() + BUSY_PAUSE_MS;
      throw error;
    }
  };
}

/**
 * Applies the committed drizzle-kit migrations that the file has not seen. `user_version` counts them, and it is
 * read again inside the write transaction, so two processes that start together apply each once.
 */
function migrate(raw: Database.Database, file: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: STORE_MIGRATIONS });
  const version = () => Number(raw.pragma('user_version', { simple: true }));
  if (version() > migrations.length) {
    throw new BonafideError(
      'newer_database',
      `${file} was written by a newer Bonafide. Run that version, or choose another folder with --data-dir.`,
    );
  }
  if (version() === migrations.length) return;
  raw
    .transaction(() => {
      for (const migration of migrations.slice(version())) for (const sql of migration.sql) raw.exec(sql);
      raw.pragma(`user_version = ${migrations.length}`);
      raw.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
}

function quickCheck(raw: Database.Database, file: string): void {
  if (raw.pragma('quick_check(1)', { simple: true }) === 'ok') return;
  throw new BonafideError(
    'damaged_database',
    `${file} is damaged. Restore it from a backup, or move it away.`,
  );
}
