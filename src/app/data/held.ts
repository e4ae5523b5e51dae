// What a server does about a data folder that lost what it held.
import { BonafideError } from '../../errors.ts';
import { EMPTY_QUERY } from '../../graph/graph.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import type { Log } from '../../observe/log.ts';
import { refuseEmptied, remember, watchHeld } from '../../platform/held.ts';
import type { Held, Watch } from '../../platform/held.ts';
import type { StoreEngine } from '../../store/engine.ts';

const AWAY: Record<Held, string> = {
  records:
    'graph.db was removed or replaced while in use: put it back, or start again with the new one. Calls are refused until then.',
  keys: 'store.db was removed or replaced while in use: put it back, or start again with the new one. Calls are refused until then.',
};
const BACK = 'The files of the data folder are all there again.';

/** Watches the folder's files, and has the log tell when one is away and when all are back. */
export function watchFolder(dataDir: string, parts: Held[], log: Log): Watch {
  return watchHeld(dataDir, parts, (missing) => log.warn(missing ? AWAY[missing] : BACK));
}

/** A call that comes while a file is away is refused; it must not be worked on with what only this process still sees. */
export function requirePresent({ missing }: Watch): void {
  if (missing() === 'records') throw new BonafideError('graph_unavailable', 'The file of the graph is away.');
  if (missing() === 'keys') throw new BonafideError('store_unavailable', 'The file of the store is away.');
}

/**
 * Refuses a folder that does not hold any more what it held; it remembers what it holds now. Errors: data_missing, unreadable_file.
 *
 * @param here what lies in files of its own
 */
export async function checkHeld(
  dataDir: string,
  here: Held[],
  { graph, engine }: { graph: IdentityGraph; engine: Pick<StoreEngine, 'getKeyPresence'> },
) {
  const holds: Record<Held, boolean> = {
    records: await holdsRecords(graph),
    keys: (await engine.getKeyPresence()).keys,
  };
  for (const what of here) {
    if (what === 'records' && !('records' in graph)) continue;
    if (holds[what]) remember(dataDir, what);
    else refuseEmptied(dataDir, what);
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
