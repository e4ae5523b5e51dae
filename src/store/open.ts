// Opens the configured store, in either engine, for blocking work.
import { BonafideError } from '../errors.ts';
import { readTextFile } from '../platform/files.ts';
import { findPostgresAddressProblem, POSTGRES_ADDRESS_DESCRIPTION } from '../platform/postgres/address.ts';
import { clearPendingErasure, readPendingErasure } from './events/events.ts';
import { openBlockingPostgresConnection } from './postgres/bridge.ts';
import { STORE_SCHEMA_NAME } from './postgres/client.ts';
import { eraseInTables } from './postgres/erase.ts';
import { convertPostgresErrorToBonafideError } from './postgres/errors.ts';
import {
  replaceSharedSecretCheckValue,
  openPostgresStore,
  storeOrRequireSharedSecret,
  type StoreSecretCheckValue,
} from './postgres/open.ts';
import { createConsoleSessionStorage, type ConsoleSessionStorage } from './serving/sessions.ts';
import { eraseInFile } from './sqlite/erase.ts';
import { openLimitsDatabase } from './sqlite/limits.ts';
import { getStoreFile, openSqliteStore } from './sqlite/open.ts';
import type { DeletedRowsErasure, Store, StoreLocation } from './store.ts';

export interface StoreSettings {
  dataDir: string;
  store?: { url?: string | undefined; urlFile?: string | undefined } | undefined;
}

/** Returns where the configured store is. Errors: invalid_config if the file with its address is unreadable, or contains no address. */
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
    `The first line of store.urlFile is not ${POSTGRES_ADDRESS_DESCRIPTION}: ${problem}. Correct the line.`,
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

/**
 * Removes the bytes of deleted watches, their events and job lines from the files of a store, if some may remain (see `markErasurePending`). Without
 * this, they stay in the log of SQLite and in the tables of PostgreSQL. Returns null if none remain; otherwise a sentence that says why some may, and
 * the mark stays. Call it while this process has no transaction open, not even on another connection: PostgreSQL keeps deleted rows that a
 * transaction may still read. Errors: those of the engine.
 */
export function eraseDeletedRows(
  { raw }: Pick<Store, 'raw'>,
  location: StoreLocation,
  { sealed, generation, force = false }: DeletedRowsErasure,
): string | null {
  const pending = readPendingErasure(raw);
  if (pending === null) return null;
  const known = pending === generation ? sealed : null;
  const problem =
    'file' in location ? eraseInFile(raw, location.file, known, force) : eraseInTables(raw, force);
  if (problem === null) clearPendingErasure(raw, pending);
  return problem;
}

/**
 * Opens a store whose functions block the thread. Errors: wrong_secret if `secret` is not that of the servers of a PostgreSQL store; those of the
 * engine.
 * @param maxWaitMs maximum wait for the answer of PostgreSQL to a statement, in milliseconds
 */
export function openStoreAtLocation(
  location: StoreLocation,
  secret: StoreSecretCheckValue | null = null,
  maxWaitMs?: number,
): Store {
  if ('file' in location) return openSqliteStore(location);
  const store = openPostgresStore(location.url, 'store', maxWaitMs);
  try {
    if (secret) storeOrRequireSharedSecret(store, secret);
    return store;
  } catch (error) {
    store.close();
    throw store.toStoreError(error);
  }
}

/**
 * Replaces the value by which a PostgreSQL store recognises its secret. Does nothing for a store in a file. Errors: those of the engine.
 * @param check value computed from the new secret; see `StoreSecretCheckValue`
 */
export function updateSecretCheckValueOfSharedStore(
  location: StoreLocation,
  store: Store,
  check: string,
): void {
  if ('url' in location) replaceSharedSecretCheckValue(store, check);
}

/** Maximum wait (ms) for the answer of a database if the caller can do without it. */
const OPTIONAL_ANSWER_MS = 3000;

/**
 * Returns the mark of a PostgreSQL store that bytes of deleted rows may remain (see `readPendingErasure`); null if it has none, or if the database
 * has no store. Errors: those of the engine; store_unavailable if a query has no answer within three seconds.
 */
export function readPendingErasureInPostgres(url: string): number | null {
  const bridge = openBlockingPostgresConnection(url, OPTIONAL_ANSWER_MS);
  try {
    const table = bridge.prepare(`SELECT to_regclass('${STORE_SCHEMA_NAME}.counters')`).pluck().get();
    return table === null ? null : readPendingErasure(bridge);
  } catch (error) {
    throw convertPostgresErrorToBonafideError(error);
  } finally {
    bridge.close();
  }
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
