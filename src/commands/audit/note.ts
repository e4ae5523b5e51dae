import type { Act } from '../../accounts/audit.ts';
import { BonafideError } from '../../errors.ts';
import { refuseLost } from '../../platform/held.ts';
import { act } from '../../store/audit.ts';
import { openStoreAt, placeOf } from '../../store/open.ts';
import type { StoreSettings } from '../../store/open.ts';
import type { Place, Store } from '../../store/store.ts';

/**
 * Adds to the audit log of a folder what a command did outside the store. What was done is done: where it cannot be noted, a line on
 * standard error says so. `also` is done in the same store.
 */
export function noteAct(
  settings: StoreSettings,
  done: Omit<Act, 'actor'>,
  also?: (store: Store, place: Place) => void,
): void {
  try {
    const place = placeOf(settings);
    if ('file' in place) refuseLost(settings.dataDir, 'keys');
    const store = openStoreAt(place);
    try {
      act(store, done);
      also?.(store, place);
    } finally {
      store.close();
    }
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    process.stderr.write(`It is not in the audit log: ${error.message}\n`);
  }
}
