// The one place that knows which engine a store has, for what is done at once.
import { openSessions } from './limits/sessions.ts';
import type { Sessions } from './limits/sessions.ts';
import { openPostgres } from './postgres/open.ts';
import { openLimits } from './sqlite/limits.ts';
import { openStore, storeFile } from './sqlite/open.ts';
import type { Place, Store } from './store.ts';

/** What the settings say of it. */
export interface StoreSettings {
  dataDir: string;
  store?: { url: string } | undefined;
}

/** Where the store of these settings is. */
export const placeOf = ({ dataDir, store }: StoreSettings): Place =>
  store ? { url: store.url } : { file: storeFile(dataDir) };

/** Opens a store for what is done at once. Errors: those of its engine. */
export const openStoreAt = (place: Place): Store =>
  'file' in place ? openStore(place) : openPostgres(place.url);

/** The sessions of the console that these settings have. Errors: those of the engine. */
export function openSessionsOf(settings: StoreSettings): Sessions & { close(): void } {
  const place = placeOf(settings);
  if ('file' in place) {
    const limits = openLimits(settings.dataDir);
    return { ...openSessions(limits), close: () => limits.close() };
  }
  const { raw, close } = openPostgres(place.url);
  return { ...openSessions({ change: (work) => work(raw) }), close };
}
