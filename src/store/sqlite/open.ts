import { statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { drizzle } from '../drizzle.ts';
import { BonafideError } from '../../errors.ts';
import * as schema from '../schema.ts';
import { isStorageError } from '../../platform/sqlite.ts';
import type { Store } from '../store.ts';
import { asStoreError, connect } from './connect.ts';
import { makeTables, upgradeStore, isEarlier } from './migrate.ts';

/** A store in a file. */
export interface SqliteStore extends Store {
  file: string;
  raw: Database.Database;
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
export function openStore({ file, waitMs = 5000 }: StoreOptions): SqliteStore {
  let raw = connect(file);
  try {
    if (isEarlier(raw, file)) {
      // An upgrade has the file to itself.
      raw.close();
      upgradeStore(file);
      raw = connect(file);
    }
    makeTables(raw);
    raw.pragma(`busy_timeout = ${waitMs}`);
    if (statSync(file).size <= QUICK_CHECK_LIMIT) quickCheck(raw, file);
  } catch (error) {
    raw.close();
    throw asStoreError(error, file);
  }
  const last = raw.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").pluck();
  return {
    file,
    raw,
    db: drizzle(raw, { schema }),
    ...reader(file),
    lastAct: () => last.get() ?? 0,
    trouble: (error) => (isStorageError(error) ? asStoreError(error, file) : error),
    close: () => raw.close(),
  };
}

/** Each look at a locked file holds up the event loop, so for a while after one nobody else looks. */
const BUSY_PAUSE_MS = 1000;

const UNHEALTHY_MS = 5000;

function reader(file: string): Pick<Store, 'read' | 'healthy'> {
  let [busyUntil, failedAt] = [0, -Infinity];
  return {
    healthy: () => performance.now() - failedAt > UNHEALTHY_MS,
    read(work) {
      if (performance.now() < busyUntil)
        throw new BonafideError('database_busy', `${file} is held by another process. Try again.`);
      try {
        return work();
      } catch (thrown) {
        if (!isStorageError(thrown)) throw thrown;
        failedAt = performance.now();
        const error = asStoreError(thrown, file);
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
