// The thread of one graph report.
import { workerData } from 'node:worker_threads';
import { openRecordGraph, type EngineOptions } from '../../graph/engines.ts';
import { loadNameTables } from '../../names/index.ts';
import { serveCalls } from '../../platform/threads/calls.ts';
import { GRAPH_REPORTS, type GraphReport } from './reports.ts';

export interface ReportThreadData {
  dataDir: string;
  /** Secret of the graph, if it comes from the settings. */
  secret: string | undefined;
  graph: EngineOptions['graph'];
  /** Files of the operator's own name tables: the graph warns if it was linked with others. */
  nameTables: readonly string[];
}

const { dataDir, secret, graph: setting, nameTables }: ReportThreadData = workerData;
for (const file of nameTables) loadNameTables(file);

serveCalls(async (_, name) => {
  const graph = openRecordGraph({ dataDir, secret, graph: setting, create: false });
  try {
    return await GRAPH_REPORTS[name as GraphReport](graph, dataDir);
  } finally {
    await graph.close();
  }
});
