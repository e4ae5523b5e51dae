// Calls operations of a worker thread by name. A call is one message in each direction, and returns a promise; an error of the operation
// rejects the promise.
import { parentPort, Worker } from 'node:worker_threads';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { getModuleFile } from '../assets.ts';

/** Operations of a worker thread by name. The input must be a value that can be sent to a thread. */
export type ThreadOperations = Record<string, (input: never) => unknown>;

type Input<Operations extends ThreadOperations, Name extends keyof Operations> = Parameters<
  Operations[Name]
>[0];
type Result<Operations extends ThreadOperations, Name extends keyof Operations> = Awaited<
  ReturnType<Operations[Name]>
>;

export interface WorkerThread<Operations extends ThreadOperations> {
  /**
   * Runs an operation in the thread, after all earlier calls. Errors: those of the operation, and those that the functions in `WorkerThreadOptions`
   * create.
   */
  call<Name extends keyof Operations & string>(
    name: Name,
    input: Input<Operations, Name>,
  ): Promise<Result<Operations, Name>>;
  /** Returns the CPU time (ms) of the thread, even while it runs a loop; 0 if it is not running. */
  getCpuMs(): Promise<number>;
  close(): Promise<void>;
}

export interface WorkerThreadOptions {
  /** Module that the thread runs; see `getModuleFile`. */
  file: string;
  workerData: unknown;
  /** Buffers in `workerData` that the thread takes over. Such a thread can be started only once. */
  transferList?: ArrayBuffer[];
  /** Creates the error for calls that were pending when the thread ended. `isOutOfMemory` is true if the thread reached `memoryMb`. */
  toEndedError(isOutOfMemory: boolean): Error;
  /** Memory limit of the thread in MiB, for threads that read untrusted files. At the limit, the thread is ended. */
  memoryMb?: number;
  /** Maximum number of pending calls. Further calls fail with the error of `toError`. */
  maxPending?: { calls: number; toError(): Error };
  /** Called for each event that the thread sends with `sendEventToParentThread`. */
  onEvent?(event: never): void;
}

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Request = { id: number; name: string; input: unknown };
type Message = { event: unknown } | ({ id: number } & OperationOutcome);

/**
 * Difference (MiB) between V8's heap limit of a thread and the thread's own limit. It is large, because V8 ends the whole process at its limit,
 * while the own limit is only checked at intervals.
 */
const HEADROOM_MB = 4096;
const CHECK_MEMORY_MS = 25;
const MIB = 2 ** 20;

/** Returns the V8 heap limit in MiB for a thread with the memory limit `memoryMb`. */
export const toThreadHeapLimit = (memoryMb: number): number => memoryMb + HEADROOM_MB;

/** Calls `onTooMuch` if a thread uses more than `memoryMb`, even while it runs a loop. Returns the timer of the checks. */
export function watchThreadMemory(worker: Worker, memoryMb: number, onTooMuch: () => void): NodeJS.Timeout {
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    const heap = await worker.getHeapStatistics().catch(() => undefined);
    isChecking = false;
    if (heap && heap.used_heap_size + heap.external_memory > memoryMb * MIB) onTooMuch();
  };
  return setInterval(() => void check(), CHECK_MEMORY_MS).unref();
}

/** Creates a worker thread. A call starts the thread if it is not running. An idle thread does not keep the process alive. */
export function createLazyWorkerThread<Operations extends ThreadOperations>(
  options: WorkerThreadOptions,
): WorkerThread<Operations> {
  const { file, workerData, transferList = [], maxPending, memoryMb, onEvent } = options;
  const pending = new Map<number, PendingCall>();
  let worker: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const resourceLimits =
      memoryMb === undefined ? {} : { maxOldGenerationSizeMb: toThreadHeapLimit(memoryMb) };
    const started = new Worker(getModuleFile(file), { workerData, transferList, resourceLimits });
    let isOutOfMemory = false;
    const onTooMuch = () => {
      isOutOfMemory = true;
      void started.terminate();
    };
    const watch = memoryMb === undefined ? undefined : watchThreadMemory(started, memoryMb, onTooMuch);
    const onEnd = () => {
      clearInterval(watch);
      handleEnd(started, isOutOfMemory);
    };
    started.on('message', handleMessage).on('error', onEnd).on('exit', onEnd);
    return started;
  }

  function handleEnd(ended: Worker, isOutOfMemory: boolean): void {
    if (worker !== ended) return;
    worker = null;
    for (const { reject } of pending.values()) reject(options.toEndedError(isOutOfMemory));
    pending.clear();
  }

  function handleMessage(message: Message): void {
    if ('event' in message) return onEvent?.(message.event as never);
    const call = pending.get(message.id);
    pending.delete(message.id);
    if (pending.size === 0) worker?.unref();
    try {
      call?.resolve(unwrapOperationOutcome(message));
    } catch (error) {
      call?.reject(error);
    }
  }

  return {
    call: (name, input) =>
      new Promise((resolve, reject) => {
        if (maxPending && pending.size >= maxPending.calls) return reject(maxPending.toError());
        worker ??= start();
        worker.ref();
        const id = ++lastId;
        pending.set(id, { resolve: resolve as PendingCall['resolve'], reject });
        worker.postMessage({ id, name, input } satisfies Request);
      }),
    async getCpuMs() {
      const usage = await worker?.cpuUsage().catch(() => undefined);
      return usage ? (usage.user + usage.system) / 1000 : 0;
    },
    async close() {
      await worker?.terminate();
    },
  };
}

/**
 * Serves the calls that the starting thread makes to this worker thread. The worker's module calls it once. @param options `concurrent`: true to
 * start a call while earlier calls are running
 */
export function serveThreadCalls(
  run: (name: string, input: unknown) => unknown,
  { concurrent = false }: { concurrent?: boolean } = {},
): void {
  const serve = async ({ id, name, input }: Request) => {
    const outcome = await runOperationToOutcome(() => run(name, input));
    parentPort?.postMessage({ id, ...outcome } satisfies Message);
  };
  let last = Promise.resolve();
  parentPort?.on('message', (request: Request) => {
    last = concurrent ? serve(request) : last.then(() => serve(request));
  });
}

/** Sends an event, such as progress, to the thread that started this worker thread. */
export const sendEventToParentThread = (event: unknown): void =>
  parentPort?.postMessage({ event } satisfies Message);

export type OperationOutcome = { result: unknown } | { error: SentError };

type SentError = { code: ErrorCode; message: string; details: BonafideError['details'] } | { name: string };

export async function runOperationToOutcome(operation: () => unknown): Promise<OperationOutcome> {
  try {
    return { result: await operation() };
  } catch (error) {
    if (!(error instanceof BonafideError))
      return { error: { name: error instanceof Error ? error.name : typeof error } };
    const { code, message, details } = error;
    return { error: { code, message, details } };
  }
}

/** Returns the result of an operation in another thread, or throws its error. */
export function unwrapOperationOutcome(outcome: OperationOutcome): unknown {
  if ('result' in outcome) return outcome.result;
  const { error } = outcome;
  if (!('code' in error)) throw new Error(`The thread failed with ${error.name}.`);
  throw new BonafideError(error.code, error.message, error.details);
}

/** Waits at most `ms` milliseconds for `work`, which is not stopped. Errors: those of `work`; after the time limit, the error of `toError`. */
export function withDeadline<T>(work: Promise<T>, ms: number, toError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toError()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
