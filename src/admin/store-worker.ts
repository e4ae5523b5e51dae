// Runs store operations in a worker thread with its own store connection, so that a slow operation does not block the event loop that
// serves requests.
import { createInFlightLimiter, type InFlightLimiter } from '../accounts/in-flight.ts';
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
   * Runs a store operation. `actor` is the API key or user that the audit log names, or the owner of the jobs on which an API caller operates. Errors:
   * overloaded if too many are pending, store_unavailable if the thread ended, errors of the operation.
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
/** Maximum number of pending operations of all API callers. The difference to `MAX_PENDING` is left to the operator. */
const MAX_PENDING_OF_CALLERS = 48;
const MAX_PENDING_OF_CALLER = 16;

/** Operations that are never refused. They are few: they keep jobs running, or store completed work (checked lines, audit entries). */
const UNLIMITED_OPERATIONS: ReadonlySet<StoreOperationName> = new Set<StoreOperationName>([
  'note',
  'jobs.take',
  'jobs.renew',
  'jobs.save',
  'jobs.release',
]);
/** Operations of API callers on their jobs. The HTTP route limits downloads (`jobs.results`). */
const CALLER_OPERATIONS: ReadonlySet<StoreOperationName> = new Set<StoreOperationName>([
  'jobs.create',
  'jobs.list',
  'jobs.show',
  'jobs.delete',
]);

/** Creates the limit of pending operations. `enter` returns the function that ends an operation. Errors of `enter`: overloaded. */
function createPendingOperationLimiter() {
  const all = createInFlightLimiter({ perKey: MAX_PENDING, total: MAX_PENDING });
  const callers = createInFlightLimiter({ perKey: MAX_PENDING_OF_CALLER, total: MAX_PENDING_OF_CALLERS });
  return {
    enter(name: StoreOperationName, actor: string): () => void {
      const limiters = UNLIMITED_OPERATIONS.has(name)
        ? []
        : CALLER_OPERATIONS.has(name)
          ? [callers, all]
          : [all];
      const entered: InFlightLimiter[] = [];
      const leave = () => entered.forEach((limiter) => limiter.leave(actor));
      try {
        for (const limiter of limiters) {
          limiter.enter(actor);
          entered.push(limiter);
        }
        return leave;
      } catch {
        leave();
        throw new BonafideError('overloaded', 'Too many requests to the store are pending. Try again.');
      }
    },
  };
}

export function openStoreWorker(data: StoreThreadData): StoreWorker {
  const thread = createLazyWorkerThread<StoreCalls>({
    file: 'admin/store-thread',
    workerData: data,
    toEndedError: () =>
      new BonafideError(
        'store_unavailable',
        'The operation stopped because the thread of the store ended. Send the request again.',
      ),
  });
  const limiter = createPendingOperationLimiter();
  return {
    async run(name, input, actor) {
      const leave = limiter.enter(name, actor);
      try {
        return (await thread.call(name, { input, actor } as never)) as never;
      } finally {
        leave();
      }
    },
    close: thread.close,
  };
}
