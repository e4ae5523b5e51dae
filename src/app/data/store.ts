// The store of a server: in the data folder or in PostgreSQL, for a whole server and for one of several threads that serve.
import type { Config } from '../../config.ts';
import { storeSecretCheck } from '../../graph/encryption/fingerprints.ts';
import { loadSecret } from '../../graph/encryption/secret.ts';
import { openStoreAt, getStoreLocation } from '../../store/open.ts';
import { createRecorder, type ConnectWriter } from '../../store/serving/recorder.ts';
import type { StoreEngine } from '../../store/engine.ts';
import { openSqliteStore, getStoreFile } from '../../store/sqlite/open.ts';
import { createSqliteEngine, openRecorder } from '../../store/sqlite/engine.ts';
import type { CloseLater } from '../closer.ts';

/** The event loop stands still while it waits for the file, and with it every other call. */
const STORE_WAIT_MS = 100;

/** Opens it, and what writes to it. Errors: wrong_secret where servers that share it have another one; those of the store. */
export async function openServerStore(config: Config, closeLater: CloseLater): Promise<StoreEngine> {
  const { dataDir, secret, webhook } = config;
  const notify = webhook !== undefined;
  const place = getStoreLocation(config);
  if ('url' in place) {
    // Its tables are made, or brought up to date, before anything is asked.
    openStoreAt(place, { check: storeSecretCheck(loadSecret(dataDir, secret)), claims: true }).close();
    return openInPostgres(place.url, notify, closeLater);
  }
  const file = openStoreFile(dataDir, closeLater);
  const recorder = closeLater(openRecorder({ file: file.file, notify }), (recorder) => recorder.close());
  return createSqliteEngine(file, recorder, dataDir);
}

/** The same for another thread of a server that `openServing` has opened it for: its calls go through that server's writer, where there is one. */
export async function joinServerStore(config: Config, closeLater: CloseLater, writer: ConnectWriter): Promise<StoreEngine> {
  const { dataDir, webhook } = config;
  const place = getStoreLocation(config);
  if ('url' in place) return openInPostgres(place.url, webhook !== undefined, closeLater);
  const file = openStoreFile(dataDir, closeLater);
  const recorder = closeLater(createRecorder(writer), (recorder) => recorder.close());
  return createSqliteEngine(file, recorder, dataDir);
}

const openStoreFile = (dataDir: string, closeLater: CloseLater) =>
  closeLater(openSqliteStore({ file: getStoreFile(dataDir), waitMs: STORE_WAIT_MS }), (store) => store.close());

/** The driver is loaded where it is asked for. */
async function openInPostgres(url: string, notify: boolean, closeLater: CloseLater): Promise<StoreEngine> {
  const { openPostgresEngine } = await import('../../store/postgres/engine.ts');
  return closeLater(await openPostgresEngine({ url, notify }), (engine) => engine.close());
}
