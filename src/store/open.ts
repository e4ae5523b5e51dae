// Opens the configured store, in either engine, for blocking work.
import { statSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import { createByteSearch, doesFileContain } from '../platform/byte-search.ts';
import { readTextFile } from '../platform/files.ts';
import { findPostgresAddressProblem, POSTGRES_ADDRESS_DESCRIPTION } from '../platform/postgres/address.ts';
import {
  replaceSharedSecretCheckValue,
  openPostgresStore,
  claimOrRequireSharedSecret,
  type StoreSecretCheckValue,
} from './postgres/open.ts';
import { createConsoleSessionStorage, type ConsoleSessionStorage } from './serving/sessions.ts';
import { openLimitsDatabase } from './sqlite/limits.ts';
import { getStoreFile, openSqliteStore } from './sqlite/open.ts';
import type { SqlConnection, Store, StoreLocation } from './store.ts';

export interface StoreSettings {
  dataDir: string;
  store?: { url?: string | undefined; urlFile?: string | undefined } | undefined;
}

/** Returns the location of the store. Errors: invalid_config if the file that contains the address is empty or unreadable. */
export function getStoreLocation({ dataDir, store }: StoreSettings): StoreLocation {
  if (!store) return { file: getStoreFile(dataDir) };
  return { url: store.url ?? readAddress(store.urlFile ?? '') };
}

function readAddress(file: string): string {
  const line = readFirstLine(file).trim();
  const problem = findPostgresAddressProblem(line);
  if (problem === null) return line;
  throw new BonafideError(
    'invalid_config',
    `The first line of store.urlFile is not ${POSTGRES_ADDRESS_DESCRIPTION}: ${problem}.`,
  );
}

function readFirstLine(file: string): string {
  try {
    return readTextFile(file).split('\n', 1)[0] ?? '';
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    throw new BonafideError(
      'invalid_config',
      'The file in store.urlFile cannot be read. Check its path and permissions.',
    );
  }
}

/** Name of the counter that is in a store while bytes of deleted rows may remain in its files. */
const PENDING_ERASURE = 'erasure';

/** True if bytes of deleted rows may remain in the files of a store, because no `eraseDeletedRows` has removed them yet. */
const isErasurePending = (raw: SqlConnection): boolean =>
  raw.prepare('SELECT 1 FROM counters WHERE name = ?').get(PENDING_ERASURE) !== undefined;

/**
 * Stores that rows are about to be deleted whose bytes `eraseDeletedRows` must remove, so that a killed process is completed by the next one.
 * Returns false if such an erasure was pending already.
 */
export const markErasurePending = ({ raw }: Pick<Store, 'raw'>): boolean =>
  raw.prepare('INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT DO NOTHING').run(PENDING_ERASURE)
    .changes > 0;

/** Maximum size in bytes of a store file that is rewritten without being asked to: other writers wait meanwhile, and the server waits only 5 s. */
const MAX_REWRITTEN_BYTES = 256 * 1024 * 1024;

export interface DeletedRowsErasure {
  /** The deleted values, encrypted as they were stored; null if they are unknown, because an earlier process deleted them. */
  sealed: readonly Buffer[] | null;
  /** True to rewrite a file of any size, and to throw if it cannot be rewritten. */
  force?: boolean;
}

/**
 * Removes the bytes of deleted watches, their events, and job lines from the files of a store, if an erasure is pending. Without it, they would stay in
 * the log of SQLite and in the tables of PostgreSQL. Returns false if some may remain; the erasure then stays pending. Call it while this process
 * has no transaction open, not even on another connection: PostgreSQL keeps deleted rows that a transaction may still read. Errors: those of the
 * engine.
 */
export function eraseDeletedRows(
  { raw }: Pick<Store, 'raw'>,
  location: StoreLocation,
  erasure: DeletedRowsErasure,
): boolean {
  const isErased =
    'file' in location ? eraseInFile(raw, location.file, erasure) : eraseInTables(raw, erasure);
  if (isErased) raw.prepare('DELETE FROM counters WHERE name = ?').run(PENDING_ERASURE);
  return isErased;
}

function eraseInFile(
  raw: SqlConnection,
  file: string,
  { sealed, force = false }: DeletedRowsErasure,
): boolean {
  const emptyLog = () => {
    const [state] = raw.prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').all();
    return state?.busy === 0;
  };
  const isEmpty = emptyLog();
  if (sealed?.length === 0 || !isErasurePending(raw)) return true;
  // SQLite overwrites deleted rows, but not the copies that remain where it moved rows to other pages.
  if (sealed !== null && !doesFileContain(file, createByteSearch(sealed))) return isEmpty;
  if (!force && statSync(file).size > MAX_REWRITTEN_BYTES) return false;
  try {
    raw.exec('VACUUM');
  } catch (error) {
    // The disk may be full, or another process may be writing.
    if (force) throw error;
    return false;
  }
  return emptyLog();
}

function eraseInTables(raw: SqlConnection, { sealed, force = false }: DeletedRowsErasure): boolean {
  if (sealed?.length === 0 || !isErasurePending(raw)) return true;
  raw.exec("SET lock_timeout = '5s'");
  try {
    const isUnread = waitForOlderTransactions(raw);
    // VACUUM alone leaves the bytes in the free space of pages.
    raw.exec(`VACUUM (FULL) ${ERASED_TABLES}`);
    return isUnread;
  } catch (error) {
    // Another transaction, such as a backup, reads a table.
    if (force) throw error;
    raw.exec(`VACUUM ${ERASED_TABLES}`);
    return false;
  }
}

/** Waits up to 5 seconds for other transactions, which may still read rows deleted before now. Returns false if one stays open. */
function waitForOlderTransactions(raw: SqlConnection): boolean {
  const now = raw.prepare<[], string>('SELECT clock_timestamp()::text').pluck().get();
  const count = raw
    .prepare<[unknown], number>(
      `SELECT count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < ?::timestamptz`,
    )
    .pluck();
  for (let tries = 0; tries < 25; tries++) {
    if (count.get(now) === 0) return true;
    raw.exec('SELECT pg_sleep(0.2)');
  }
  return false;
}

const ERASED_TABLES = 'watches, watch_keys, events, webhooks, jobs, job_parts';

/**
 * Opens a store whose functions block the thread. Errors: wrong_secret if the servers of a PostgreSQL store have another secret than `secret`;
 * those of the engine.
 */
export function openStoreAtLocation(
  location: StoreLocation,
  secret: StoreSecretCheckValue | null = null,
): Store {
  if ('file' in location) return openSqliteStore(location);
  const store = openPostgresStore(location.url);
  try {
    if (secret) claimOrRequireSharedSecret(store, secret);
    return store;
  } catch (error) {
    store.close();
    throw store.toStoreError(error);
  }
}

/**
 * Replaces the check value of the secret in a PostgreSQL store. Does nothing for a store in a file. Errors: those of the engine.
 *
 * @param check value computed from the secret; see `StoreSecretCheckValue`
 */
export function updateSecretCheckValueOfSharedStore(
  location: StoreLocation,
  store: Store,
  check: string,
): void {
  if ('url' in location) replaceSharedSecretCheckValue(store, check);
}

/** Opens the storage of console sessions of the configured store. Errors: those of the engine. */
export function openConsoleSessionStorage(
  settings: StoreSettings,
): ConsoleSessionStorage & { close(): void } {
  const location = getStoreLocation(settings);
  if ('file' in location) {
    const { change, close } = openLimitsDatabase(settings.dataDir);
    return { ...createConsoleSessionStorage(change), close };
  }
  const { raw, close } = openPostgresStore(location.url);
  return { ...createConsoleSessionStorage((work) => work(raw)), close };
}
