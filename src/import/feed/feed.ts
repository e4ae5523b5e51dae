// Records as they change, from a server to the one thread of it that writes them into the graph.
import { Worker } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { EngineOptions } from '../../graph/engines.ts';
import { codeFile } from '../../platform/assets.ts';
import type { FeedCall, LineProblem } from './lines.ts';

/** What became of a call's lines. */
export interface FeedResult {
  put: number;
  deleted: number;
  /** Of those that were put, records that were forgotten and are kept out. */
  barred: number;
  refused: LineProblem[];
  leftOut: LineProblem[];
  /** Whether checks see all of it already; else they will when all records are linked anew. */
  linked: boolean;
}

/** To the thread: lines; that what waits is to be linked; or null to close. */
export type FeedRequest = ({ id: number } & FeedCall) | 'settle' | null;
export type FeedReply =
  | { settled: boolean }
  | { id: number; taken: FeedResult }
  | { id: number; failed: { code: ErrorCode; message: string } };

/** What the thread is started with. */
export interface FeedOptions {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret?: string | undefined;
  graph?: EngineOptions['graph'];
  /** The operator's own name tables. */
  nameTables: readonly string[];
}

export interface Feed {
  /**
   * Puts records into the graph and takes others out; resolves when that is on disk, and where possible when checks see it. What is sent
   * again changes nothing.
   *
   * Errors: overloaded where too much waits; graph_unavailable; those of the graph's files.
   */
  take(sent: FeedCall): Promise<FeedResult>;
  /** Links all records where that is due, beside what is taken in. Answers whether it could; never where it is closed before. */
  settle(): Promise<boolean>;
  /** Ends what is begun, then the thread. */
  close(): Promise<void>;
}

interface Waiting {
  bytes: number;
  resolve(taken: FeedResult): void;
  reject(error: BonafideError): void;
}

/** What may wait. */
const MOST_CALLS = 512;
const MOST_BYTES = 32 * 1024 * 1024;

/** The thread is started when it is first needed, and again after it ended. */
export function openFeed({ dataDir, secret, graph, nameTables }: FeedOptions): Feed {
  const workerData: FeedOptions = { dataDir, secret, graph, nameTables };
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;
  let bytes = 0;
  let closing: (() => void) | null = null;
  let settling: ((done: boolean) => void)[] = [];

  function start(): Worker {
    const born = new Worker(codeFile('import/feed/thread'), { workerData });
    born.on('message', settle);
    born.on('error', () => lost(born));
    born.on('exit', () => lost(born));
    return born;
  }

  /** What it held may or may not be in the graph. */
  function lost(which: Worker): void {
    if (worker !== which) return;
    worker = null;
    for (const { reject } of waiting.values())
      reject(new BonafideError('graph_unavailable', 'The thread that writes the graph ended.'));
    waiting.clear();
    bytes = 0;
    settled(false);
    closing?.();
  }

  function settled(done: boolean): void {
    if (!closing) for (const tell of settling) tell(done);
    settling = [];
  }

  function settle(answer: FeedReply): void {
    if ('settled' in answer) return settled(answer.settled);
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    bytes -= one?.bytes ?? 0;
    if ('taken' in answer) one?.resolve(answer.taken);
    else one?.reject(new BonafideError(answer.failed.code, answer.failed.message));
  }

  return {
    take: (sent) =>
      new Promise((resolve, reject) => {
        if (closing) return reject(new BonafideError('graph_unavailable', 'The server is closing.'));
        if (waiting.size >= MOST_CALLS || bytes > MOST_BYTES)
          return reject(new BonafideError('overloaded', 'Too many calls with records wait. Try again.'));
        const id = ++last;
        waiting.set(id, { bytes: sent.lines.length, resolve, reject });
        bytes += sent.lines.length;
        worker ??= start();
        worker.postMessage({ id, ...sent } satisfies FeedRequest);
      }),
    settle: () =>
      new Promise((resolve) => {
        if (closing) return;
        settling.push(resolve);
        worker ??= start();
        worker.postMessage('settle' satisfies FeedRequest);
      }),
    close: () =>
      new Promise((resolve) => {
        closing = resolve;
        if (worker) worker.postMessage(null satisfies FeedRequest);
        else resolve();
      }),
  };
}
