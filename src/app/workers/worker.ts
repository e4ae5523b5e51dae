// One of the threads that serve: a whole app, but for what its keeper has or does once for all of them (src/app/workers/pool.ts).
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createSharedInFlightLimit } from '../../accounts/in-flight.ts';
import { openApp, type App } from '../../app.ts';
import type { Seat } from '../seat.ts';
import { BonafideError } from '../../errors.ts';
import { openLog, type Log } from '../../observe/log.ts';
import { threadMetrics } from '../../observe/metrics/process.ts';
import { lockIn } from '../../platform/threads/lock.ts';
import { connectSharedWriter } from '../../store/sqlite/engine.ts';
import type { Boot, Found, FromThread, ToThread } from './messages.ts';
import { remoteOperatorService } from './office.ts';

if (parentPort === null) throw new Error('A worker runs in a thread of its own.');
const port = parentPort;
const { config, number, of, flights, lock }: Boot = workerData;

const tell = (told: FromThread, ends: MessagePort[] = []) => port.postMessage(told, ends);
const found: Found = { damaged: [], log: { failing: false, lost: 0 } };
/** Who waits for the figures of all. */
const asking = new Map<number, (text: string) => void>();
let asked = 0;

const { service: office, settle } = remoteOperatorService((call) => tell({ office: call }));
const seat: Seat = {
  of,
  writer: connectSharedWriter((end) => tell({ writer: end }, [end])),
  flights: createSharedInFlightLimit({ memory: flights, thread: number - 1, threads: of }),
  alone: lockIn(lock),
  office,
  state: { warm: false, damaged: [] },
  metrics: () =>
    new Promise((resolve) => {
      asking.set(++asked, resolve);
      tell({ asked });
    }),
};

const serving = start().catch(giveUp);

port.on('message', (told: ToThread) => {
  if (told === 'stop') return void serving.then(stop);
  if ('office' in told) return settle(told.office);
  if ('text' in told) {
    asking.get(told.asked)?.(told.text);
    asking.delete(told.asked);
    return;
  }
  found.log = told.found.log;
  seat.state.damaged = told.found.damaged;
  void answerWithFigures(told.withProcess);
});

async function start(): Promise<App> {
  const app = await openApp(config, logOf(number), seat);
  try {
    tell({ listens: (await app.listen()).url });
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** What is one of our errors is told as it is; anything else ends the thread, and tells of itself. */
function giveUp(error: unknown): null {
  if (!(error instanceof BonafideError)) throw error;
  tell({ failed: { code: error.code, message: error.message } });
  port.close();
  return null;
}

async function stop(app: App | null): Promise<void> {
  await app?.close();
  port.close();
}

async function answerWithFigures(withProcess: boolean): Promise<void> {
  const app = await serving;
  if (app) tell({ figures: app.figures(), process: withProcess ? await threadMetrics() : null });
}

/** Lines go out by way of the keeper. Of those that all threads would write, the first writes its own. */
function logOf(number: number): Log {
  const write = (lines: string) => tell({ lines });
  const log = openLog(config.log, { write, health: () => found.log });
  if (number === 1) return log;
  const warn: Log['warn'] = (text, requestId) => void (requestId && log.warn(text, requestId));
  return { ...log, info: () => undefined, warn };
}
