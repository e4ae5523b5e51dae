// The one place that knows which engine a store has, for what is done at once.
import { readFileSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import { openSessions, type ConsoleSessions } from './serving/sessions.ts';
import {
  openPostgres,
  changeSharedSecret,
  requireSameSecret,
  type SharedSecretCheck,
} from './postgres/open.ts';
import { openLimits } from './sqlite/limits.ts';
import { openSqliteStore, getStoreFile } from './sqlite/open.ts';
import type { StoreLocation, Store } from './store.ts';

/** What the settings say of it. */
export interface StoreSettings {
  dataDir: string;
  store?: { url?: string | undefined; urlFile?: string | undefined } | undefined;
}

/** Where the store of these settings is. Errors: invalid_config where the file of its address has none; it repeats nothing of it. */
export function getStoreLocation({ dataDir, store }: StoreSettings): StoreLocation {
  if (!store) return { file: getStoreFile(dataDir) };
  return { url: store.url ?? addressIn(store.urlFile ?? '') };
}

function addressIn(file: string): string {
  const line = firstLine(file).trim();
  if (/^postgres(?:ql)?:\/\//.test(line) && URL.canParse(line)) return line;
  throw new BonafideError(
    'invalid_config',
    'The first line of store.urlFile is no address such as postgres://bonafide@db.example/bonafide.',
  );
}

function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n', 1)[0] ?? '';
  } catch {
    throw new BonafideError('invalid_config', 'The file of store.urlFile cannot be read.');
  }
}

/**
 * Opens a store for what is done at once. One that machines share is refused to whoever has another secret than theirs; a file lies beside its
 * own. Errors: wrong_secret, those of its engine.
 */
export function openStoreAt(place: StoreLocation, secret: SharedSecretCheck | null = null): Store {
  if ('file' in place) return openSqliteStore(place);
  const store = openPostgres(place.url);
  try {
    if (secret) requireSameSecret(store, secret);
    return store;
  } catch (error) {
    store.close();
    throw store.toStoreError(error);
  }
}

/** Has a store that machines share go by another secret. Errors: those of the engine. */
export function updateSharedSecret(place: StoreLocation, store: Store, check: string): void {
  if ('url' in place) changeSharedSecret(store, check);
}

/** The sessions of the console that these settings have. Errors: those of the engine. */
export function openConsoleSessions(settings: StoreSettings): ConsoleSessions & { close(): void } {
  const place = getStoreLocation(settings);
  if ('file' in place) {
    const limits = openLimits(settings.dataDir);
    return { ...openSessions(limits.change), close: () => limits.close() };
  }
  const { raw, close } = openPostgres(place.url);
  return { ...openSessions((work) => work(raw)), close };
}
