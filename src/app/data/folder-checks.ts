// Checks that a data folder still has the data that it had before.
import { BonafideError } from '../../errors.ts';
import { EMPTY_GRAPH_QUERY, type IdentityGraph } from '../../graph/graph.ts';
import type { Log } from '../../observe/log.ts';
import { requireDatabaseNeverHeldData, registerDataFolderDatabase, monitorDataFiles, type DataFolderDatabase, type DataFileMonitor, getDemoKeyFile } from '../../platform/data-folder.ts';
import type { StoreEngine } from '../../store/engine.ts';
import { existsSync } from 'node:fs';

const MISSING_WARNINGS: Record<DataFolderDatabase, string> = {
  records:
    'graph.db was removed or replaced while in use. Put it back, or restart the server to use the new file. Calls are refused until then.',
  keys: 'store.db was removed or replaced while in use. Put it back, or restart the server to use the new file. Calls are refused until then.',
};
const FILES_BACK = 'The files of the data folder are all there again.';

/** Watches the files of the data folder. Logs when a file is missing, and when all are back. */
export function monitorAndLogMissingDataFiles(dataDir: string, parts: DataFolderDatabase[], log: Log): DataFileMonitor {
  return monitorDataFiles(dataDir, parts, (missing) => log.warn(missing ? MISSING_WARNINGS[missing] : FILES_BACK));
}

/** Throws while a database file is missing, because this process would use a deleted file. Errors: graph_unavailable, store_unavailable. */
export function requireDataFiles({ missing }: DataFileMonitor): void {
  if (missing() === 'records') throw new BonafideError('graph_unavailable', 'The file of the graph was removed or replaced while in use. Put it back, or restart the server to use the new file.');
  if (missing() === 'keys') throw new BonafideError('store_unavailable', 'The file of the store was removed or replaced while in use. Put it back, or restart the server to use the new file.');
}

/**
 * Throws if databases that contained records or API keys before are empty now. Remembers which of them have contents. Errors: data_missing,
 * unreadable_file.
 *
 * @param folderDatabases the databases that are stored in files of the data folder
 */
export async function requireDatabasesNotEmptied(
  dataDir: string,
  folderDatabases: DataFolderDatabase[],
  { graph, engine }: { graph: IdentityGraph; engine: Pick<StoreEngine, 'getKeyPresence'> },
) {
  const holds: Record<DataFolderDatabase, boolean> = {
    records: await holdsRecords(graph),
    keys: (await engine.getKeyPresence()).keys,
  };
  for (const what of folderDatabases) {
    if (what === 'records' && !('records' in graph)) continue;
    if (holds[what]) registerDataFolderDatabase(dataDir, what);
    else requireDatabaseNeverHeldData(dataDir, what);
  }
}

/** True if the graph has records, or is damaged (and so not known to be empty). */
async function holdsRecords(graph: IdentityGraph): Promise<boolean> {
  try {
    return (await graph.resolve(EMPTY_GRAPH_QUERY)).total > 0;
  } catch {
    return true;
  }
}

/** Throws if the data folder is that of a demo, because real records must not be written to it. Errors: forbidden. */
export function refuseDemoDataFolder(dataDir: string): void {
  if (existsSync(getDemoKeyFile(dataDir)))
    throw new BonafideError(
      'forbidden',
      'This data folder contains the invented people of the demo. Add your records to another data folder.',
    );
}
