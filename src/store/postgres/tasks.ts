// What a server asks of its store beside calls, done by a thread that waits for PostgreSQL: see aside.ts.
import { isTestKey } from '../../accounts/keys.ts';
import type { EarlierCall } from '../../accounts/model.ts';
import { openNoticeQueue } from '../serving/notices.ts';
import { openUsage, type Usage } from '../usage.ts';
import {
  prepareForgetKeys,
  prepareRemovalClock,
  REMOVAL_BATCH_SIZE,
  prepareRemoveCalls,
  prepareAddProbeCounts,
  sumProbesSince,
} from '../serving/writer-statements.ts';
import { prepareSaveLastUsed, type HourlyProbeCounts } from '../serving/key-activity.ts';
import { listKeys } from '../keys.ts';
import { openSessions } from '../serving/sessions.ts';
import type { Store } from '../store.ts';
import { openEarlierCalls } from '../call-log.ts';
import type { RemovalRequest, LastUsedUpdate } from '../serving/recorder.ts';
import { Worker } from 'node:worker_threads';
import { codeFile } from '../../platform/assets.ts';
import { BonafideError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';

/** The tasks on a store, by name. Every one is a statement of its own, or several whose order does not matter. */
export function createTasks(store: Store) {
  const { raw } = store;
  const usage = openUsage(store);
  const notices = openNoticeQueue(raw);
  const sessions = openSessions({ change: (work) => work(raw) });
  const keepUsed = prepareSaveLastUsed(raw);
  const keepProbes = prepareAddProbeCounts(raw);
  const [remove, forget, removalTime] = [
    prepareRemoveCalls(raw),
    prepareForgetKeys(raw),
    prepareRemovalClock(raw),
  ];
  return {
    holds() {
      const keys = listKeys(store);
      return { keys: keys.length > 0, testKeys: keys.some(({ prefix }) => isTestKey(prefix)) };
    },
    probesSince: (since: number) => sumProbesSince(raw, since),
    usageOf: (...asked: Parameters<Usage['ofCaller']>) => usage.ofCaller(...asked),
    callOf: (keyId: string, requestId: string): EarlierCall | undefined =>
      openEarlierCalls(store).callOf(keyId, requestId),
    take: notices.take,
    delivered: notices.delivered,
    failed: notices.failed,
    link: sessions.link,
    spend: sessions.spend,
    begin: sessions.begin,
    find: sessions.find,
    end: sessions.end,
    count: sessions.count,
    used: ({ used }: LastUsedUpdate) => keepUsed(used),
    probes: (hours: HourlyProbeCounts[]) => keepProbes(hours),
    /** One step of what is old; whether there is more. */
    removeOlder({ thanMs, now }: RemovalRequest): boolean {
      const time = removalTime(now, performance.now());
      const removed = [forget(time), thanMs === null ? 0 : remove(time - thanMs)];
      return removed.includes(REMOVAL_BATCH_SIZE);
    },
  };
}

export type Tasks = ReturnType<typeof createTasks>;
export type Task = keyof Tasks;

// A thread of a server's own that asks PostgreSQL in the way of commands, for what is no call's: sessions, looks at usage and earlier calls,
// notices, what is old. So these are written once for both engines, and the event loop that serves waits for none of them.
export interface TaskThread {
  /** Errors: those of the task; overloaded where too many wait; store_unavailable where the thread ended. */
  ask<T extends Task>(task: T, ...asked: Parameters<Tasks[T]>): Promise<ReturnType<Tasks[T]>>;
  close(): Promise<void>;
}

const MOST_WAITING = 256;

interface Waiting {
  resolve(done: unknown): void;
  reject(error: unknown): void;
}

/** The thread is started when it is first asked, and again after it ended. */
export function openTaskThread(url: string): TaskThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;

  function start(): Worker {
    const born = new Worker(codeFile('store/postgres/tasks-thread'), { workerData: { url } });
    born.on('message', settle);
    born.on('error', () => lost(born));
    born.on('exit', () => lost(born));
    born.unref();
    return born;
  }

  function lost(which: Worker): void {
    if (worker !== which) return;
    worker = null;
    const error = new BonafideError('store_unavailable', 'The thread beside the calls ended.');
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function settle(answer: TaskReply): void {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker?.unref();
    if ('failed' in answer) one?.reject(new BonafideError(answer.failed.code, answer.failed.message));
    else one?.resolve(answer.done);
  }

  return {
    ask: (task, ...asked) =>
      new Promise((resolve, reject) => {
        if (waiting.size >= MOST_WAITING)
          return reject(new BonafideError('overloaded', 'Too many questions wait. Try again.'));
        const id = ++last;
        waiting.set(id, { resolve: resolve as (done: unknown) => void, reject });
        worker ??= start();
        worker.ref();
        worker.postMessage({ id, task, asked } satisfies TaskRequest);
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}

export interface TaskRequest {
  id: number;
  task: Task;
  asked: unknown[];
}

export type TaskReply = { id: number } & (
  | { done: unknown }
  | { failed: { code: ErrorCode; message: string } }
);
