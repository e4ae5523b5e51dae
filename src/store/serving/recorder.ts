// Recorder of accepted calls: collects calls into batches and sends them to the writer of the store, which
// commits them.
import type { MessagePort } from 'node:worker_threads';
import { quotaExhaustedError } from '../../accounts/billing/quota.ts';
import { idempotencyMismatchError, type ExpiringRequestFingerprint } from '../../accounts/idempotency.ts';
import type { LoggedCall, QuotaUsage, UnwrittenRefusal } from '../../accounts/model.ts';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { endOfTurn } from '../../platform/turn.ts';
import type { CallBatchResults, CallBatch, CallChargeResult, RepeatedCallResult } from './ledger.ts';
import {
  toCallLogRow,
  type ReportedCallOutcome,
  type HourlySuspiciousCheckCounts,
  type CallLogRemovalRequest,
} from './writer-statements.ts';

/** Sends counted calls and related data to the writer of a store. */
export interface CallRecorder {
  /**
   * Writes one call to the call log. Resolves when the call is committed to disk. Does not write it if a counted call has the same Idempotency-Key.
   * Errors: quota_exhausted if the quota is used up and calls beyond it are refused; idempotency_mismatch; those of the store.
   */
  write(call: LoggedCall, key?: ExpiringRequestFingerprint): Promise<RecordedCall>;
  /** Stores the outcome of an earlier call that its caller reported. Resolves when it is on disk. Errors: those of the store. */
  recordOutcome(outcome: ReportedCallOutcome): Promise<void>;
  countPending(): number;
  isHealthy(): boolean;
  /** Begins to remove old calls and expired Idempotency-Keys, in small batches. Counts of months stay. */
  removeOld(request: CallLogRemovalRequest): void;
  /** Stores when API keys were last used: times (milliseconds since 1970) by key id. */
  saveLastUsed: (lastUsed: ReadonlyMap<string, number>) => void;
  addProbeCounts: (hours: HourlySuspiciousCheckCounts[]) => void;
  /** Stores refused calls. Ignores failures, because refused calls are not billed. */
  saveRefusals: (refusals: UnwrittenRefusal[]) => void;
  /** Connects another thread to the writer by a message port. Closes the port if the writer is not running. */
  shareWriter(port: MessagePort): void;
  /** Commits pending calls, then ends the writer or the connection to it. */
  close(): Promise<void>;
}

interface RecordedCall {
  /** Request id of this call, or of the counted call with the same Idempotency-Key. */
  requestId: string;
  /** Quota usage of the account after the call; null for an account without a plan. */
  quotaUsage: QuotaUsage | null;
}

/** Message to the writer: a batch to commit, rows to remove, values to store, the port of another thread, or null to close. */
export type StoreWriterRequest =
  | CallBatch
  | CallLogRemovalRequest
  | { lastUsed: ReadonlyMap<string, number> }
  | { probes: HourlySuspiciousCheckCounts[] }
  | { refusals: UnwrittenRefusal[] }
  | { port: MessagePort }
  | null;

/** Reply of the writer to a batch: the results of its calls, or an error. With an error, nothing of the batch was written, unless `mayBeCounted`. */
export type StoreWriterReply =
  | { failed: { code: ErrorCode; message: string; mayBeCounted?: boolean } }
  | { failed: null; outcomes: CallBatchResults };

interface StoreWriterListener {
  onReply(reply: StoreWriterReply): void;
  /** Called when the writer or the connection to it is lost, possibly twice. It is then unknown whether the last batch was committed. */
  onLost(): void;
}

/** Connects to a writer and returns the function that sends requests to it. It is called again after the connection was lost. */
export type ConnectToStoreWriterFunction = (listener: StoreWriterListener) => SendRequest;
type SendRequest = (request: StoreWriterRequest) => void;

/** Call, or outcome of a call, that is not committed yet. */
interface PendingWrite {
  write: LoggedCall | ReportedCallOutcome;
  key: ExpiringRequestFingerprint | undefined;
  resolve: (recorded: RecordedCall) => void;
  reject: (error: BonafideError) => void;
}

const RESTART_PAUSE_MS = 500;
const UNHEALTHY_MS = 5000;
/** Number of waiting calls from which a batch is sent at once. */
const FULL_BATCH = 64;

/**
 * Creates a recorder that writes by a writer. Calls that arrive during a commit are collected for the next one, so that many calls share one write to
 * disk.
 */
