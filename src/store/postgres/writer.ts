// Writer of calls in PostgreSQL. Each batch is one statement, so that it is committed completely or not at
// all. If the answer to a batch is lost, the batch is sent again: the ids of its calls show if it was
// committed.
import { setTimeout as pause } from 'node:timers/promises';
import { toQuotaUsage } from '../../accounts/billing/quota.ts';
import { BonafideError } from '../../errors.ts';
import { withDeadline } from '../../platform/threads/calls.ts';
import { createPlanRowParser } from '../serving/current-plan.ts';
import type { CallBatchResults, CallBatch } from '../serving/ledger.ts';
import type {
  ConnectToStoreWriterFunction,
  StoreWriterReply,
  StoreWriterRequest,
} from '../serving/recorder.ts';
import { CALL_REQUEST_ID_COLUMN_INDEX } from '../serving/writer-statements.ts';
import { createQueryTimeoutError, type PostgresClient } from './client.ts';
import {
  getPostgresErrorCode,
  isAnswerLostError,
  isStoreConnectionLostError,
  isRolledBackError,
  convertPostgresErrorToBonafideError,
} from './errors.ts';

/** Request to the writer that commits no calls: to remove old rows, to store times of last use, or to add counts. */
export type WriterMaintenanceRequest = Exclude<StoreWriterRequest, CallBatch | null>;

export interface PostgresStoreWriterOptions {
  client: PostgresClient;
  notify: boolean;
  onSideRequest(request: WriterMaintenanceRequest): void;
  /** Maximum time (ms) for which a batch is sent again while the connection is lost. */
  mostMs?: number;
  /** Maximum wait for the answer to one attempt, in milliseconds. */
  longestMs?: number;
  /** Returns the time, for tests; null to use the clock of PostgreSQL. */
  clock?: () => number | null;
}

const RETRY_FOR_MS = 5000;
const RETRY_PAUSE_MS = 100;
/** Maximum wait (ms) for one attempt. PostgreSQL cancels a commit before that, so the limit is reached only if an answer is lost. */
const MAX_ATTEMPT_MS = 35_000;

/** Result of the SQL function `commit_1`; see src/store/postgres/migrations. */
export interface CommitFunctionResult {
  /**
   * Calls whose Idempotency-Key was used before: index of the call in the batch, and request id of the earlier call (null if its request was
   * different).
   */
  before: [index: number, countedId: string | null][];
  /** Calls that were charged to an account, or refused: index in the batch, account, and usage of the account after the call. */
  charged: [index: number, account: string, used: number, overage: number, isRefused: boolean][];
  plans: [
    account: string,
    month: string,
    plan: string | null,
    version: number | null,
    terms: string | null,
  ][];
}

/** Creates a function that connects to the writer, which commits batches one after the other. */
export const createPostgresWriterConnectFunction =
  (options: PostgresStoreWriterOptions): ConnectToStoreWriterFunction =>
  ({ onReply, onLost }) =>
  (request) => {
    if (request === null) onLost();
    else if ('rows' in request) void commitBatch(request, options).then(onReply);
    else options.onSideRequest(request);
  };

const UNIQUE_VIOLATION = '23505';

/** Commits a batch of calls. The promise never rejects: an error is part of the reply. */
async function commitBatch(batch: CallBatch, options: PostgresStoreWriterOptions): Promise<StoreWriterReply> {
  const { client, notify, mostMs = RETRY_FOR_MS, longestMs = MAX_ATTEMPT_MS, clock } = options;
  const until = performance.now() + mostMs;
  let mayBeCommitted = false;
  for (;;) {
    const input = { ...toCommitFunctionInput(batch), again: mayBeCommitted };
    try {
      const query = client.unsafe<{ done: CommitFunctionResult }[]>(
        'SELECT commit_1($1, $2, $3) AS done',
        [input, notify, clock?.() ?? null] as never[],
        { prepare: true },
      );
      const [row] = await withDeadline(query, longestMs, () => {
        client.renew();
        return createQueryTimeoutError();
      });
      return { failed: null, outcomes: row ? toBatchResults(row.done) : null };
    } catch (error) {
      // The first attempt may have been committed; then its ids are stored, and nothing is written twice.
      const isWritten = getPostgresErrorCode(error) === UNIQUE_VIOLATION;
      mayBeCommitted ||= isWritten || isAnswerLostError(error);
      const isRetried = isWritten || isStoreConnectionLostError(error) || isRolledBackError(error);
      if (!isRetried || performance.now() > until) return { failed: toFailure(error, mayBeCommitted) };
      await pause(RETRY_PAUSE_MS);
    }
  }
}

function toFailure(thrown: unknown, mayBeCounted: boolean) {
  const error = convertPostgresErrorToBonafideError(thrown);
  const { code, message } =
    error instanceof BonafideError
      ? error
      : { code: 'internal_error' as const, message: 'The calls could not be written.' };
  return { code: code === 'internal_error' ? ('store_unavailable' as const) : code, message, mayBeCounted };
}

/** Converts a batch of calls to the argument of the SQL function `commit_1`. */
export function toCommitFunctionInput({ rows, keys }: CallBatch) {
  const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const calls: unknown[][] = [];
  const outcomeRows: unknown[][] = [];
  for (const [index, row] of rows.entries())
    if (Array.isArray(row)) calls.push([index, ...row]);
    else outcomeRows.push([row.isGenuine ? 1 : 0, row.requestId, row.keyId]);
  const spends = keys.map(([index, { key, request, expires }]) => {
    const row = rows[index];
    const requestId = Array.isArray(row) ? row[CALL_REQUEST_ID_COLUMN_INDEX] : null;
    return [index, toHex(key), toHex(request), expires, requestId];
  });
  return { rows: calls, told: outcomeRows, spends };
}

/** Converts the result of `commit_1` to results by index of the call in the batch. */
export function toBatchResults({ before, charged, plans }: CommitFunctionResult): CallBatchResults {
  const outcomes: NonNullable<CallBatchResults> = new Map(
    before.map(([index, countedId]) => [index, { countedId }]),
  );
  const toPlan = createPlanRowParser();
  const accounts = new Map(
    plans.map(([account, month, ...plan]) => [account, { month, plan: toPlan(...plan) }]),
  );
  for (const [index, account, used, overage, isRefused] of charged) {
    const { month = '', plan = null } = accounts.get(account) ?? {};
    const quotaUsage = plan && toQuotaUsage(plan, { month, used, overage });
    outcomes.set(index, isRefused && quotaUsage ? { refused: quotaUsage } : { quotaUsage });
  }
  return outcomes.size > 0 ? outcomes : null;
}
