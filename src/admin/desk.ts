// A thread that does an operator's duties with a connection of its own, so that no look through the store, however long, holds up the
// event loop that serves.
import { Worker } from 'node:worker_threads';
import type { Duty, Asked, Done } from './duties.ts';
import { BonafideError } from '../errors.ts';
import { codeFile } from '../platform/assets.ts';
import type { StoreLocation } from '../store/store.ts';
import type { FromDesk, ToDesk } from './desk-thread.ts';
import { valueOf } from './outcome.ts';

export interface Desk {
  /**
   * Has a duty done. `actor` is who asks, for the audit log.
   *
   * Errors: those of the duty; overloaded where too many wait; store_unavailable where the thread ended.
   */
  ask<D extends Duty>(duty: D, asked: Asked<D>, actor: string): Promise<Done<D>>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(done: unknown): void;
  reject(error: unknown): void;
}

const MOST_WAITING = 64;

/** The thread is started when it is first asked, and again after it ended. */
export function openDesk(place: StoreLocation): Desk {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;

  function start(): Worker {
    const born = new Worker(codeFile('admin/desk-thread'), { workerData: place });
    born.on('message', (answer: FromDesk) => settle(answer));
    born.on('error', () => lost(born));
    born.on('exit', () => lost(born));
    // A desk that is not asked keeps no process alive.
    born.unref();
    return born;
  }

  /** What it held may or may not be done. */
  function lost(which: Worker): void {
    if (worker !== which) return;
    worker = null;
    for (const { reject } of waiting.values())
      reject(new BonafideError('store_unavailable', 'The thread of the desk ended.'));
    waiting.clear();
  }

  function settle({ id, ...answer }: FromDesk): void {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
    try {
      one?.resolve(valueOf(answer));
    } catch (error) {
      one?.reject(error);
    }
  }

  return {
    ask: (duty, asked, actor) =>
      new Promise((resolve, reject) => {
        if (waiting.size >= MOST_WAITING)
          return reject(new BonafideError('overloaded', 'Too many administrative requests wait. Try again.'));
        const id = ++last;
        waiting.set(id, { resolve: resolve as (done: unknown) => void, reject });
        worker ??= start();
        worker.ref();
        worker.postMessage({ id, duty, asked, actor } satisfies ToDesk);
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
