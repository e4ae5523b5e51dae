// Opens the store of a server (SQLite file or PostgreSQL), for the main thread and for further serving
// threads.
import type { Config } from '../../config.ts';
import { computeStoreSecretCheck } from '../../graph/encryption/fingerprints.ts';
import { loadSecret } from '../../graph/encryption/secret.ts';
import { openStoreAt, getStoreLocation } from '../../store/open.ts';
import { createCallRecorder, type ConnectStoreWriter } from '../../store/serving/recorder.ts';
import type { StoreEngine } from '../../store/engine.ts';
import { openSqliteStore, getStoreFile } from '../../store/sqlite/open.ts';
import { createSqliteEngine, startCallRecorder } from '../../store/sqlite/engine.ts';
import type { RegisterForClosing } from '../closer.ts';

/**
 * Longest wait for the lock of the store file, in milliseconds. The wait blocks the event loop and all other
 * calls.
 */
const STORE_WAIT_MS = 100;

/**
 * Opens the store of a server and its writer. Errors: wrong_secret if other servers with the same database
 * use another secret; those of the store.
 */
export async function openServerStore(config: Config, closeLater: RegisterForClosing): Promise<StoreEngine> {
  const { dataDir, secret, webhook } = config;
  const notify = webhook !== undefined;
  const place = getStoreLocation(config);
  if ('url' in place) {
    // Creates or migrates the tables first.
    openStoreAt(place, { check: computeStoreSecretCheck(loadSecret(dataDir, secret)), claims: true }).close();
    return openInPostgres(place.url, notify, closeLater);
  }
  const file = openStoreFile(dataDir, closeLater);
  const recorder = closeLater(startCallRecorder({ file: file.file, notify }), (recorder) => recorder.close());
  return createSqliteEngine(file, recorder, dataDir);
}

/**
 * Opens the store for a further serving thread. With a store file, its calls go through the writer thread
 * that `openServerStore` started.
 */
export async function openServerStoreOfThread(config: Config, closeLater: RegisterForClosing, writer: ConnectStoreWriter): Promise<StoreEngine> {
  const { dataDir, webhook } = config;
  const place = getStoreLocation(config);
  if ('url' in place) return openInPostgres(place.url, webhook !== undefined, closeLater);
  const file = openStoreFile(dataDir, closeLater);
  const recorder = closeLater(createCallRecorder(writer), (recorder) => recorder.close());
  return createSqliteEngine(file, recorder, dataDir);
}

const openStoreFile = (dataDir: string, closeLater: RegisterForClosing) =>
  closeLater(openSqliteStore({ file: getStoreFile(dataDir), waitMs: STORE_WAIT_MS }), (store) => store.close());

/** Loads the PostgreSQL driver only when it is needed. */
async function openInPostgres(url: string, notify: boolean, closeLater: RegisterForClosing): Promise<StoreEngine> {
  const { openPostgresEngine } = await import('../../store/postgres/engine.ts');
  return closeLater(await openPostgresEngine({ url, notify }), (engine) => engine.close());
}
