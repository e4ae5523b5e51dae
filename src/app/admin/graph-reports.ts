// Graph reports over HTTP.
import type { TimedReport, GraphReportWorker } from '../../admin/graph/report-worker.ts';
import type { GraphReport } from '../../admin/graph/reports.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { hasRecordEngine } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';

/**
 * Returns the function that makes graph reports. A graph without records on this server only has the report
 * `stats`.
 */
export function createGraphReporter(
  graph: IdentityGraph,
  {
    config,
    storeWorker,
  }: { config: Pick<Config, 'graph'>; storeWorker: Pick<GraphReportWorker, 'makeReport'> },
): OperatorService['makeReport'] {
  if (hasRecordEngine(config.graph)) return storeWorker.makeReport;
  return async <Name extends GraphReport>(name: Name, hops?: number) => {
    if (name === 'applied') return { found: null, at: Date.now() } as TimedReport<Name>;
    if (name !== 'stats') throw RECORDS_ELSEWHERE;
    const found = { ...(await graph.stats(hops)), warnings: await graph.warnings(hops) };
    return { found, at: Date.now() } as TimedReport<Name>;
  };
}

export const RECORDS_ELSEWHERE = new BonafideError(
  'graph_unavailable',
  'This server stores no records: it queries another graph (setting graph). Do this on the server that stores them.',
);
