// Pool of worker threads for CPU-bound tasks. Without threads, the same tasks run in the calling thread.
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { getModuleFile } from '../assets.ts';

/** Task functions by name. Each takes one value, and returns a result or a promise. */
export type WorkerTaskFunctions = Record<string, (given: never) => unknown>;

type Given<W extends WorkerTaskFunctions, N extends keyof W> = Parameters<W[N]>[0];
type Answer<W extends WorkerTaskFunctions, N extends keyof W> = Awaited<ReturnType<W[N]>>;

export interface TaskThreads<W extends WorkerTaskFunctions> {
  /** Number of threads; 0 if tasks run in the calling thread. */
  readonly count: number;
  /**
   * Runs a task in the least busy thread. Typed arrays that fill their own ArrayBuffer are transferred: the caller loses them. Errors: those of
   * the task, `out_of_memory`.
   */
  ask<N extends keyof W & string>(name: N, given: Given<W, N>): Promise<Answer<W, N>>;
  /** Runs a task once in every thread. */
  tell<N extends keyof W & string>(name: N, given: Given<W, N>): Promise<void>;
}

/** Worker threads that several modules of tasks share. */
export interface ThreadPool {
  readonly count: number;
  /** Starts the threads, unless they are running or there are few records. */
  start(records: number): void;
  /**
   * Loads a module of tasks in each thread. @param file the module (see `getModuleFile`), whose `createWorkerTaskFunctions` is called with `boot` @param own
   * the same tasks for the calling thread, used if there are no threads
   */
  use<W extends WorkerTaskFunctions>(file: string, boot: unknown, own: W): TaskThreads<W>;
  close(): Promise<void>;
}

export type TaskRequestMessage = { id: number; file: string } & (
  | { boot: unknown }
  | { name: string; given: unknown }
);

export type TaskReplyMessage =
  | { id: number; answer: unknown }
  | { id: number; failed: { code: ErrorCode | null; message: string } };

/** Minimum number of records for starting threads, because a new thread is slow for half a second. */
const MIN_RECORDS = 10_000;
/** Maximum number of threads in the pool, besides the calling thread. */
const MAX_THREADS = 4;

/** Exact number of threads, or a maximum (`most`) of the default number of threads. */
export type ExactOrMaxThreadCount = number | { most: number } | undefined;

/**
 * Creates a pool of worker threads. @param threads default: one thread per core, up to `MAX_THREADS`; none on a single core or for few records
 */
export function createThreadPool(threads?: ExactOrMaxThreadCount): ThreadPool {
  const cores = availableParallelism();
  const { most } = typeof threads === 'object' ? threads : { most: MAX_THREADS };
  const defaultCount = cores > 1 ? Math.min(cores, most) : 0;
  let all: Thread[] = [];
  const send = (thread: Thread | undefined, request: UnnumberedRequest, moved: ArrayBuffer[]) =>
    thread ? thread.send(request, moved) : Promise.reject(new Error('the worker threads were not started'));
  const sendToAll = (request: UnnumberedRequest) =>
    Promise.all(all.map((thread) => send(thread, request, [])));
  return {
    get count() {
      return all.length;
    },
    start(records) {
      const isWorth = records >= MIN_RECORDS;
      const count = typeof threads === 'number' ? threads : isWorth ? defaultCount : 0;
      if (all.length === 0) all = Array.from({ length: count }, startThread);
    },
    use(file, boot, own) {
      if (all.length === 0) return runInCallingThread(own);
      // An error of loading the module is ignored: each task of the module fails with the same error.
      sendToAll({ file, boot }).catch(() => undefined);
      return {
        count: all.length,
        async ask(name, given) {
          const [leastBusy] = all.toSorted((a, b) => a.countPending() - b.countPending());
          return (await send(leastBusy, { file, name, given }, listTransferableBuffers(given))) as never;
        },
        tell: async (name, given) => void (await sendToAll({ file, name, given })),
      };
    },
    async close() {
      const ended = all.map((thread) => thread.close());
      all = [];
      await Promise.all(ended);
    },
  };
}

function runInCallingThread<W extends WorkerTaskFunctions>(tasks: W): TaskThreads<W> {
  const ask = async <N extends keyof W>(name: N, given: Given<W, N>): Promise<Answer<W, N>> =>
    (await tasks[name]?.(given as never)) as Answer<W, N>;
  return { count: 0, ask, tell: async (name, given) => void (await ask(name, given)) };
}

type UnnumberedRequest = TaskRequestMessage extends infer A
  ? A extends TaskRequestMessage
    ? Omit<A, 'id'>
    : never
  : never;

interface Thread {
  countPending(): number;
  send(request: UnnumberedRequest, moved: ArrayBuffer[]): Promise<unknown>;
  close(): Promise<void>;
}

interface PendingRequest {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Heap limit (MB) for young objects in each thread. */
const LIMITS = { maxYoungGenerationSizeMb: 24 };
/** V8 option for the minimum size (MB) of one half of the young generation. V8's own smaller choice costs a third of the thread's time. */
const MIN_YOUNG_GENERATION = '--min-semi-space-size=8';

function startThread(): Thread {
  setFlagsFromString(MIN_YOUNG_GENERATION);
  const thread = new Worker(getModuleFile('platform/threads/helper'), { resourceLimits: LIMITS });
  const pending = new Map<number, PendingRequest>();
  let nextId = 0;
  let endError: Error | null = null;
  const fail = (error: Error) => {
    endError ??= error;
    for (const request of pending.values()) request.reject(endError);
    pending.clear();
  };
  thread.on('message', (reply: TaskReplyMessage) => {
    const request = pending.get(reply.id);
    pending.delete(reply.id);
    // An idle thread must not keep the process alive. A thread that is being ended keeps it alive until
    // `terminate` resolves.
    if (pending.size === 0 && !endError) thread.unref();
    if ('answer' in reply) request?.resolve(reply.answer);
    else request?.reject(toError(reply.failed));
  });
  thread.on('error', () => fail(threadEndedError()));
  thread.on('exit', () => fail(threadEndedError()));
  return {
    countPending: () => pending.size,
    send: (request, moved) =>
      new Promise((resolve, reject) => {
        if (endError) return reject(endError);
        const id = nextId++;
        pending.set(id, { resolve, reject });
        // A busy thread keeps the process alive; an idle one is unreferenced.
        thread.ref();
        thread.postMessage({ id, ...request } satisfies TaskRequestMessage, moved);
      }),
    async close() {
      fail(new Error('the worker threads were stopped'));
      await thread.terminate();
    },
  };
}

const toError = ({ code, message }: { code: ErrorCode | null; message: string }): Error =>
  code === null ? new Error(message) : new BonafideError(code, message);

/** Creates the error for a thread that has ended. In practice, only a lack of memory ends a thread. */
const threadEndedError = () =>
  new BonafideError(
    'out_of_memory',
    'A worker thread ended, most likely because the memory is full. Free some memory and try again.',
  );

/** Lists the ArrayBuffers that typed arrays inside a value fill completely. They can be transferred to a thread instead of copied. */
export function listTransferableBuffers(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  const values: unknown[] = ArrayBuffer.isView(value) ? [value] : Object.values(value);
  const buffers = values.flatMap((item) => {
    if (!ArrayBuffer.isView(item)) return item instanceof ArrayBuffer ? [item] : [];
    return item.buffer instanceof ArrayBuffer && item.byteLength === item.buffer.byteLength
      ? [item.buffer]
      : [];
  });
  return [...new Set(buffers)];
}
