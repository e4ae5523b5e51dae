// Module of the worker thread that runs store operations, one after another.
import { existsSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { serveThreadCalls } from '../platform/threads/calls.ts';
import { openStoreAtLocation } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import {
  STORE_OPERATIONS,
  type StoreOperationName,
  type StoreOperationSettings,
} from './store-operations.ts';
import type { StoreOperationCall, StoreThreadData } from './store-worker.ts';

const { place, settings }: StoreThreadData = workerData;
let opened: Store | undefined;

serveThreadCalls((name, call) => {
  const { input, actor } = call as StoreOperationCall<StoreOperationName>;
  const run = STORE_OPERATIONS[name as StoreOperationName] as (
    store: Store,
    input: unknown,
    now: number,
    settings: StoreOperationSettings,
  ) => unknown;
  try {
    return run({ ...openStore(), actor }, input, Date.now(), settings);
  } catch (error) {
    throw opened ? opened.toStoreError(error) : error;
  }
});

/** Opens the store. Throws if its file is missing, because a new empty store would hide the loss. */
function openStore(): Store {
  if ('file' in place && !existsSync(place.file))
    throw new BonafideError(
      'store_unavailable',
      'The file store.db is missing in the data folder. Put it back, or restore a backup.',
    );
  return (opened ??= openStoreAtLocation(place));
}
