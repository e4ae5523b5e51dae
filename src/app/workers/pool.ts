// Starts the serving threads, replaces a thread that ends, and adds up their metrics.
import { clearThreadInFlightCounts, allocateInFlightCounts } from '../../accounts/in-flight.ts';
import {
  formatServerMetrics,
  toCountersOfEndedThread,
  sumThreadMetricCounts,
  type ThreadMetricCounts,
} from '../metrics/thread-metrics.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { ServerDatabases } from '../data/databases.ts';
import { createStoreMetricsReader } from '../metrics/harvest.ts';
import { createOutageReporter } from '../metrics/outages.ts';
import type { Log } from '../../observe/log.ts';
import { formatMetricsOfAllThreads } from '../../observe/metrics/process.ts';
import { releaseLockOfEndedThread, allocateThreadLockMemory } from '../../platform/threads/lock.ts';
import type { ServingThreadData, MainThreadHealth } from './messages.ts';
import { startServingThread, type ServingThread } from './thread.ts';

export interface ServingThreads {
  url: string;
  /** Lets running calls finish, then ends the threads. */
  close(): Promise<void>;
}

export interface ServingThreadsOptions {
  config: ServingThreadData['config'];
  threadCount: number;
  data: Pick<ServerDatabases, 'engine' | 'graph' | 'watch' | 'watchThread'>;
  operatorService: OperatorService;
  log: Log;
  write(lines: string): void;
  /** Returns the state that only the main thread can determine. */
  health(): MainThreadHealth;
}

const LOOK_EVERY_MS = 1000;
/** Number of unanswered requests for metrics after which a thread counts as blocked and is ended. */
const MAX_UNANSWERED = 30;
/** Lifetime (ms) below which a thread is replaced only after a pause, because it would probably end again. */
const MIN_LIFETIME_MS = 10_000;
const PAUSE_MS = 1000;

/** Starts the serving threads; resolves when all of them listen. If one fails, all are ended and its error is thrown. */
export async function startServingThreads(options: ServingThreadsOptions): Promise<ServingThreads> {
  const { threadCount: of, data, log, health } = options;
  const threads = new Map<number, ServingThread>();
  const inFlightCounts = allocateInFlightCounts(of);
  const lock = allocateThreadLockMemory();
  let endedThreadCounts: ThreadMetricCounts[] = [];
  let replaced = 0;
  let phase: 'starting' | 'serving' | 'closing' = 'starting';

  const askStore = createStoreMetricsReader(data);
  const counts = () =>
    sumThreadMetricCounts([
      ...Array.from(threads.values()).flatMap((thread) => thread.counts() ?? []),
      ...endedThreadCounts,
    ]);
  const text = async (): Promise<string> => {
    const all = [...threads.values()];
    const processMetrics = await formatMetricsOfAllThreads(
      await Promise.all(all.map((thread) => thread.ask(health()))),
    );
    const { state, ...families } = counts();
    const ofServer = { ...state, replaced, logLinesLost: log.health().lost };
    return formatServerMetrics(
      { ...families, state: ofServer },
      { storeFamilies: await askStore(Date.now()), processText: processMetrics },
    );
  };

  function startThreadNumber(number: number): ServingThread {
    const startedAt = performance.now();
    const thread = startServingThread(
      { config: options.config, number, threadCount: of, inFlightCounts, lock },
      {
        write: options.write,
        share: data.engine.recorder.shareWriter,
        text,
        operatorService: options.operatorService,
      },
    );
    threads.set(number, thread);
    void thread.ended.then((thrown) => {
      leave(number, thread);
      if (phase !== 'serving') return;
      log.error(`worker ${number} ended, and is replaced`, thrown ?? undefined);
      setTimeout(() => replace(number), performance.now() - startedAt < MIN_LIFETIME_MS ? PAUSE_MS : 0);
    });
    return thread;
  }

  function leave(number: number, thread: ServingThread): void {
    threads.delete(number);
    releaseLockOfEndedThread(lock);
    clearThreadInFlightCounts({ memory: inFlightCounts, thread: number - 1, threads: of });
    const counts = thread.counts();
    if (counts)
      endedThreadCounts = [sumThreadMetricCounts([...endedThreadCounts, toCountersOfEndedThread(counts)])];
  }

  function replace(number: number): void {
    if (phase === 'closing') return;
    // A new thread would open the replaced file, but the writer has the old one open.
    if (data.watch.missing()) return void setTimeout(() => replace(number), PAUSE_MS);
    replaced++;
    startThreadNumber(number).listens.then(
      () => log.info(`worker ${number} serves again`),
      () => undefined,
    );
  }

  const tellOutages = createOutageReporter({ log, data });
  const look = () => {
    tellOutages(counts());
    for (const [number, thread] of threads) {
      if (thread.look(health()) < MAX_UNANSWERED) continue;
      log.error(`worker ${number} does not respond, and is ended`);
      thread.terminate();
    }
  };
  const close = async () => {
    phase = 'closing';
    clearInterval(timer);
    for (const thread of threads.values()) thread.stop();
    await Promise.all(Array.from(threads.values(), ({ ended }) => ended));
  };

  const seats = Array.from({ length: of }, (_, i) => startThreadNumber(i + 1));
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  try {
    const [url = ''] = await Promise.all(seats.map(({ listens }) => listens));
    phase = 'serving';
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
