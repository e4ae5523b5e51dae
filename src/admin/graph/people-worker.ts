// Runs operations on people on record in a worker thread, one after another, because an operation may link the whole graph again.
import { BonafideError } from '../../errors.ts';
import { createLazyWorkerThread, withDeadline } from '../../platform/threads/calls.ts';
import type {
  PeopleOperationContext,
  PeopleOperationInput,
  PeopleOperationName,
  AuditedResult,
  PeopleOperationResult,
} from './people-operations.ts';
import type { GraphThreadData, PeopleOperationCall } from './graph-thread.ts';

export interface PeopleOperationWorker {
  /**
   * Runs an operation on the people on record. Errors: overloaded if too many are pending; graph_timeout if it takes too long (it continues);
   * graph_unavailable; errors of the operation.
   */
  run<Name extends PeopleOperationName>(
    name: Name,
    input: PeopleOperationInput<Name>,
    caller: PeopleOperationCallOptions,
  ): Promise<AuditedResult<PeopleOperationResult<Name>>>;
  close(): Promise<void>;
}

/** Caller of an operation on the people on record, time of the call (ms since 1970), and maximum time that the caller waits (ms). */
export type PeopleOperationCallOptions = Pick<PeopleOperationContext, 'actor' | 'now'> & {
  maxWaitMs?: number;
};

type PeopleCalls = {
  [Name in PeopleOperationName]: (call: PeopleOperationCall) => AuditedResult<PeopleOperationResult<Name>>;
};

const MAX_PENDING = 16;
const MAX_WAIT_MS = 60_000;

/** Creates the worker for operations on the people on record. Its thread starts at the first operation. */
export function openPeopleOperationWorker(workerData: GraphThreadData): PeopleOperationWorker {
  const thread = createLazyWorkerThread<PeopleCalls>({
    file: 'admin/graph/graph-thread',
    workerData,
    maxPending: {
      calls: MAX_PENDING,
      toError: () =>
        new BonafideError('overloaded', 'Too many operations on people on record are pending. Try again.'),
    },
    toEndedError: () =>
      new BonafideError(
        'graph_unavailable',
        'The operation stopped because its thread ended. Send the request again.',
      ),
  });
  return {
    run: (name, input, { maxWaitMs = MAX_WAIT_MS, ...caller }) =>
      withDeadline(thread.call(name, { input, ...caller }), maxWaitMs, toTimeoutError) as never,
    close: thread.close,
  };
}

const toTimeoutError = () =>
  new BonafideError(
    'graph_timeout',
    'The operation is not finished, and continues. Do not repeat it: look up the person again in a few minutes.',
  );
