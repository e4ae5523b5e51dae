// The thread of operations on people on record.
import { workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { openRecordGraph, type EngineOptions } from '../../graph/engines.ts';
import { loadNameTables } from '../../names/index.ts';
import { serveCalls } from '../../platform/threads/calls.ts';
import { type PeopleContext, PEOPLE_OPERATIONS, type PeopleOperation } from './people-operations.ts';

export interface PeopleThreadData extends Pick<PeopleContext, 'dataDir' | 'region' | 'backupsTo'> {
  /** Secret of the graph, if it comes from the settings. */
  secret: string | undefined;
  graph: EngineOptions['graph'];
  nameTables: readonly string[];
}

/** One operation as a message to the thread. */
export interface PeopleCall extends Pick<PeopleContext, 'actor' | 'now'> {
  input: unknown;
}

const { dataDir, secret, graph: setting, region, backupsTo, nameTables }: PeopleThreadData = workerData;
for (const file of nameTables) loadNameTables(file);

serveCalls(async (name, call) => {
  const { input, ...caller } = call as PeopleCall;
  const run = PEOPLE_OPERATIONS[name as PeopleOperation] as (
    graph: unknown,
    input: unknown,
    context: PeopleContext,
  ) => Promise<unknown>;
  try {
    // Opened for each operation: operations are rare, and the files may have been replaced.
    const graph = openRecordGraph({ dataDir, secret, graph: setting, create: false });
    try {
      return await run(graph, input, { dataDir, region, backupsTo, ...caller });
    } finally {
      await graph.close();
    }
  } catch (error) {
    throw withoutInput(error);
  }
});

/** Returns an error without what was sent: the sentences for the command line may repeat the id of a record. */
function withoutInput(error: unknown): unknown {
  if (!(error instanceof BonafideError)) return error;
  const { code, message, details } = error;
  if (code === 'not_found') return new BonafideError(code, '', details);
  if (code !== 'invalid_arguments' || details.issues) return error;
  return new BonafideError(code, '', { issues: [{ pointer: '', code: 'invalid_request', detail: message }] });
}