export function createCallRecorder(connect: ConnectToStoreWriterFunction): CallRecorder {
  let writer: SendRequest | null = null;
  let startedAt = -Infinity;
  let pending: PendingWrite[] = [];
  let committing: PendingWrite[] | null = null;
  let isScheduled = false;
  let failedAt = -Infinity;
  let onClosed: (() => void) | null = null;

  function start(): void {
    startedAt = performance.now();
    const started = connect({ onReply: settle, onLost: () => handleLoss(started) });
    writer = started;
  }

  /** Rejects the calls of the batch without a reply after the writer was lost, because it is unknown whether they were committed. */
  function handleLoss(lost: SendRequest): void {
    if (writer !== lost) return;
    writer = null;
    const failed = {
      code: 'store_unavailable' as const,
      message: 'The thread that writes to the store ended. Send the request again.',
      mayBeCounted: true,
    };
    if (onClosed) committing = [...(committing ?? []), ...pending.splice(0)];
    if (committing) settle({ failed });
    onClosed?.();
  }

  function settle(reply: StoreWriterReply): void {
    const batch = committing ?? [];
    committing = null;
    failedAt = reply.failed ? performance.now() : -Infinity;
    void settleBatch(batch, reply);
    if (pending.length > 0) void schedule();
    else if (onClosed) writer?.(null);
  }

  /** Sends the batch after the current turn of the event loop, so that calls of a busy server share one commit (80 µs). */
  async function schedule(): Promise<void> {
    if (committing || isScheduled) return;
    isScheduled = true;
    let before = 0;
    await endOfTurn();
    while (pending.length > before && pending.length < FULL_BATCH) {
      before = pending.length;
      await endOfTurn();
    }
    sendBatch();
  }

  function restart(): void {
    if (!writer && performance.now() - startedAt >= RESTART_PAUSE_MS) start();
  }

  function sendBatch(): void {
    isScheduled = false;
    if (pending.length === 0) return;
    restart();
    committing = pending;
    pending = [];
    if (writer) writer(toBatch(committing));
    else
      settle({
        failed: {
          code: 'store_unavailable',
          message: 'The thread that writes to the store is restarting. Send the request again.',
        },
      });
  }

  const add = (
    write: LoggedCall | ReportedCallOutcome,
    key?: ExpiringRequestFingerprint,
  ): Promise<RecordedCall> =>
    new Promise((resolve, reject) => {
      if (onClosed)
        return reject(
          new BonafideError('store_unavailable', 'The server is closing. Send the request again.'),
        );
      pending.push({ write, key, resolve, reject });
      void schedule();
    });
  const send = (request: StoreWriterRequest): void => {
    if (!onClosed) writer?.(request);
  };

  start();
  return {
    write: add,
    recordOutcome: (outcome) => add(outcome).then(() => undefined),
    countPending: () => pending.length + (committing?.length ?? 0),
    // A failure expires after a time, because only another call can show if the disk has free space again.
    isHealthy: () => writer !== null && performance.now() - failedAt > UNHEALTHY_MS,
    saveLastUsed: (lastUsed) => send({ lastUsed }),
    addProbeCounts: (probes) => send({ probes }),
    saveRefusals: (refusals) => send({ refusals }),
    removeOld: send,
    shareWriter(port) {
      if (!onClosed) restart();
      if (writer && !onClosed) writer({ port });
      else port.close();
    },
    close: () =>
      new Promise((resolve) => {
        onClosed = resolve;
        if (!writer) resolve();
        else if (!committing && pending.length === 0) writer(null);
      }),
  };
}

/** Maximum number of calls whose promises are settled in one turn of the event loop, because each of these calls then writes its answer. */
const SETTLED_PER_TURN = 16;

async function settleBatch(batch: PendingWrite[], reply: StoreWriterReply): Promise<void> {
  for (const [index, write] of batch.entries()) {
    if (index > 0 && index % SETTLED_PER_TURN === 0) await endOfTurn();
    if (reply.failed) {
      const { code, message, ...details } = reply.failed;
      write.reject(new BonafideError(code, message, details));
    } else settleWrite(write, reply.outcomes?.get(index));
  }
}

function settleWrite(
  { write: { requestId }, resolve, reject }: PendingWrite,
  outcome: CallChargeResult | RepeatedCallResult | undefined,
): void {
  if (!outcome) resolve({ requestId, quotaUsage: null });
  else if ('refused' in outcome) reject(quotaExhaustedError(outcome.refused, Date.now()));
  else if ('quotaUsage' in outcome) resolve({ requestId, quotaUsage: outcome.quotaUsage });
  else if (outcome.countedId === null) reject(idempotencyMismatchError());
  else resolve({ requestId: outcome.countedId, quotaUsage: null });
}

function toBatch(writes: PendingWrite[]): CallBatch {
  const keys: CallBatch['keys'] = [];
  for (const [index, { key }] of writes.entries()) if (key) keys.push([index, key]);
  return { rows: writes.map(({ write }) => ('isGenuine' in write ? write : toCallLogRow(write))), keys };
}
