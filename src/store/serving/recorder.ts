// Recorder of accepted calls: collects calls into batches and sends them to the writer of the store, which
// commits them.
import type { MessagePort } from 'node:worker_threads';
import { quotaExhaustedError } from '../../accounts/billing/quota.ts';
import { idempotencyMismatchError, type IdempotencyRecord } from '../../accounts/idempotency.ts';
import type { LoggedCall, QuotaUsage } from '../../accounts/model.ts';
import type { PendingRefusal } from '../../accounts/model.ts';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { endOfTurn } from '../../platform/turn.ts';
import type { CallBatchOutcomes, CallBatch, CallChargeResult, EarlierCountedCall } from './ledger.ts';
import { toCallLogRow } from './writer-statements.ts';
import type { CallOutcome, HourlyProbeCounts, CallLogRemovalRequest } from './writer-statements.ts';

/** Writes accepted calls and their associated data through the writer of a store. */
export interface CallRecorder {
  /**
   * Writes one call to the call log. Resolves when the call and its counts are committed to disk. If another call has used the Idempotency-Key,
   * nothing is written.
   *
   * Errors: quota_exhausted if the account's plan has no call left and blocks; idempotency_mismatch; those of the store.
   */
  write(call: LoggedCall, key?: IdempotencyRecord): Promise<RecordedCall>;
  /** Stores the outcome of an earlier call. Resolves when it is on disk. Errors: those of the store. */
  recordOutcome(outcome: CallOutcome): Promise<void>;
  countPending(): number;
  isHealthy(): boolean;
  /** Starts the removal of old calls and of expired Idempotency-Keys, in small batches. Monthly counts are not removed. */
  removeOld(request: CallLogRemovalRequest): void;
  /** Stores when keys were last used (milliseconds since 1970), by key id. */
  saveLastUsed: (lastUsed: ReadonlyMap<string, number>) => void;
  addProbeCounts: (hours: HourlyProbeCounts[]) => void;
  /** Stores refused calls. A refused call that cannot be written is lost, because it is not billed. */
  saveRefusals: (refusals: PendingRefusal[]) => void;
  /** Connects another thread to the writer by that thread's end of a channel. Closes this end if there is no writer now. */
  shareWriter(port: MessagePort): void;
  /** Commits pending calls, then ends the writer or the connection to it. */
  close(): Promise<void>;
}

export interface RecordedCall {
  /** Id of this call, or of the earlier call with the same Idempotency-Key. */
  requestId: string;
  /** Quota usage of the account after the call; null without a plan. */
  quotaUsage: QuotaUsage | null;
}

/** Message to the writer: a batch to commit, rows to remove, values to store, another thread's port, or null to close. */
export type StoreWriterRequest =
  | CallBatch
  | CallLogRemovalRequest
  | { lastUsed: ReadonlyMap<string, number> }
  | { probes: HourlyProbeCounts[] }
  | { refusals: PendingRefusal[] }
  | { port: MessagePort }
  | null;

/** Reply of the writer to a batch: the error (then nothing of the batch was written), or the results. */
export type StoreWriterReply =
  | { failed: { code: ErrorCode; message: string } }
  | { failed: null; outcomes: CallBatchOutcomes };

export interface StoreWriterListener {
  onReply(reply: StoreWriterReply): void;
  /** Called when the writer or its connection is lost, possibly twice. The last batch may or may not be committed. */
  onLost(): void;
}

/** Connects to a writer and returns the function that sends requests. Called again after the connection is lost. */
export type ConnectStoreWriter = (listener: StoreWriterListener) => SendRequest;
type SendRequest = (request: StoreWriterRequest) => void;

/** Call or outcome that waits for its commit. */
interface PendingWrite {
  write: LoggedCall | CallOutcome;
  key: IdempotencyRecord | undefined;
  resolve: (recorded: RecordedCall) => void;
  reject: (error: BonafideError) => void;
}

const RESTART_PAUSE_MS = 500;
const UNHEALTHY_MS = 5000;
/** Number of calls from which a batch is sent without waiting for more. */
const FULL_BATCH = 64;

/**
 * Creates a recorder that writes through `connect`. While one batch is committed, the next batch collects calls, so that a busy server pays one
 * disk flush per batch, and a quiet server does not wait.
 */
export function createCallRecorder(connect: ConnectStoreWriter): CallRecorder {
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

  /** The batch of a lost writer may or may not be on disk, so its calls must not be answered as counted. */
  function handleLoss(lost: SendRequest): void {
    if (writer !== lost) return;
    writer = null;
    const failed = { code: 'store_unavailable' as const, message: 'The writer thread ended.' };
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

  /**
   * A batch waits for the next turn of the event loop while it grows. On a busy server turns are long, and many calls share one commit (80 us,
   * whatever its size); on a quiet server turns take no time.
   */
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
    else settle({ failed: { code: 'store_unavailable', message: 'The writer thread is restarting.' } });
  }

  const add = (write: LoggedCall | CallOutcome, key?: IdempotencyRecord): Promise<RecordedCall> =>
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

/** Maximum number of calls settled in one turn of the event loop; each settled call then writes its answer. */
const SETTLED_PER_TURN = 16;

async function settleBatch(batch: PendingWrite[], reply: StoreWriterReply): Promise<void> {
  for (const [index, write] of batch.entries()) {
    if (index > 0 && index % SETTLED_PER_TURN === 0) await endOfTurn();
    if (reply.failed) write.reject(new BonafideError(reply.failed.code, reply.failed.message));
    else settleWrite(write, reply.outcomes?.get(index));
  }
}

function settleWrite(
  { write: { requestId }, resolve, reject }: PendingWrite,
  outcome: CallChargeResult | EarlierCountedCall | undefined,
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
