// Serving thread: a complete app, without the parts that the main thread runs once for all threads (src/app/workers/pool.ts).
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createSharedInFlightLimiter } from '../../accounts/in-flight.ts';
import { openApp, type App } from '../../app.ts';
import type { SharedThreadResources } from '../parts.ts';
import { BonafideError } from '../../errors.ts';
import { openLog, type Log } from '../../observe/log.ts';
import { getThreadMetrics } from '../../observe/metrics/process.ts';
import { createThreadLock } from '../../platform/threads/lock.ts';
import { createSharedWriterConnectFunction } from '../../store/sqlite/engine.ts';
import type {
  ServingThreadData,
  MainThreadHealth,
  MessageFromServingThread,
  MessageToServingThread,
} from './messages.ts';
import { createRemoteOperatorService } from './operator-calls.ts';

if (parentPort === null) throw new Error('This module must run in a worker thread.');
const port = parentPort;
const { config, number, threadCount: of, inFlightCounts, lock }: ServingThreadData = workerData;

const send = (message: MessageFromServingThread, ends: MessagePort[] = []) => port.postMessage(message, ends);
const health: MainThreadHealth = { damaged: [], log: { failing: false, lost: 0 } };
/** Unanswered requests for the metrics of all threads, by id. */
const pendingMetrics = new Map<number, (text: string) => void>();
let metricsId = 0;

const { service: operatorService, settle } = createRemoteOperatorService((call) =>
  send({ operatorService: call }),
);
const context: SharedThreadResources = {
  threadCount: of,
  writer: createSharedWriterConnectFunction((end) => send({ writer: end }, [end])),
  inFlight: createSharedInFlightLimiter({ memory: inFlightCounts, thread: number - 1, threads: of }),
  runExclusively: createThreadLock(lock),
  operatorService,
  state: { warm: false, damaged: [] },
  metrics: () =>
    new Promise((resolve) => {
      pendingMetrics.set(++metricsId, resolve);
      send({ metricsId });
    }),
};

const serving = start().catch(giveUp);

port.on('message', (message: MessageToServingThread) => {
  if (message === 'stop') return void serving.then(stop);
  if ('operatorService' in message) return settle(message.operatorService);
  if ('text' in message) {
    pendingMetrics.get(message.metricsId)?.(message.text);
    pendingMetrics.delete(message.metricsId);
    return;
  }
  health.log = message.health.log;
  context.state.damaged = message.health.damaged;
  void answerWithFigures(message.withProcess);
});

async function start(): Promise<App> {
  const app = await openApp(config, logOf(number), context);
  try {
    send({ listens: (await app.listen()).url });
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Reports a start error with an error code to the main thread. Any other error ends the thread. */
function giveUp(error: unknown): null {
  if (!(error instanceof BonafideError)) throw error;
  send({ failed: { code: error.code, message: error.message } });
  port.close();
  return null;
}

async function stop(app: App | null): Promise<void> {
  await app?.close();
  port.close();
}

async function answerWithFigures(withProcess: boolean): Promise<void> {
  const app = await serving;
  if (app) send({ counts: app.counts(), process: withProcess ? await getThreadMetrics() : null });
}

/** Creates a log that writes through the main thread. Messages that every thread would write are written only by the first. */
function logOf(number: number): Log {
  const write = (lines: string) => send({ lines });
  const log = openLog(config.log, { write, health: () => health.log });
  if (number === 1) return log;
  const warn: Log['warn'] = (text, requestId) => void (requestId && log.warn(text, requestId));
  return { ...log, info: () => undefined, warn };
}
