// Tasks of a server that are not on the path of a call: sessions, usage, earlier calls, notices, removals. A separate thread runs them
// with the same statements as SQLite and blocks until PostgreSQL answers, so the event loop that serves never waits.
import { Worker } from 'node:worker_threads';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { codeFile } from '../../platform/assets.ts';
import { findCallOfKey } from '../call-log.ts';
import { getKeyPresence } from '../keys.ts';
import { openNoticeQueue } from '../serving/notices.ts';
import { openSessions } from '../serving/sessions.ts';
import {
  prepareAddProbeCounts,
  prepareRemoveOld,
  prepareSaveLastUsed,
  sumProbesSince,
} from '../serving/writer-statements.ts';
import type { Store } from '../store.ts';
import { openUsage } from '../usage.ts';

/** Returns the tasks on a store, by name. Each is one statement, or several whose order does not matter. */
export function createTasks(store: Store) {
  const { raw } = store;
  const { getCallerUsage } = openUsage(store);
  return {
    ...openSessions((work) => work(raw)),
    ...openNoticeQueue(raw),
    getCallerUsage,
    getKeyPresence: () => getKeyPresence(store),
    sumProbesSince: (since: number) => sumProbesSince(raw, since),
    findCall: (keyId: string, requestId: string) => findCallOfKey(store, keyId, requestId),
    saveLastUsed: prepareSaveLastUsed(raw),
    addProbeCounts: prepareAddProbeCounts(raw),
    removeOld: prepareRemoveOld(raw),
  };
}

type Tasks = ReturnType<typeof createTasks>;
export type TaskName = keyof Tasks;

/** Tasks that a thread runs. */
type AsyncTasks = {
  [N in TaskName]: (...args: Parameters<Tasks[N]>) => Promise<ReturnType<Tasks[N]>>;
};

export interface TaskThread {
  /**
   * Returns some of the tasks, as functions. Errors of each: those of the task; overloaded if too many requests wait; store_unavailable if
   * the thread ended.
   */
  pick<N extends TaskName>(...names: N[]): Pick<AsyncTasks, N>;
  close(): Promise<void>;
}

/** Request to the task thread. */
export interface TaskRequest {
  id: number;
  task: TaskName;
  args: unknown[];
}

/** Reply of the task thread. */
export type TaskReply = { id: number } & (
  | { result: unknown }
  | { failed: { code: ErrorCode; message: string } }
);

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const MAX_PENDING = 256;

/** Returns the task thread of a store. The thread starts at the first request, and again after it ended. */
export function openTaskThread(url: string): TaskThread {
  const pending = new Map<number, PendingRequest>();
  let worker: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(codeFile('store/postgres/tasks-thread'), { workerData: { url } });
    started.on('message', settle);
    started.on('error', () => handleEnd(started));
    started.on('exit', () => handleEnd(started));
    return started;
  }

  function handleEnd(ended: Worker): void {
    if (worker !== ended) return;
    worker = null;
    const error = new BonafideError('store_unavailable', 'The thread beside the calls ended.');
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }

  function settle(reply: TaskReply): void {
    const request = pending.get(reply.id);
    pending.delete(reply.id);
    if (pending.size === 0) worker?.unref();
    if ('failed' in reply) request?.reject(new BonafideError(reply.failed.code, reply.failed.message));
    else request?.resolve(reply.result);
  }

  const run = (task: TaskName, args: unknown[]) =>
    new Promise((resolve, reject) => {
      if (pending.size >= MAX_PENDING)
        return reject(new BonafideError('overloaded', 'Too many questions wait. Try again.'));
      const id = ++lastId;
      pending.set(id, { resolve, reject });
      worker ??= start();
      worker.ref();
      worker.postMessage({ id, task, args } satisfies TaskRequest);
    });

  return {
    pick: <N extends TaskName>(...names: N[]) =>
      Object.fromEntries(
        names.map((name) => [name, (...args: unknown[]) => run(name, args)]),
      ) as unknown as Pick<AsyncTasks, N>,
    close: async () => {
      await worker?.terminate();
    },
  };
}
