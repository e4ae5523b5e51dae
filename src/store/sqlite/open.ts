// Opens `store.db`: applies its migrations and checks that the file is not damaged.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { BonafideError } from '../../errors.ts';
import { STORE_MIGRATIONS_FOLDER } from '../../platform/assets.ts';
import { isStorageError } from '../../platform/sqlite.ts';
import { drizzle, readMigrationFiles } from '../drizzle.ts';
import type { Store } from '../store.ts';
import { connectSqliteStore, STORE_FILE_TYPE_DEFINITION, toSqliteStoreError } from './connect.ts';

export interface SqliteStore extends Store {
  file: string;
  raw: Database.Database;
}

export const getStoreFile = (dataDir: string) => join(dataDir, 'store.db');

/** Maximum size in bytes of a file that is checked for damage when it is opened. In a larger file, damage is found when the damaged part is read. */
const QUICK_CHECK_LIMIT = 32 * 1024 * 1024;

export interface SqliteStoreOptions {
  file: string;
  /** Maximum wait (ms) for another process that has locked the file. Servers need a short wait. */
  waitMs?: number;
}

/**
 * Opens a store file, creates or migrates its tables, and checks the file for damage. Errors: those of `openSqliteFile`; newer_database;
 * foreign_database for a version that this program cannot migrate.
 */
export function openSqliteStore({ file, waitMs = 5000 }: SqliteStoreOptions): SqliteStore {
  const raw = connectSqliteStore(file);
  try {
    migrate(raw, file);
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
    db: drizzle(raw),
    ...createReader(file),
    getLastAuditSeq: () => last.get() ?? 0,
    toStoreError: (error) => (isStorageError(error) ? toSqliteStoreError(error, file) : error),
    close: () => raw.close(),
  };
}

/** Time (ms) after a failed read of a locked file in which further reads fail at once, because each attempt blocks the event loop. */
const BUSY_PAUSE_MS = 1000;

const UNHEALTHY_MS = 5000;

function createReader(file: string): Pick<Store, 'read' | 'isHealthy'> {
  let [busyUntil, failedAt] = [0, -Infinity];
  return {
    isHealthy: () => performance.now() - failedAt > UNHEALTHY_MS,
    read(work) {
      if (performance.now() < busyUntil)
        throw new BonafideError('database_busy', `${file} is locked by another process. Try again.`);
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

/** Version of a file with only the first migration. Versions 1 to 3 were never released. */
const FIRST_VERSION = 4;

const readMigrations = () => readMigrationFiles({ migrationsFolder: STORE_MIGRATIONS_FOLDER });
const readVersion = (raw: Database.Database) => Number(raw.pragma('user_version', { simple: true }));

/** Returns the version of store files that this program writes. Each migration increases it by one. */
export const getSupportedStoreVersion = () => FIRST_VERSION - 1 + readMigrations().length;

/** Returns the SQL statements that create a store of a version; null for a version that this program does not know. */
export function listStoreSchemaStatements(version: number): string[] | null {
  const migrations = readMigrations();
  const applied = version - FIRST_VERSION + 1;
  if (applied < 1 || applied > migrations.length) return null;
  return migrations.slice(0, applied).flatMap(({ sql }) => sql);
}

/**
 * Applies the missing migrations to a file in one transaction. Reads the version inside it, so that only one of two processes migrates. Errors:
 * newer_database, foreign_database, damaged_database.
 */
function migrate(raw: Database.Database, file: string): void {
  const currentVersion = getSupportedStoreVersion();
  // Read before the version: another process may create the tables in between.
  const isNew = raw.pragma('application_id', { simple: true }) === 0;
  const version = readVersion(raw);
  if (version > currentVersion)
    throw new BonafideError(
      'newer_database',
      `${file} was written by a newer Bonafide. Run that version, or choose another folder with --data-dir.`,
    );
  if (!isNew && version <= 0)
    throw new BonafideError(
      'damaged_database',
      `${file} is damaged: its version is ${version}, which no Bonafide writes. Restore it from a backup, or move it away.`,
    );
  if (!isNew && version < FIRST_VERSION)
    throw new BonafideError(
      'foreign_database',
      `${file} was made by an older Bonafide (version ${version}; this one reads version ${currentVersion}). Move it away, or restore a backup.`,
    );
  if (version === currentVersion) return;
  const apply = () => {
    const applied = Math.max(0, readVersion(raw) - FIRST_VERSION + 1);
    for (const migration of readMigrations().slice(applied)) for (const sql of migration.sql) raw.exec(sql);
    raw.pragma(`user_version = ${currentVersion}`);
    raw.pragma(`application_id = ${STORE_FILE_TYPE_DEFINITION.applicationId}`);
  };
  raw.transaction(apply).immediate();
}
