// The thread of one look through a graph.
import { parentPort, workerData } from 'node:worker_threads';
import { openRecordGraph } from '../../graph/engines.ts';
import type { EngineOptions } from '../../graph/engines.ts';
import { loadNameTables } from '../../names/index.ts';
import { LOOKS } from './looks.ts';
import type { Look, Looks } from './looks.ts';

/** What the thread is started with. */
export interface GraphData {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret: string | undefined;
  graph: EngineOptions['graph'];
  /** The operator's own name tables: what a graph was linked with is held against them. */
  nameTables: readonly string[];
  look: Look;
}

export type GraphAnswer = { found: Looks[Look] } | { failed: true };

if (parentPort === null) throw new Error('A look through a graph runs in a thread of its own.');
const port = parentPort;
const { dataDir, secret, graph: setting, nameTables, look }: GraphData = workerData;
port.postMessage(await answer());

async function answer(): Promise<GraphAnswer> {
  try {
    for (const file of nameTables) loadNameTables(file);
    const graph = openRecordGraph({ dataDir, secret, graph: setting, create: false });
    try {
      return { found: await LOOKS[look](graph, dataDir) };
    } finally {
      await graph.close();
    }
  } catch {
    return { failed: true };
  }
}
