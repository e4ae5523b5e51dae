import type { IdentityGraph } from '../graph/graph.ts';
import type { DatabaseDamage } from '../maintenance/integrity.ts';
import type { LogHealth } from '../observe/sink.ts';
import type { DataFolderDatabase } from '../platform/data-folder.ts';
import type { FeatureStatus } from '../features/open.ts';
import type { ServerDatabases } from './data/databases.ts';

export interface ServerHealth {
  warm: boolean;
  /** Names of the databases that the last background check found damaged. */
  damaged: DatabaseDamage['name'][];
}

/** Returns the readiness of a server. A failing log or a missing plugin is reported, but the server stays ready. */
export function getReadiness(
  { engine, graph, watch, features }: ServerDatabases & { features: { list(): FeatureStatus[] } },
  { warm, damaged }: ServerHealth,
  log: LogHealth,
) {
  const isThere = (what: DataFolderDatabase, name: DatabaseDamage['name']) =>
    watch.missing() !== what && !damaged.includes(name);
  const needed = {
    store: engine.isHealthy() && engine.recorder.isHealthy() && isThere('keys', 'store.db') ? 'ok' : 'failed',
    graph: isGraphAvailable(graph) && isThere('records', 'graph.db') ? 'ok' : 'failed',
    warm_up: warm ? 'ok' : 'starting',
  };
  const parts = { ...needed, log: log.failing ? 'failed' : 'ok', log_lines_lost: log.lost };
  const off = features.list().filter(({ problem }) => problem !== null);
  return {
    ready: Object.values(needed).every((part) => part === 'ok'),
    parts,
    graphs: graph.partStates?.(),
    graphHosts: graph.hostStates?.(),
    features:
      off.length === 0
        ? undefined
        : Object.fromEntries(off.map(({ feature }) => [feature, 'plugin_missing'] as const)),
  };
}

function isGraphAvailable(graph: IdentityGraph): boolean {
  try {
    graph.ping();
    return true;
  } catch {
    return false;
  }
}
