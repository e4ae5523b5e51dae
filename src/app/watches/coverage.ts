// How the changes of the configured graph are noticed.
import { DEFAULT_GRAPH, listEngines, type Config } from '../../config.ts';
import { findRecordEngine } from '../../graph/engines.ts';

/**
 * Returns the hours between two re-checks of all watches; null if the graph tells all its changes, because it consists of the one engine that
 * stores records.
 */
export function getRecheckHours({
  graph = DEFAULT_GRAPH,
  recheckEveryHours,
}: Pick<Config, 'graph' | 'recheckEveryHours'>): number | null {
  return listEngines(graph).every((name) => name === findRecordEngine(graph)) ? null : recheckEveryHours;
}
