// Runs store operations in a worker thread with its own store connection, so that a slow operation does not block the event loop that
// serves requests.
import { BonafideError } from '../errors.ts';
import { createLazyWorkerThread } from '../platform/threads/calls.ts';
import type { StoreLocation } from '../store/store.ts';
import type {
  StoreOperationInput,
  StoreOperationName,
  StoreOperationResult,
  StoreOperationSettings,
} from './store-operations.ts';

export interface StoreWorker {
  /**
   * Runs a store operation. `actor` is the API key or user that the audit log names. Errors: overloaded if too many are pending, store_unavailable
   * if the thread ended, errors of the operation.
   */
  run<Name extends StoreOperationName>(
    name: Name,
    input: StoreOperationInput<Name>,
    actor: string,
  ): Promise<StoreOperationResult<Name>>;
  close(): Promise<void>;
}

export interface StoreThreadData {
  place: StoreLocation;
  settings: StoreOperationSettings;
}

export interface StoreOperationCall<Name extends StoreOperationName> {
  input: StoreOperationInput<Name>;
  actor: string;
}

type StoreCalls = {
  [Name in StoreOperationName]: (call: StoreOperationCall<Name>) => StoreOperationResult<Name>;
};

const MAX_PENDING = 64;

export function openStoreWorker(data: StoreThreadData): StoreWorker {
  const thread = createLazyWorkerThread<StoreCalls>({
    file: 'admin/store-thread',
    workerData: data,
    maxPending: {
      calls: MAX_PENDING,
      toError: () =>
        new BonafideError('overloaded', 'Too many administrative requests are pending. Try again.'),
    },
    toEndedError: () =>
      new BonafideError(
        'store_unavailable',
        'The operation stopped because the thread of the store ended. Send the request again.',
      ),
  });
  return {
    run: (name, input, actor) => thread.call(name, { input, actor } as never) as never,
    close: thread.close,
  };
}
