// Operations of the admin API, run by a command in its data folder.
import {
  PEOPLE_OPERATIONS,
  type PeopleOperationContext,
  type PeopleOperationInput,
  type PeopleOperationName,
  type AuditedResult,
  type PeopleOperationResult,
} from '../../admin/graph/people-operations.ts';
import {
  STORE_OPERATIONS,
  toStoreOperationSettings,
  type StoreOperationInput,
  type StoreOperationName,
  type StoreOperationResult,
  type StoreOperationSettings,
} from '../../admin/store-operations.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import { getCommandLineActor } from '../../store/audit.ts';
import type { Store } from '../../store/store.ts';
import { type CommonArgs, loadSettings, printResult } from './command.ts';
import { recordCommandInAuditLog, withGraph, withStore } from './open.ts';

/** Runs a store operation and returns its result. A missing store is created only by operations with `create` in their name. */
export async function runStoreOperation<Name extends StoreOperationName>(
  args: CommonArgs,
  name: Name,
  input: StoreOperationInput<Name>,
): Promise<StoreOperationResult<Name>> {
  const run = STORE_OPERATIONS[name] as (
    store: Store,
    input: StoreOperationInput<Name>,
    now: number,
    settings: StoreOperationSettings,
  ) => StoreOperationResult<Name>;
  const missing = name.endsWith('.create') ? 'create' : 'empty';
  const settings = toStoreOperationSettings(await loadSettings(args));
  return withStore(args, missing, (store) => run(store, input, Date.now(), settings));
}

export async function runAndPrintStoreOperation<Name extends StoreOperationName>(
  args: CommonArgs,
  name: Name,
  input: StoreOperationInput<Name>,
  toText: (result: StoreOperationResult<Name>) => string,
): Promise<void> {
  const result = await runStoreOperation(args, name, input);
  printResult(args, result, toText(result));
}

const WRITING_OPERATIONS: PeopleOperationName[] = ['split', 'join', 'undo', 'removeSource'];

/** Runs a graph operation and prints its result. Changes and exports are added to the audit log. */
export function runAndPrintGraphOperation<Name extends PeopleOperationName>(
  args: CommonArgs & { region?: string | undefined },
  name: Name,
  input: PeopleOperationInput<Name>,
  toText: (result: PeopleOperationResult<Name>) => string,
): Promise<void> {
  const run = PEOPLE_OPERATIONS[name] as (
    graph: RecordStoringGraph,
    input: PeopleOperationInput<Name>,
    context: PeopleOperationContext,
  ) => Promise<AuditedResult<PeopleOperationResult<Name>>>;
  return withGraph(args, WRITING_OPERATIONS.includes(name) ? 'write' : 'read', async (graph, config) => {
    const { dataDir, region } = config;
    const context = { dataDir, region, actor: getCommandLineActor(), now: Date.now() };
    const { result, note } = await run(graph, input, context);
    if (note) recordCommandInAuditLog(config, note);
    printResult(args, result, toText(result));
  });
}
