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

/** Operations that are always accepted: they are few, and store work that is done already, such as checked lines or the entry of a change. */
const UNLIMITED_OPERATIONS: ReadonlySet<StoreOperationName> = new Set<StoreOperationName>([
  'note',
  'jobs.take',
  'jobs.renew',
  'jobs.save',
  'jobs.release',
]);
/** Requests of API callers about their jobs. Downloads of results are limited where they start. */
const CALLER_OPERATIONS: ReadonlySet<StoreOperationName> = new Set<StoreOperationName>([
  'jobs.create',
  'jobs.list',
  'jobs.show',
  'jobs.delete',
]);

/** Returns the groups in which an operation is counted while it is pending, each with its maximum number of pending operations. */
function listLimitedGroups(name: StoreOperationName, actor: string): [group: string, most: number][] {
  if (UNLIMITED_OPERATIONS.has(name)) return [];
  if (!CALLER_OPERATIONS.has(name)) return [['all', MAX_PENDING]];
  return [
    ['all', MAX_PENDING],
    ['callers', MAX_PENDING_OF_CALLERS],
    [`caller ${actor}`, MAX_PENDING_OF_CALLER],
  ];
}

/** Counts pending operations by group. */
function createPendingOperationLimiter() {
  const pending = new Map<string, number>();
  const count = (group: string) => pending.get(group) ?? 0;
  return {
    /** Counts an operation as pending, and returns the function that ends it. Errors: overloaded if one of its groups is full. */
    enter(name: StoreOperationName, actor: string): () => void {
      const groups = listLimitedGroups(name, actor);
      if (groups.some(([group, most]) => count(group) >= most))
        throw new BonafideError('overloaded', 'Too many requests to the store are pending. Try again.');
      for (const [group] of groups) pending.set(group, count(group) + 1);
      return () => {
        for (const [group] of groups)
          if (count(group) > 1) pending.set(group, count(group) - 1);
          else pending.delete(group);
      };
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
