import { existsSync } from 'node:fs';
import { refuseLost } from '../platform/held.ts';
import { openStore, storeFile } from '../store/sqlite/open.ts';
import type { Store } from '../store/sqlite/open.ts';
import { configOf, noteNew } from './command.ts';

/** Runs `work` on the store of the data folder. Where there is none, `without` says what there is instead; else one is made. */
export async function withStore<T>(
  args: Parameters<typeof configOf>[0],
  work: (store: Store, dataDir: string) => T,
  without?: () => T,
): Promise<T> {
  const { dataDir } = await configOf(args);
  refuseLost(dataDir, 'keys');
  if (without && !existsSync(storeFile(dataDir))) return without();
  const sayMade = noteNew(dataDir);
  const store = openStore({ file: storeFile(dataDir) });
  try {
    const done = work(store, dataDir);
    sayMade();
    return done;
  } finally {
    store.close();
  }
}
