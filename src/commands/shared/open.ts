import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { storeSecretCheck } from '../../graph/encryption/fingerprints.ts';
import { findSecret } from '../../graph/encryption/secret.ts';
import { refuseExposedFolder } from '../../platform/files.ts';
import { refuseLost, canMakeGraph } from '../../platform/held.ts';
import { openStoreAt, getStoreLocation, type StoreSettings } from '../../store/open.ts';
import type { StoreLocation, Store } from '../../store/store.ts';
import { loadSettings, announceNewFolder } from './command.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import { openRecordGraph } from '../../graph/engines.ts';
import { removeLeft } from '../../platform/left/left.ts';
import type { AuditAction } from '../../accounts/audit.ts';
import { recordAuditEntry } from '../../store/audit.ts';

/**
 * Runs `work` on the store of the data folder. What makes nothing of its own gives `without`: what there is where the folder has no store.
 * Else one is made, and its folder too. `dataDir` is null where the store is in no folder.
 *
 * Errors: file_not_found (no such folder, and `without` is given), unreadable_file (a file in its place), invalid_config (others may get at it), data_missing, wrong_secret, those of `openStore`.
 */
export async function withStore<T>(
  args: Parameters<typeof loadSettings>[0],
  work: (store: Store, dataDir: string | null) => T,
  without?: () => T,
): Promise<T> {
  const config = await loadSettings(args);
  const { dataDir } = config;
  const place = getStoreLocation(config);
  if ('url' in place) return using(openSharedStore(place, config), (store) => work(store, null));
  refuseNoFolder(dataDir, without !== undefined);
  refuseExposedFolder(dataDir);
  refuseLost(dataDir, 'keys');
  if (without && !existsSync(place.file)) return without();
  const sayMade = announceNewFolder(dataDir);
  return using(openStoreAt(place), (store) => {
    const done = work(store, dataDir);
    sayMade();
    return done;
  });
}

/** A store that machines share. Who has no secret of his own may look after it all the same. Errors: wrong_secret, those of the store. */
export function openSharedStore(
  place: StoreLocation,
  { dataDir, secret }: Pick<Config, 'dataDir' | 'secret'>,
): Store {
  const own = findSecret(dataDir, secret);
  return openStoreAt(place, own === null ? null : { check: storeSecretCheck(own), claims: false });
}

function using<T>(store: Store, work: (store: Store) => T): T {
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** A folder that is mistyped has no keys and no calls, which would pass for an answer. */
function refuseNoFolder(dataDir: string, wanted: boolean): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    throw new BonafideError('unreadable_file', `${dataDir} is no folder. Check --data-dir.`);
  if (!found && wanted)
    throw new BonafideError(
      'file_not_found',
      `There is no folder ${dataDir}. Check --data-dir; the first import, key or plan makes a new one.`,
    );
}

/**
 * Runs `work` on the graph that a command line means, which must be there, or with `makes` the records that it is made from; one that
 * `writes` removes what killed processes left. Errors: those of `configOf` and `openKeeping`.
 */
export async function withGraph<T>(
  args: Parameters<typeof loadSettings>[0] & { region?: string | undefined },
  work: (graph: RecordGraph, config: Config) => Promise<T>,
  options: { makes?: boolean; writes?: boolean } = {},
): Promise<T> {
  const config = await loadSettings(args, { region: args.region });
  const graph = openRecordGraph({
    ...config,
    create: options.makes === true && canMakeGraph(config.dataDir),
  });
  try {
    if (options.writes) removeLeftoverFiles(config.dataDir);
    return await work(graph, config);
  } finally {
    await graph.close();
  }
}

/** Removes what killed processes left in a folder whose databases are open, and says so on standard error. */
export function removeLeftoverFiles(dataDir: string): void {
  const left = removeLeft(dataDir);
  if (left.length > 0) process.stderr.write(`Removed what a killed process left: ${left.join(', ')}\n`);
}

/**
 * Adds to the audit log of a folder what a command did outside the store. What was done is done: where it cannot be noted, a line on
 * standard error says so. `also` is done in the same store.
 */
export function recordAction(
  settings: StoreSettings,
  done: Omit<AuditAction, 'actor'>,
  also?: (store: Store, place: StoreLocation) => void,
): void {
  try {
    const place = getStoreLocation(settings);
    if ('file' in place) refuseLost(settings.dataDir, 'keys');
    const store = openStoreAt(place);
    try {
      recordAuditEntry(store, done);
      also?.(store, place);
    } finally {
      store.close();
    }
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    process.stderr.write(`It is not in the audit log: ${error.message}\n`);
  }
}
