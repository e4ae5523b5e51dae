// The thread that re-checks watches: starts it in the main thread of a server, starts it again after a failure, and adds up its work.
import { Worker } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import type { Log } from '../../observe/log.ts';
import { createCounter, createGauge, type MetricFamily } from '../../observe/metrics/text.ts';
import { getModuleFile } from '../../platform/assets.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { WatchRecheckStepResult } from '../../watches/recheck.ts';

/** Message of the thread that re-checks watches: the result of one step, or a failure (null once it works again). */
export type WatchThreadMessage = { step: WatchRecheckStepResult } | { failed: string | null };

export interface WatchThread {
  /** Returns the metrics of watches at the time `now` (ms since 1970). */
  families(now: number): Promise<MetricFamily[]>;
  /** Makes the thread look for changes of the graph at once. Call it after a publication. */
  wake(): void;
  close(): Promise<void>;
}

const RESTART_MS = 5000;
/** Interval (ms) at which the graph's log of changes is read, for publications of other processes. Those of this process wake the thread. */
const LOOK_EVERY_MS = 150;

export interface WatchThreadData {
  config: Config;
  lookEveryMs: number;
}

export function startWatchThread(
  config: Config,
  log: Pick<Log, 'warn' | 'info'>,
  { watches }: Pick<StoreEngine, 'watches'>,
  { onEvents, lookEveryMs = LOOK_EVERY_MS }: { onEvents(): void; lookEveryMs?: number },
): WatchThread {
  const totals = { marked: 0, rechecked: 0, events: 0, expired: 0 };
  let isClosing = false;
  let failure: string | null = null;
  /** Null between the end of a worker and the start of the next one. */
  let worker: Worker | null = start();
  function start(): Worker {
    const started = new Worker(getModuleFile('app/watches/worker'), {
      workerData: { config, lookEveryMs } satisfies WatchThreadData,
    });
    started.on('message', (message: WatchThreadMessage) => {
      if ('step' in message) {
        for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += message.step[name];
        if (message.step.events + message.step.expired > 0) onEvents();
        return;
      }
      if (message.failed === failure) return;
      failure = message.failed;
      if (failure === null) log.info('watches are re-checked again');
      else log.warn(`watches cannot be re-checked at the moment: ${failure}`);
    });
    started.on('error', (error) => {
      // The class of an error is lost between threads. Only our own messages are logged: others may contain submitted values.
      const reason = error.name === 'BonafideError' ? error.message : error.name;
      log.warn(`the thread that re-checks watches failed, and is started again: ${reason}`);
    });
    started.on('exit', () => {
      worker = null;
      if (!isClosing) setTimeout(() => !isClosing && (worker = start()), RESTART_MS).unref();
    });
    started.unref();
    return started;
  }
  return {
    async families(now) {
      const { total, due, oldest } = await watches.getWatchStatistics();
      return toFamilies({ ...totals, total, due, lagSeconds: oldest === null ? 0 : (now - oldest) / 1000 });
    },
    wake: () => worker?.postMessage('wake'),
    async close() {
      isClosing = true;
      if (!worker) return;
      const running = worker;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.postMessage('stop');
      const timer = setTimeout(() => void running.terminate(), RESTART_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

const toFamilies = (figures: {
  total: number;
  due: number;
  lagSeconds: number;
  marked: number;
  rechecked: number;
  events: number;
  expired: number;
}): MetricFamily[] => [
  createGauge('bonafide_watches', 'Watches that the store has.', [{ value: figures.total }]),
  createGauge('bonafide_watches_due', 'Watches that wait for a re-check.', [{ value: figures.due }]),
  createGauge('bonafide_watches_lag_seconds', 'Time that the first watch has waited for its re-check.', [
    { value: figures.lagSeconds },
  ]),
  createCounter(
    'bonafide_watches_touched_total',
    'Watches that changes of the graph touched.',
    figures.marked,
  ),
  createCounter('bonafide_watches_rechecks_total', 'Re-checks of watches.', figures.rechecked),
  createCounter('bonafide_watches_events_total', 'Events of changed watches.', figures.events),
  createCounter('bonafide_watches_expired_total', 'Watches that expired.', figures.expired),
];
