// Does work about people on record, which may link a whole graph anew: one after the other, in a thread of its own.
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { codeFile } from '../../platform/assets.ts';
import { type Outcome, valueOf } from '../outcome.ts';
import type { PeopleData, ToPeople } from './thread.ts';
import type { Asking, Done, PeopleWork, WorkAsked, WorkDone } from './work.ts';

export interface PeopleDesk {
  /**
   * Errors: those of the work; `overloaded` where too much waits; `graph_timeout` where it takes longer than anybody waits (it goes on);
   * `graph_unavailable`.
   */
  work<W extends PeopleWork>(work: W, asked: WorkAsked<W>, by: AskedBy): Promise<Done<WorkDone<W>>>;
  close(): Promise<void>;
}

/** How long, in milliseconds, an answer is waited for, where that is another time than usual. */
export type AskedBy = Pick<Asking, 'actor' | 'now'> & { mostWaitMs?: number };

const MOST_WAITING = 16;
const WAIT_MS = 60_000;

/** The thread is started when it is first asked, and again after it ended. */
export function openPeopleDesk(data: PeopleData): PeopleDesk {
  let worker: Worker | null = null;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const start = () => {
    const born = new Worker(codeFile('admin/people/thread'), { workerData: data });
    born.once('exit', () => worker === born && (worker = null));
    born.unref();
    return born;
  };
  return {
    work(work, asked, { mostWaitMs = WAIT_MS, ...by }) {
      if (waiting >= MOST_WAITING)
        return Promise.reject(
          new BonafideError('overloaded', 'Too much about people is asked for. Try again.'),
        );
      waiting++;
      const done = last
        .then(() => answerOf((worker ??= start()), { work, asked, ...by }))
        .finally(() => waiting--);
      last = done.catch(() => undefined);
      return withinTime(done.then(valueOf), mostWaitMs) as never;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

function withinTime<T>(work: Promise<T>, mostWaitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new BonafideError('graph_timeout', 'It takes long, and goes on. Look later what became of it.'));
    const timer = setTimeout(late, mostWaitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function answerOf(thread: Worker, asked: ToPeople): Promise<Outcome> {
  let failed: () => void = () => undefined;
  return new Promise<Outcome>((resolve, reject) => {
    failed = () => reject(new BonafideError('graph_unavailable', 'The thread of the work ended.'));
    thread.once('message', resolve);
    thread.once('error', failed);
    thread.once('exit', failed);
    thread.ref();
    thread.postMessage(asked);
  }).finally(() => {
    thread.unref();
    thread.removeListener('error', failed);
    thread.removeListener('exit', failed);
    thread.removeAllListeners('message');
  });
}
