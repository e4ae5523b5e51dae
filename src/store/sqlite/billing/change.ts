import { asStoreError } from '../connect.ts';
import type { Store } from '../open.ts';

/**
 * Runs what an operator changes as one transaction: all of it is kept, or nothing.
 *
 * Errors: disk_full, read_only, database_busy and the like where it cannot be kept, and those of `work`.
 */
export function changing<T>({ db, file }: Store, work: () => T): T {
  try {
    return db.transaction(work, { behavior: 'immediate' });
  } catch (error) {
    throw asStoreError(error, file);
  }
}
