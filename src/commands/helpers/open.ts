// Access of commands to the store and the graph of a data folder.
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditAction } from '../../accounts/audit.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { computeStoreSecretCheckValue } from '../../graph/encryption/fingerprints.ts';
import { findSecret } from '../../graph/encryption/secret.ts';
import { openRecordStoringGraph } from '../../graph/engines.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import { requirePrivateFolder } from '../../platform/files.ts';
import { canRebuildGraph, requireDataFilesNotMissing } from '../../platform/data-folder.ts';
import { removeAbandonedTemporaryFiles, createScratchFolder } from '../../platform/temporary-files.ts';
import { recordAuditEntry } from '../../store/audit.ts';
import { openStoreAtLocation, getStoreLocation, type StoreSettings } from '../../store/open.ts';
import type { StoreLocation, Store } from '../../store/store.ts';
import { type CommonArgs, loadSettings, printNote, createNewDataFolderNotifier } from './command.ts';

/**
 * Runs `work` on the store of the data folder, or on the PostgreSQL store (then `dataDir` is null). If the folder has no store yet, `missing`
 * decides: `create` creates one, `empty` uses a temporary empty store, `refuse` throws. Errors: file_not_found, unreadable_file, invalid_config
 * (other users can read the folder), data_missing, wrong_secret, and those of `openStore`.
 */
export async function withStore<T>(
  args: CommonArgs,
  missing: 'create' | 'empty' | 'refuse',
  work: (store: Store, dataDir: string | null) => T,
): Promise<T> {
  const config = await loadSettings(args);
  const { dataDir } = config;
  const place = getStoreLocation(config);
  if ('url' in place) return useStore(openStoreSharedByMachines(place, config), (store) => work(store, null));
  refuseNoFolder(dataDir, missing === 'create');
  requirePrivateFolder(dataDir);
  requireDataFilesNotMissing(dataDir, 'keys');
  if (!existsSync(place.file) && missing !== 'create') return useEmptyStore(dataDir, missing, work);
  const reportNewFolder = createNewDataFolderNotifier(dataDir);
  return useStore(openStoreAtLocation(place), (store) => {
    const result = work(store, dataDir);
    reportNewFolder();
    return result;
  });
}

function useEmptyStore<T>(
  dataDir: string,
  missing: 'empty' | 'refuse',
  work: (store: Store, dataDir: string) => T,
): T {
  if (missing === 'refuse')
    throw new BonafideError(
      'file_not_found',
      `There is no store in ${dataDir}, so there is no audit log. Check --data-dir.`,
    );
  const { folder, remove } = createScratchFolder(tmpdir());
  try {
    return useStore(openStoreAtLocation({ file: join(folder, 'store.db') }), (store) => work(store, dataDir));
  } finally {
    remove();
  }
}

/**
 * Opens a store that several machines share. This machine may have no secret. Errors: wrong_secret if its secret is another one; those of the
 * store.
 */
export function openStoreSharedByMachines(
  place: StoreLocation,
  { dataDir, secret: secretSetting }: Pick<Config, 'dataDir' | 'secret'>,
): Store {
  const secret = findSecret(dataDir, secretSetting);
  return openStoreAtLocation(
    place,
    secret === null ? null : { check: computeStoreSecretCheckValue(secret), claims: false },
  );
}

function useStore<T>(store: Store, work: (store: Store) => T): T {
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Throws if the data folder does not exist, because its name may be mistyped. */
function refuseNoFolder(dataDir: string, mayBeNew: boolean): void {
  const stats = statSync(dataDir, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw new BonafideError('unreadable_file', `${dataDir} is not a folder. Check --data-dir.`);
  if (!stats && !mayBeNew)
    throw new BonafideError(
      'file_not_found',
      `There is no folder ${dataDir}. Check --data-dir. To create the folder, import records, or create an API key or a plan.`,
    );
}

/**
 * Runs `work` on the configured graph. The mode `write` also removes leftover files of killed processes; `rebuild` also recreates a lost graph
 * file from its records. Errors: those of `loadSettings` and `openRecordStoringGraph`.
 */
export async function withGraph<T>(
  args: CommonArgs & { region?: string | undefined },
  mode: 'read' | 'write' | 'rebuild',
  work: (graph: RecordStoringGraph, config: Config) => Promise<T>,
): Promise<T> {
  const config = await loadSettings(args, { region: args.region });
  const create = mode === 'rebuild' && canRebuildGraph(config.dataDir);
  const graph = openRecordStoringGraph({ ...config, create });
  try {
    if (mode !== 'read') removeLeftoverFiles(config.dataDir);
    return await work(graph, config);
  } finally {
    await graph.close();
  }
}

/** Removes files that killed processes left in a data folder, and prints their names on standard error. The databases must be open. */
export function removeLeftoverFiles(dataDir: string): void {
  const removed = removeAbandonedTemporaryFiles(dataDir);
  if (removed.length > 0) printNote(`Removed leftover files of a killed process: ${removed.join(', ')}`);
}

export interface OpenedStore {
  store: Store;
  location: StoreLocation;
}

/** Opens the configured store, or creates it. Errors: data_missing if the folder has lost its store; those of the store. */
export function openConfiguredStore(settings: StoreSettings): OpenedStore {
  const location = getStoreLocation(settings);
  if ('file' in location) requireDataFilesNotMissing(settings.dataDir, 'keys');
  return { store: openStoreAtLocation(location), location };
}

/** Adds a completed action of a command to the audit log. If the entry cannot be written, prints a warning. */
export function recordCommandInAuditLog(settings: StoreSettings, action: Omit<AuditAction, 'actor'>): void {
  try {
    useStore(openConfiguredStore(settings).store, (store) => recordAuditEntry(store, action));
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    printNote(`This action is not in the audit log: ${error.message}`);
  }
}
