import type { MessagePort } from 'node:worker_threads';
import { quotaExhausted } from '../accounts/billing/quota.ts';
import { mismatch } from '../accounts/idempotency.ts';
import type { Spending } from '../accounts/idempotency.ts';
import { BonafideError } from '../errors.ts';
import type { LoggedCall, Standing } from '../accounts/model.ts';
import { endOfTurn } from '../platform/turn.ts';
import type { Batch } from './billing/commit.ts';
import type { Charged } from './billing/ledger.ts';
import type { Before } from './idempotency/spend.ts';
import type { HourOfProbes } from './probes/gather.ts';
import { toRow } from './write.ts';
import type { Told } from './write.ts';
import type { Connect, FromWriter, Line, Removal, Used } from './writing.ts';

export interface Recorder {
  /**
   * Writes one call to the call log: resolves once the call's counts and its row are committed to disk; rejects with a BonafideError else.
   * `spend` is of a call with an Idempotency-Key; where another call spent that before, nothing is written.
   *
   * Errors: quota_exhausted where its account's plan has no call left and blocks; idempotency_mismatch; those of the store.
   */
  write(call: LoggedCall, spend?: Spending): Promise<Recorded>;
  /** Keeps how an earlier call turned out: resolves once it is on disk. Errors: those of the store. */
  tellOutcome(told: Told): Promise<void>;
  /** How many calls wait to be on disk. */
  waiting(): number;
  /** Whether the writer lives and its last commit went through. */
  healthy(): boolean;
  /** Has calls removed from the call log that are older than this, and Idempotency-Keys whose time is over, a few at a time; the months keep their number. */
  removeOlder(age: Removal): void;
  /** Has written when keys were used last. */
  used: (keys: Used['used']) => void;
  /** Has counts of how keys ask added to those that are kept. */
  probes: (hours: HourOfProbes[]) => void;
  /** Has the writer listen to another thread as well, whose end of the line this is; it is closed where there is no writer now. */
  share(line: MessagePort): void;
  /** Commits what is waiting, then ends the writer, or the line to it. */
  close(): Promise<void>;
}

/** A call that counts. */
export interface Recorded {
  /** Its own, or that of the call that spent its Idempotency-Key before. */
  requestId: string;
  /** Where its account stands with it; null without a plan. */
  quotaUsage: Standing | null;
}

interface Waiting {
  call: LoggedCall | Told;
  spend: Spending | undefined;
  resolve: (recorded: Recorded) => void;
  reject: (error: BonafideError) => void;
}

const RESTART_PAUSE_MS = 500;
const UNHEALTHY_MS = 5000;
const ENOUGH = 64;

/** So many are told in one turn of the event loop: each then writes its answer. */
const TOLD_AT_ONCE = 16;

async function tell(batch: Waiting[], answer: FromWriter): Promise<void> {
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
export function recordThrough(connect: Connect): Recorder {
  let writer: Line | null = null;
  let started = -Infinity;
  let gathering: Waiting[] = [];
  let committing: Waiting[] | null = null;
  let scheduled = false;
  let failedAt = -Infinity;
  let closing: (() => void) | null = null;

  function start(): void {
    started = performance.now();
    const line: Line = connect({ answered: settle, lost: () => lost(line) });
    writer = line;
  }

  /** The writer is gone. What it held may or may not be on disk, so those calls must not be answered as counted. */
  function lost(which: Line): void {
    if (writer !== which) return;
    writer = null;
    const failed = { code: 'store_unavailable' as const, message: 'The writer thread ended.' };
    if (closing) committing = [...(committing ?? []), ...gathering.splice(0)];
    if (committing) settle({ failed });
    closing?.();
  }

  function settle(answer: FromWriter): void {
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

  const put = (call: LoggedCall | Told, spend?: Spending): Promise<Recorded> =>
    new Promise((resolve, reject) => {
      if (closing) return reject(new BonafideError('store_unavailable', 'The recorder is closed.'));
      gathering.push({ call, spend, resolve, reject });
      void gather();
    });

  start();
  return {
    write: put,
    tellOutcome: (told) => put(told).then(() => undefined),
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

function settleOne({ call, resolve, reject }: Waiting, outcome: Charged | Before | undefined): void {
  if (!outcome) resolve({ requestId: call.requestId, quotaUsage: null });
  else if ('refused' in outcome) reject(quotaExhausted(outcome.refused, Date.now()));
  else if ('standing' in outcome) resolve({ requestId: call.requestId, quotaUsage: outcome.standing });
  else if (outcome.counted === null) reject(mismatch());
  else resolve({ requestId: outcome.counted, quotaUsage: null });
}

function batchOf(waiting: Waiting[]): Batch {
  const spends: Batch['spends'] = [];
  for (const [place, { spend }] of waiting.entries()) if (spend) spends.push([place, spend]);
  return { rows: waiting.map(({ call }) => ('genuine' in call ? call : toRow(call))), spends };
}
