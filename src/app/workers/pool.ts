// The threads that serve, one a seat: each that ends is replaced, and their figures are told as one server's.
import { clearInFlightCounts, allocateInFlightCounts } from '../../accounts/in-flight.ts';
import { figuresText, leftOf, sumFigures, type Figures } from '../observed/figures.ts';
import type { OperatorService } from '../../admin/operator-service.ts';
import type { Data } from '../data/data.ts';
import { askingStore } from '../observed/harvest.ts';
import { tellingOutages } from '../observed/outages.ts';
import type { Log } from '../../observe/log.ts';
import { sumThreads } from '../../observe/metrics/process.ts';
import { freeLock, roomForLock } from '../../platform/threads/lock.ts';
import type { Boot, Found } from './messages.ts';
import { startThread, type Thread } from './thread.ts';

export interface Pool {
  /** Where all listen. */
  url: string;
  /** Lets calls in flight finish, then ends the threads. */
  close(): Promise<void>;
}

export interface PoolOptions {
  config: Boot['config'];
  /** How many threads. */
  of: number;
  data: Pick<Data, 'engine' | 'graph' | 'watch'>;
  office: OperatorService;
  log: Log;
  /** Puts whole lines where the log goes. */
  write(lines: string): void;
  /** What the keeper has found out by now. */
  found(): Found;
}

const LOOK_EVERY_MS = 1000;
/** A thread that has not answered so many looks stands still for good. */
const MOST_UNANSWERED = 30;
/** One that ends sooner would end again at once. */
const SETTLED_MS = 10_000;
const PAUSE_MS = 1000;

/** Starts the threads, and resolves when all listen. Errors: what one of them raises; then none is left. */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const { of, data, log, found } = options;
  const threads = new Map<number, Thread>();
  const room = allocateInFlightCounts(of);
  const lock = roomForLock();
  let left: Figures[] = [];
  let replaced = 0;
  let phase: 'starting' | 'serving' | 'closing' = 'starting';

  const askStore = askingStore(data.engine);
  const figures = () =>
    sumFigures([...Array.from(threads.values()).flatMap((thread) => thread.figures() ?? []), ...left]);
  const text = async (): Promise<string> => {
    const all = [...threads.values()];
    const ofProcess = await sumThreads(await Promise.all(all.map((thread) => thread.ask(found()))));
    const { state, ...counted } = figures();
    const ofServer = { ...state, replaced, logLinesLost: log.health().lost };
    return figuresText({ ...counted, state: ofServer }, { ofStore: await askStore(Date.now()), ofProcess });
  };

  function seat(number: number): Thread {
    const began = performance.now();
    const thread = startThread(
      { config: options.config, number, of, flights: room, lock },
      { write: options.write, share: data.engine.recorder.shareWriter, text, office: options.office },
    );
    threads.set(number, thread);
    void thread.ended.then((thrown) => {
      leave(number, thread);
      if (phase !== 'serving') return;
      log.error(`worker ${number} ended, and is replaced`, thrown ?? undefined);
      setTimeout(() => replace(number), performance.now() - began < SETTLED_MS ? PAUSE_MS : 0);
    });
    return thread;
  }

  function leave(number: number, thread: Thread): void {
    threads.delete(number);
    freeLock(lock);
    clearInFlightCounts({ memory: room, thread: number - 1, threads: of });
    const figures = thread.figures();
    if (figures) left = [sumFigures([...left, leftOf(figures)])];
  }

  function replace(number: number): void {
    if (phase === 'closing') return;
    // What is in place of a file that is away would be another one than the writer has.
    if (data.watch.missing()) return void setTimeout(() => replace(number), PAUSE_MS);
    replaced++;
    seat(number).listens.then(
      () => log.info(`worker ${number} serves again`),
      () => undefined,
    );
  }

  const tellOutages = tellingOutages({ log, data });
  const look = () => {
    tellOutages(figures());
    for (const [number, thread] of threads) {
      if (thread.look(found()) < MOST_UNANSWERED) continue;
      log.error(`worker ${number} stands still, and is ended`);
      thread.terminate();
    }
  };
  const close = async () => {
    phase = 'closing';
    clearInterval(timer);
    for (const thread of threads.values()) thread.stop();
    await Promise.all(Array.from(threads.values(), ({ ended }) => ended));
  };

  const seats = Array.from({ length: of }, (_, i) => seat(i + 1));
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
