// Linking all records anew, where that is due, in a thread beside the one that takes records in.
import { Worker } from 'node:worker_threads';
import type { RecordGraph } from '../../graph/graph.ts';
import { settle } from '../../people/linking/linking.ts';
import { codeFile } from '../../platform/assets.ts';
import type { FeedOptions } from './feed.ts';

export interface FullLinking {
  /** Something is being put: quiet begins after it. */
  hold(): void;
  /** Nothing is due at once: when nothing has come for a while, what waits is settled. */
  later(): true;
  /** Begins to link all records anew. Answers whether that is done already. Errors: those of the graph. */
  now(graph: RecordGraph): Promise<boolean>;
  /** Links all records anew in a thread, where that is due. Answers whether it is done. */
  beside(): Promise<boolean>;
  close(): Promise<void>;
}

/** Linking so few records anew takes a moment. */
const FEW = 2000;
/** So long whoever put something waits for it. */
const WAIT_MS = 2000;
/** Nothing was put for so long, and what waits is settled. */
const QUIET_MS = 10_000;

export function openFullLinking(place: FeedOptions): FullLinking {
  let thread: { worker: Worker; ended: Promise<boolean> } | null = null;
  let quiet: NodeJS.Timeout | undefined;

  function start(): Promise<boolean> {
    if (thread) return thread.ended;
    const worker = new Worker(codeFile('import/feed/settling-thread'), { workerData: place });
    const ended = new Promise<boolean>((resolve) => {
      // What failed is due again with what is put next.
      worker.on('error', () => resolve(false)).on('exit', (code) => resolve(code === 0));
    }).finally(() => (thread = null));
    thread = { worker, ended };
    return ended;
  }

  const later = (): true => {
    clearTimeout(quiet);
    quiet = setTimeout(start, QUIET_MS).unref();
    return true;
  };

  return {
    hold: () => clearTimeout(quiet),
    later,
    beside: start,
    async now(graph) {
      later();
      // Who comes while it is at work does not wait: it would not catch up with those who come meanwhile.
      if (thread) return false;
      if ((await graph.records.count()) > FEW) return Promise.race([start(), lateness()]);
      await settle(graph);
      // All of it is: a thread for that would only have others wait.
      clearTimeout(quiet);
      return true;
    },
    async close() {
      clearTimeout(quiet);
      await thread?.worker.terminate();
    },
  };
}

const lateness = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), WAIT_MS).unref());
