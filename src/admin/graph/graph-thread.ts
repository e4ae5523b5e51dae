// Module of a worker thread that makes reports on the graph, and runs operations on people on record.
import { workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { openRecordStoringGraph, type GraphEngineOptions } from '../../graph/engines.ts';
import { loadOperatorNameTable } from '../../names/index.ts';
import { serveThreadCalls } from '../../platform/threads/calls.ts';
import type { StoreSettings } from '../../store/open.ts';
import {
  PEOPLE_OPERATIONS,
  type PeopleOperationContext,
  type PeopleOperationName,
} from './people-operations.ts';
import { GRAPH_REPORTS, type GraphReportName } from './reports.ts';

export interface GraphThreadData extends Pick<PeopleOperationContext, 'dataDir' | 'region' | 'backupsTo'> {
  /** Secret of the graph if the settings contain it; undefined if it is in the data folder. */
  secret: string | undefined;
  graph: GraphEngineOptions['graph'];
  store: StoreSettings['store'];
  nameTables: readonly string[];
}

/** Message to the thread: runs one operation on the people on record. */
export interface PeopleOperationCall extends Pick<PeopleOperationContext, 'actor' | 'now'> {
  input: unknown;
}

type RunOperation = (graph: unknown, input: unknown, context: PeopleOperationContext) => Promise<unknown>;

const { secret, graph: setting, store, nameTables, ...place }: GraphThreadData = workerData;
/**
 * Creates the functions that delete watches and job lines of forgotten people. Loads the store only when it is used, because no other operation
 * needs it.
 */
function createWatchEraser(): PeopleOperationContext['watchEraser'] {
  const load = async () => {
    const { createWatchAndJobEraser } = await import('../../watches/forget.ts');
    return createWatchAndJobEraser({ dataDir: place.dataDir, region: place.region, store, secret });
  };
  let eraser: ReturnType<typeof load> | undefined;
  const get = () => (eraser ??= load());
  return {
    deleteRows: async (rows) => (await get()).deleteRows(rows),
    eraseDeletedRows: async (force) => (await get()).eraseDeletedRows(force),
  };
}
for (const file of nameTables) loadOperatorNameTable(file);

serveThreadCalls(async (name, call) => {
  if (name === 'ready') return null;
  // The graph is opened for each call: calls are rare, and the graph files may have been replaced since the last call.
  const graph = openRecordStoringGraph({ dataDir: place.dataDir, secret, graph: setting, create: false });
  try {
    if (Object.hasOwn(GRAPH_REPORTS, name))
      return await GRAPH_REPORTS[name as GraphReportName](graph, place.dataDir);
    const { input, ...caller } = call as PeopleOperationCall;
    const run = PEOPLE_OPERATIONS[name as PeopleOperationName] as RunOperation;
    return await run(graph, input, { ...place, watchEraser: createWatchEraser(), ...caller });
  } catch (error) {
    throw withoutInput(error);
  } finally {
    await graph.close();
  }
});

/** Removes the message of an error if it may contain input, such as the id of a record. */
function withoutInput(error: unknown): unknown {
  if (!(error instanceof BonafideError)) return error;
  const { code, message, details } = error;
  if (code === 'not_found') return new BonafideError(code, '', details);
  if (code !== 'invalid_arguments' || details.issues) return error;
  const { pointer = '' } = details;
  return new BonafideError(code, '', { issues: [{ pointer, code: 'invalid_request', detail: message }] });
}
