import type { Store } from '../store.ts';

/**
 * Runs what an operator changes as one transaction: all of it is kept, or nothing.
 *
 * Errors: disk_full, read_only, database_busy and the like where it cannot be kept, and those of `work`.
 */
export function changing<T>(store: Store, work: () => T): T {
  try {
    return store.db.transaction(work, { behavior: 'immediate' });
  } catch (error) {
    throw store.trouble(error);
  }
}
