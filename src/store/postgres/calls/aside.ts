// A thread of a server's own that asks PostgreSQL in the way of commands, for what is no call's: sessions, looks at usage and earlier calls,
// notices, what is old. So these are written once for both engines, and the event loop that serves waits for none of them.
import { Worker } from 'node:worker_threads';
import { codeFile } from '../../../platform/assets.ts';
import { BonafideError } from '../../../errors.ts';
import type { FromAside, ToAside } from './aside-thread.ts';
import type { Task, Tasks } from './tasks.ts';

export interface Aside {
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
export function openAside(url: string): Aside {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;

  function start(): Worker {
    const born = new Worker(codeFile('store/postgres/calls/aside-thread'), { workerData: { url } });
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

  function settle(answer: FromAside): void {
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
        worker.postMessage({ id, task, asked } satisfies ToAside);
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
