// Imports of files that are uploaded over HTTP, one at a time. The audit log records each of them.
import { openImportWorker } from '../../admin/graph/import-worker.ts';
import { type ImportRefusal, toImportAuditTargetAndDetail } from '../../admin/graph/imports.ts';
import type { FinishedGraphReport, GraphReportWorker } from '../../admin/graph/report-worker.ts';
import type { GraphReportName } from '../../admin/graph/reports.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { hasRecordStoringEngine } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import { refuseDemoDataFolder, requireDataFiles } from '../data/folder-checks.ts';
import type { OperatorServiceDeps } from './service-deps.ts';

const TIDY_EVERY_MS = 600_000;

/** `onDone` is called after each import that changed the graph. */
export function createImportService(
  { config, log, data, storeWorker, closeLater }: OperatorServiceDeps,
  onDone: () => void,
): Pick<OperatorService, 'handleImport' | 'listImports'> {
  const { dataDir, secret, graph, region, nameTables } = config;
  const imports = closeLater(
    openImportWorker({
      dataDir,
      secret,
      graph,
      region,
      nameTables,
      onDone(view, actor) {
        onDone();
        void storeWorker
          .run('note', { act: 'graph.import', ...toImportAuditTargetAndDetail(view) }, actor)
          .catch((error: unknown) => log.error('an import is not in the audit log', error));
      },
      onFailed: (error) => log.error('an import failed', error),
    }),
  );
  closeLater(setInterval(imports.removeStale, TIDY_EVERY_MS).unref(), clearInterval);
  const requireImportAllowed = () => {
    if (!hasRecordStoringEngine(graph)) throw RECORDS_ELSEWHERE;
    requireDataFiles(data.watch);
    refuseDemoDataFolder(dataDir);
  };
  return {
    handleImport: async (request) => {
      if (request.act === 'start') requireImportAllowed();
      return imports.handle(request);
    },
    listImports: async () => ({ items: imports.list(), refused: toRefusal(requireImportAllowed) }),
  };
}

function toRefusal(refuse: () => void): ImportRefusal | null {
  try {
    refuse();
    return null;
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Creates the function that makes reports on the graph. If this server stores no records, only the report `stats` is available. */
export function createGraphReportMaker(
  graph: IdentityGraph,
  {
    config,
    storeWorker,
  }: { config: Pick<Config, 'graph'>; storeWorker: Pick<GraphReportWorker, 'makeReport'> },
): OperatorService['makeReport'] {
  if (hasRecordStoringEngine(config.graph)) return storeWorker.makeReport;
  return async <Name extends GraphReportName>(name: Name, hops?: number) => {
    if (name === 'applied') return { found: null, at: Date.now() } as FinishedGraphReport<Name>;
    if (name !== 'stats') throw RECORDS_ELSEWHERE;
    const graphStats = { ...(await graph.stats(hops)), warnings: await graph.warnings(hops) };
    return { found: graphStats, at: Date.now() } as FinishedGraphReport<Name>;
  };
}

const RECORDS_ELSEWHERE = new BonafideError(
  'graph_unavailable',
  'This server stores no records: it queries another graph (setting graph). Do this on the server that stores them.',
);
