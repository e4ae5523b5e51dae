// The one place that knows which engine a store has.
import { openStore } from './sqlite/open.ts';
import type { Place, Store } from './store.ts';

/** Opens a store for what is done at once. Errors: those of its engine. */
export function openStoreAt(place: Place): Store {
  if ('file' in place) return openStore(place);
  throw new Error('No engine yet.');
}
