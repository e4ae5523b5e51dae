import type { Act } from '../../accounts/audit.ts';
import { BonafideError } from '../../errors.ts';
import { refuseLost } from '../../platform/held.ts';
import { act } from '../../store/audit.ts';
import { openStore, storeFile } from '../../store/sqlite/open.ts';

/**
 * Adds to the audit log of a folder what a command did outside the store. What was done is done: where it cannot be noted, a line on
 * standard error says so.
 */
export function noteAct(dataDir: string, done: Omit<Act, 'actor'>): void {
  try {
    refuseLost(dataDir, 'keys');
    const store = openStore({ file: storeFile(dataDir) });
    try {
      act(store, done);
    } finally {
      store.close();
    }
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    process.stderr.write(`It is not in the audit log: ${error.message}\n`);
  }
}
