import type { MessagePort } from 'node:worker_threads';
import { quotaExhaustedError } from '../../accounts/billing/quota.ts';
import { idempotencyMismatchError, type IdempotencyRecord } from '../../accounts/idempotency.ts';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import type { LoggedCall, QuotaUsage } from '../../accounts/model.ts';
import { endOfTurn } from '../../platform/turn.ts';
import type { CallBatch, BatchOutcomes, ChargeResult } from './ledger.ts';
import { type EarlierSpend, toCallRow, type CallOutcome } from './writer-statements.ts';
import type { HourlyProbeCounts } from './key-activity.ts';

export interface Recorder {
  /**
   * Writes one call to the call log: resolves once the call's counts and its row are committed to disk; rejects with a BonafideError else.
   * `spend` is of a call with an Idempotency-Key; where another call spent that before, nothing is written.
   *
   * Errors: quota_exhausted where its account's plan has no call left and blocks; idempotency_mismatch; those of the store.
   */
  write(call: LoggedCall, spend?: IdempotencyRecord): Promise<RecordedCall>;
  /** Keeps how an earlier call turned out: resolves once it is on disk. Errors: those of the store. */
  recordOutcome(told: CallOutcome): Promise<void>;
  /** How many calls wait to be on disk. */
  waiting(): number;
  /** Whether the writer lives and its last commit went through. */
  healthy(): boolean;
  /** Has calls removed from the call log that are older than this, and Idempotency-Keys whose time is over, a few at a time; the months keep their number. */
  removeOlder(age: RemovalRequest): void;
  /** Has written when keys were used last. */
  used: (keys: LastUsedUpdate['used']) => void;
  /** Has counts of how keys ask added to those that are kept. */
  probes: (hours: HourlyProbeCounts[]) => void;
  /** Has the writer listen to another thread as well, whose end of the line this is; it is closed where there is no writer now. */
  share(line: MessagePort): void;
  /** Commits what is waiting, then ends the writer, or the line to it. */
  close(): Promise<void>;
}

/** A call that counts. */
export interface RecordedCall {
  /** Its own, or that of the call that spent its Idempotency-Key before. */
  requestId: string;
  /** Where its account stands with it; null without a plan. */
  quotaUsage: QuotaUsage | null;
}

interface Waiting {
  call: LoggedCall | CallOutcome;
  spend: IdempotencyRecord | undefined;
  resolve: (recorded: RecordedCall) => void;
  reject: (error: BonafideError) => void;
}

const RESTART_PAUSE_MS = 500;
const UNHEALTHY_MS = 5000;
const ENOUGH = 64;

/** So many are told in one turn of the event loop: each then writes its answer. */
const TOLD_AT_ONCE = 16;

async function tell(batch: Waiting[], answer: WriterReply): Promise<void> {
  for (const [place, waiting] of batch.entries()) {
    if (place > 0 && place % TOLD_AT_ONCE === 0) await endOfTurn();
    if (answer.failed) waiting.reject(new BonafideError(answer.failed.code, answer.failed.message));
    else settleOne(waiting, answer.outcomes?.get(place));
  }
}

/**
 * Records through a writer thread, whoever keeps it. One batch is being committed while
 * the next one gathers, so a busy server pays for one disk flush per batch and a quiet one waits for nobody.
 */
