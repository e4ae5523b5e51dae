// One thread that serves, as its keeper has it.
import { Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Figures } from '../observed/figures.ts';
import { BonafideError } from '../../errors.ts';
import type { ThreadMetrics } from '../../observe/metrics/process.ts';
import { codeFile } from '../../platform/assets.ts';
import type { Boot, Found, FromThread, ToThread } from './messages.ts';
import { answerOperatorCall } from './office.ts';

export interface Thread {
  /** Where it listens; rejects where it ends before it does. */
  listens: Promise<string>;
  /** What ended it; null where it was told to stop. Never rejects. */
  ended: Promise<unknown>;
  /** Its latest figures. */
  figures(): Figures | null;
  /** Tells it what was found. It is asked for figures thereby; returns how many times it was asked since its last answer, once it listens. */
  look(found: Found): number;
  /** Its figures of this moment, or the latest where it does not answer. */
  ask(found: Found): Promise<ThreadMetrics>;
  stop(): void;
  terminate(): void;
}

interface Keeper {
  write(lines: string): void;
  /** Gives the writer an end of a line to the thread. */
  share(end: MessagePort): void;
  /** The figures of all threads. */
  text(): Promise<string>;
  office: OperatorService;
}

/** Young objects get 16 MB, twice: a collection of more would hold the event loop for longer; see src/commands/shared/heap.ts. */
const LIMITS = { maxYoungGenerationSizeMb: 48 };
/** Who asks for figures does not wait longer for a thread. */
const MOST_WAIT_MS = 1000;

export function startThread(boot: Boot, { write, share, text, office }: Keeper): Thread {
  const worker = new Worker(codeFile('app/workers/worker'), { workerData: boot, resourceLimits: LIMITS });
  const tell = (told: ToThread) => worker.postMessage(told);
  let latest: Figures | null = null;
  let ofProcess: ThreadMetrics = [];
  let isUp = false;
  let unanswered = 0;
  let waiting: (() => void)[] = [];
  const { promise: listens, resolve: up, reject: down } = Promise.withResolvers<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  // Nobody has to listen for it: `ended` tells the same.
  listens.catch(() => undefined);
  let thrown: unknown = null;
  const answered = () => {
    for (const go of waiting) go();
    waiting = [];
  };
  worker.on('message', (told: FromThread) => {
    if ('listens' in told) {
      isUp = true;
      up(told.listens);
    } else if ('failed' in told) thrown = new BonafideError(told.failed.code, told.failed.message);
    else if ('lines' in told) write(told.lines);
    else if ('writer' in told) share(told.writer);
    else if ('office' in told)
      void answerOperatorCall(office, told.office).then((answer) => tell({ office: answer }));
    else if ('asked' in told) void text().then((text) => tell({ asked: told.asked, text }));
    else {
      unanswered = 0;
      latest = told.figures;
      if (told.process === null) return;
      ofProcess = told.process;
      answered();
    }
  });
  worker.on('error', (error) => (thrown = error));
  worker.on('exit', () => {
    down(thrown ?? new Error('The thread ended.'));
    answered();
    end(thrown);
  });
  return {
    listens,
    ended,
    figures: () => latest,
    look(found) {
      tell({ found, withProcess: false });
      return isUp ? unanswered++ : 0;
    },
    ask: (found) =>
      new Promise((resolve) => {
        const late = setTimeout(() => resolve(ofProcess), MOST_WAIT_MS);
        waiting.push(() => {
          clearTimeout(late);
          resolve(ofProcess);
        });
        tell({ found, withProcess: true });
      }),
    stop: () => tell('stop'),
    terminate: () => void worker.terminate(),
  };
}
