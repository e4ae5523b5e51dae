// What a server does about a data folder that lost what it held.
import { BonafideError } from '../../errors.ts';
import { EMPTY_QUERY, type IdentityGraph } from '../../graph/graph.ts';
import type { Log } from '../../observe/log.ts';
import { requireNotEmptied, rememberDataPart, watchDataFiles, type DataPart, type DataFileWatch, getDemoKeyFile } from '../../platform/data-folder.ts';
import type { StoreEngine } from '../../store/engine.ts';
import { existsSync } from 'node:fs';

const MISSING_WARNINGS: Record<DataPart, string> = {
  records:
    'graph.db was removed or replaced while in use: put it back, or start again with the new one. Calls are refused until then.',
  keys: 'store.db was removed or replaced while in use: put it back, or start again with the new one. Calls are refused until then.',
};
const FILES_BACK = 'The files of the data folder are all there again.';

/** Watches the folder's files, and has the log tell when one is away and when all are back. */
export function watchDataFolder(dataDir: string, parts: DataPart[], log: Log): DataFileWatch {
  return watchDataFiles(dataDir, parts, (missing) => log.warn(missing ? MISSING_WARNINGS[missing] : FILES_BACK));
}

/** A call that comes while a file is away is refused; it must not be worked on with what only this process still sees. */
export function requireDataFiles({ missing }: DataFileWatch): void {
  if (missing() === 'records') throw new BonafideError('graph_unavailable', 'The file of the graph is away.');
  if (missing() === 'keys') throw new BonafideError('store_unavailable', 'The file of the store is away.');
}

/**
 * Refuses a folder that does not hold any more what it held; it remembers what it holds now. Errors: data_missing, unreadable_file.
 *
 * @param here what lies in files of its own
 */
export async function requireExpectedContents(
  dataDir: string,
  here: DataPart[],
  { graph, engine }: { graph: IdentityGraph; engine: Pick<StoreEngine, 'getKeyPresence'> },
) {
  const holds: Record<DataPart, boolean> = {
    records: await holdsRecords(graph),
    keys: (await engine.getKeyPresence()).keys,
  };
  for (const what of here) {
    if (what === 'records' && !('records' in graph)) continue;
    if (holds[what]) rememberDataPart(dataDir, what);
    else requireNotEmptied(dataDir, what);
  }
}

/** A damaged graph is not an empty one: it answers what it can, and readiness says so. */
async function holdsRecords(graph: IdentityGraph): Promise<boolean> {
  try {
    return (await graph.resolve(EMPTY_QUERY)).total > 0;
  } catch {
    return true;
  }
}

/** Refuses to put records among the invented people of a demo. Errors: `forbidden`. */
export function requireNoDemo(dataDir: string): void {
  if (existsSync(getDemoKeyFile(dataDir)))
    throw new BonafideError(
      'forbidden',
      'This folder holds the invented people of the demo, and takes no others.',
    );
}