export function createRecorder(connect: ConnectWriter): Recorder {
  let writer: WriterConnection | null = null;
  let started = -Infinity;
  let gathering: Waiting[] = [];
  let committing: Waiting[] | null = null;
  let scheduled = false;
  let failedAt = -Infinity;
  let closing: (() => void) | null = null;

  function start(): void {
    started = performance.now();
    const line: WriterConnection = connect({ answered: settle, lost: () => lost(line) });
    writer = line;
  }

  /** The writer is gone. What it held may or may not be on disk, so those calls must not be answered as counted. */
  function lost(which: WriterConnection): void {
    if (writer !== which) return;
    writer = null;
    const failed = { code: 'store_unavailable' as const, message: 'The writer thread ended.' };
    if (closing) committing = [...(committing ?? []), ...gathering.splice(0)];
    if (committing) settle({ failed });
    closing?.();
  }

  function settle(answer: WriterReply): void {
    const batch = committing ?? [];
    committing = null;
    failedAt = answer.failed ? performance.now() : -Infinity;
    void tell(batch, answer);
    if (gathering.length > 0) void gather();
    else if (closing) writer?.tell(null);
  }

  /**
   * A batch waits for the next turn of the event loop while it still grows: turns are long when there is much to do, and then a commit
   * (80 us, however small) is shared by many; on a quiet server they take no time.
   */
  async function gather(): Promise<void> {
    if (committing || scheduled) return;
    scheduled = true;
    let before = 0;
    await endOfTurn();
    while (gathering.length > before && gathering.length < ENOUGH) {
      before = gathering.length;
      await endOfTurn();
    }
    send();
  }

  function restart(): void {
    if (!writer && performance.now() - started >= RESTART_PAUSE_MS) start();
  }

  function send(): void {
    scheduled = false;
    if (gathering.length === 0) return;
    restart();
    committing = gathering;
    gathering = [];
    if (writer) writer.tell(batchOf(committing));
    else settle({ failed: { code: 'store_unavailable', message: 'The writer thread is restarting.' } });
  }

  const put = (call: LoggedCall | CallOutcome, spend?: IdempotencyRecord): Promise<RecordedCall> =>
    new Promise((resolve, reject) => {
      if (closing) return reject(new BonafideError('store_unavailable', 'The recorder is closed.'));
      gathering.push({ call, spend, resolve, reject });
      void gather();
    });

  start();
  return {
    write: put,
    recordOutcome: (told) => put(told).then(() => undefined),
    // A failure fades by itself: only another call can find out whether the disk has room again.
    waiting: () => gathering.length + (committing?.length ?? 0),
    healthy: () => writer !== null && performance.now() - failedAt > UNHEALTHY_MS,
    used: (used) => void (closing ?? writer?.tell({ used })),
    probes: (probes) => void (closing ?? writer?.tell({ probes })),
    removeOlder: (age) => void (closing ?? writer?.tell(age)),
    share(line) {
      if (!closing) restart();
      if (writer && !closing) writer.tell({ line });
      else line.close();
    },
    close: () =>
      new Promise((resolve) => {
        closing = resolve;
        if (!writer) resolve();
        else if (!committing && gathering.length === 0) writer.tell(null);
      }),
  };
}

function settleOne(
  { call, resolve, reject }: Waiting,
  outcome: ChargeResult | EarlierSpend | undefined,
): void {
  if (!outcome) resolve({ requestId: call.requestId, quotaUsage: null });
  else if ('refused' in outcome) reject(quotaExhaustedError(outcome.refused, Date.now()));
  else if ('quotaUsage' in outcome) resolve({ requestId: call.requestId, quotaUsage: outcome.quotaUsage });
  else if (outcome.counted === null) reject(idempotencyMismatchError());
  else resolve({ requestId: outcome.counted, quotaUsage: null });
}

function batchOf(waiting: Waiting[]): CallBatch {
  const spends: CallBatch['spends'] = [];
  for (const [place, { spend }] of waiting.entries()) if (spend) spends.push([place, spend]);
  return { rows: waiting.map(({ call }) => ('genuine' in call ? call : toCallRow(call))), spends };
}

// What is said between those who record calls and the writer that commits them.
/** How old calls must be to be removed, null where none is, and what time it is: milliseconds. */
export interface RemovalRequest {
  thanMs: number | null;
  now: number;
}

/** Keys by their id, and when each was used last (milliseconds). */
export interface LastUsedUpdate {
  used: ReadonlyMap<string, number>;
}

/** To the writer: a batch of calls to commit together, what to remove, the end of another thread's line, or null to close. */
export type WriterRequest =
  | CallBatch
  | RemovalRequest
  | LastUsedUpdate
  | { probes: HourlyProbeCounts[] }
  | { line: MessagePort }
  | null;
/** From the writer: what failed, as code and sentence (then nothing of the batch is kept), or what became of the calls. */
export type WriterReply =
  | { failed: { code: ErrorCode; message: string } }
  | { failed: null; outcomes: BatchOutcomes };

export interface WriterConnection {
  tell(told: WriterRequest): void;
}

interface WriterListener {
  answered(answer: WriterReply): void;
  /** The writer is gone, or the line to it; what it was told last may be done or not. May be said twice. */
  lost(): void;
}

/** Makes a line to a writer; called again after the line is lost. */
export type ConnectWriter = (ear: WriterListener) => WriterConnection;
