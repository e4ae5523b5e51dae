// Looks through a whole graph, which may hold millions of records: each in a thread of its own, one at a time.
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { codeFile } from '../../platform/assets.ts';
import type { GraphData, GraphAnswer } from './thread.ts';
import type { Look, Looks } from './looks.ts';

export interface GraphDesk {
  /**
   * What a look finds, and when that was (milliseconds since 1970). Who asks while one is at work, or soon after, gets what it finds.
   *
   * @param hops the servers that the question came through, where the graph lies on another
   *
   * Errors: graph_timeout where it takes longer than anybody waits (it goes on: ask again later), graph_unavailable.
   */
  look<L extends Look>(look: L, hops?: number): Promise<Found<L>>;
  /** Something was changed by whoever looks next: what was found before is told no more. */
  changed(): void;
  close(): Promise<void>;
}

export interface Found<L extends Look> {
  found: Looks[L];
  at: number;
}

/** So long somebody waits; so long what was found is told again. */
const WAIT_MS = 20_000;
const KEPT_MS = 60_000;
/** A look that took no longer than this is made anew each time. */
const QUICK_MS = 1000;

export function openGraphDesk(data: Omit<GraphData, 'look'>, waitMs = WAIT_MS): GraphDesk {
  const atWork = new Map<Look, Promise<Found<Look>>>();
  const kept = new Map<Look, Found<Look>>();
  const threads = new Set<Worker>();
  let changes = 0;

  const start = (look: Look): Promise<Found<Look>> => {
    const [begun, as] = [Date.now(), changes];
    const made = inThread({ ...data, look }, threads)
      .then((found) => {
        const at = Date.now();
        if (as === changes && at - begun > QUICK_MS) kept.set(look, { found, at });
        return { found, at };
      })
      .finally(() => atWork.get(look) === made && atWork.delete(look));
    // Whoever asked may wait no more.
    made.catch(() => undefined);
    atWork.set(look, made);
    return made;
  };
  return {
    look: async (look) => {
      const before = kept.get(look);
      if (before && Date.now() - before.at < KEPT_MS) return before as Found<typeof look>;
      return (await withinTime(atWork.get(look) ?? start(look), waitMs)) as Found<typeof look>;
    },
    changed() {
      changes++;
      kept.clear();
      atWork.clear();
    },
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new BonafideError('graph_timeout', 'It takes long. Ask again later.'));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function inThread(data: GraphData, threads: Set<Worker>): Promise<Looks[Look]> {
  const thread = new Worker(codeFile('admin/graph/thread'), { workerData: data });
  thread.unref();
  threads.add(thread);
  return new Promise<Looks[Look]>((resolve, reject) => {
    const failed = () => reject(new BonafideError('graph_unavailable', 'The look through the graph ended.'));
    thread.on('message', (answer: GraphAnswer) => ('found' in answer ? resolve(answer.found) : failed()));
    thread.on('error', failed);
    thread.on('exit', failed);
  }).finally(() => threads.delete(thread));
}
