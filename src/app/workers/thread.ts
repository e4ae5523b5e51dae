// Handle of one serving thread in the main thread.
import { Worker, type MessagePort } from 'node:worker_threads';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { ThreadMetricCounts } from '../metrics/thread-metrics.ts';
import { BonafideError } from '../../errors.ts';
import type { ThreadMetrics } from '../../observe/metrics/process.ts';
import { getModuleFile } from '../../platform/assets.ts';
import type {
  ServingThreadData,
  MainThreadHealth,
  MessageFromServingThread,
  MessageToServingThread,
} from './messages.ts';
import { runOperatorServiceCall } from './operator-calls.ts';

export interface ServingThread {
  /** Resolves to the address that the thread listens on; rejects if the thread ends before. */
  listens: Promise<string>;
  /** Resolves to the error that ended the thread, or to null if it was stopped. Never rejects. */
  ended: Promise<unknown>;
  /** Returns the latest metrics that the thread has sent; null before it has sent any. */
  counts(): ThreadMetricCounts | null;
  /** Sends the main thread's state and requests metrics. Returns the number of unanswered requests for metrics; 0 before the thread listens. */
  look(health: MainThreadHealth): number;
  /** Returns the heap and event loop metrics of the thread; if it is too slow, the latest known ones. */
  ask(health: MainThreadHealth): Promise<ThreadMetrics>;
  stop(): void;
  terminate(): void;
}

interface MainThread {
  write(lines: string): void;
  /** Connects the thread to the writer of the store through a port. */
  share(end: MessagePort): void;
  text(): Promise<string>;
  operatorService: OperatorService;
}

/**
 * Heap limit (MB) for young objects in a thread: two semispaces of 16 MB, and one more of that size. More would make garbage collections longer.
 */
const LIMITS = { maxYoungGenerationSizeMb: 48 };
/** Maximum wait (ms) for the metrics of a thread. */
const MAX_WAIT_MS = 1000;

export function startServingThread(
  boot: ServingThreadData,
  { write, share, text, operatorService }: MainThread,
): ServingThread {
  const worker = new Worker(getModuleFile('app/workers/worker'), {
    workerData: boot,
    resourceLimits: LIMITS,
  });
  const send = (message: MessageToServingThread) => worker.postMessage(message);
  let latest: ThreadMetricCounts | null = null;
  let processMetrics: ThreadMetrics = [];
  let isUp = false;
  let unanswered = 0;
  let waiting: (() => void)[] = [];
  const { promise: listens, resolve: up, reject: down } = Promise.withResolvers<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  // Avoids an unhandled rejection: `ended` reports the same error.
  listens.catch(() => undefined);
  let thrown: unknown = null;
  const answered = () => {
    for (const go of waiting) go();
    waiting = [];
  };
  worker.on('message', (message: MessageFromServingThread) => {
    if ('listens' in message) {
      isUp = true;
      up(message.listens);
    } else if ('failed' in message) thrown = new BonafideError(message.failed.code, message.failed.message);
    else if ('lines' in message) write(message.lines);
    else if ('writer' in message) share(message.writer);
    else if ('operatorService' in message)
      void runOperatorServiceCall(operatorService, message.operatorService).then((answer) =>
        send({ operatorService: answer }),
      );
    else if ('metricsId' in message) void text().then((text) => send({ metricsId: message.metricsId, text }));
    else {
      unanswered = 0;
      latest = message.counts;
      if (message.process === null) return;
      processMetrics = message.process;
      answered();
    }
  });
  worker.on('error', (error) => (thrown = error));
  worker.on('exit', () => {
    down(thrown ?? new Error('A serving thread ended.'));
    answered();
    end(thrown);
  });
  return {
    listens,
    ended,
    counts: () => latest,
    look(health) {
      send({ health, withProcess: false });
      return isUp ? unanswered++ : 0;
    },
    ask: (health) =>
      new Promise((resolve) => {
        const late = setTimeout(() => resolve(processMetrics), MAX_WAIT_MS);
        waiting.push(() => {
          clearTimeout(late);
          resolve(processMetrics);
        });
        send({ health, withProcess: true });
      }),
    stop: () => send('stop'),
    terminate: () => void worker.terminate(),
  };
}
