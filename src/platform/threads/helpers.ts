// Threads that do pieces of work for who asks; what one does is a function that does the same without a thread.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { getModuleFile } from '../assets.ts';

/** Pieces of work by name, each of one value; what that is, is each one's own matter. */
export type Works = Record<string, (given: never) => unknown>;

type Given<W extends Works, N extends keyof W> = Parameters<W[N]>[0];
type Answer<W extends Works, N extends keyof W> = Awaited<ReturnType<W[N]>>;

export interface Helpers<W extends Works> {
  /** How many pieces of work are done beside each other; 0 where whoever asks does them. */
  readonly count: number;
  /** Arrays of numbers that are alone in their memory are handed over, and gone here. Errors: those of the work, `out_of_memory`. */
  ask<N extends keyof W & string>(name: N, given: Given<W, N>): Promise<Answer<W, N>>;
  /** Has each of them do it. */
  tell<N extends keyof W & string>(name: N, given: Given<W, N>): Promise<void>;
}

/** Threads that are there for several sorts of work. */
export interface Pool {
  readonly count: number;
  /** Starts threads where so many records are worth it, and none are there yet. */
  start(records: number): void;
  /**
   * @param file a module (see `codeFile`) whose `works` makes the pieces of work of `boot`, in each thread
   * @param own the same for where there are no threads
   */
  use<W extends Works>(file: string, boot: unknown, own: W): Helpers<W>;
  /** What is asked and not answered fails. */
  close(): Promise<void>;
}

export type Asked = { id: number; file: string } & ({ boot: unknown } | { name: string; given: unknown });

export type Answered =
  | { id: number; answer: unknown }
  | { id: number; failed: { code: ErrorCode | null; message: string } };

/** A thread costs half a second before it is quick. */
const LEAST_RECORDS = 10_000;
/** Whoever hands out the work is one more. */
const MOST = 4;

/** So many, or at most so many of those that are worth while. */
export type Threads = number | { most: number } | undefined;

/** @param threads unless said, as many as there are cores where records are many, and none where there is but one */
export function poolOf(threads?: Threads): Pool {
  const cores = availableParallelism();
  const { most } = typeof threads === 'object' ? threads : { most: MOST };
  const usual = cores > 1 ? Math.min(cores, most) : 0;
  let all: Thread[] = [];
  const ask = (one: Thread | undefined, asked: Unnumbered, moved: ArrayBuffer[]) =>
    one ? one.ask(asked, moved) : Promise.reject(new Error('there is no thread'));
  const everyone = (asked: Unnumbered) => Promise.all(all.map((one) => ask(one, asked, [])));
  return {
    get count() {
      return all.length;
    },
    start(records) {
      const isWorth = records >= LEAST_RECORDS;
      const count = typeof threads === 'number' ? threads : isWorth ? usual : 0;
      if (all.length === 0) all = Array.from({ length: count }, startThread);
    },
    use(file, boot, own) {
      if (all.length === 0) return alone(own);
      // What fails here fails again where something is asked.
      everyone({ file, boot }).catch(() => undefined);
      return {
        count: all.length,
        async ask(name, given) {
          const [idlest] = all.toSorted((a, b) => a.busy() - b.busy());
          return (await ask(idlest, { file, name, given }, movedIn(given))) as never;
        },
        tell: async (name, given) => void (await everyone({ file, name, given })),
      };
    },
    async close() {
      const ended = all.map((one) => one.close());
      all = [];
      await Promise.all(ended);
    },
  };
}

function alone<W extends Works>(works: W): Helpers<W> {
  const ask = async <N extends keyof W>(name: N, given: Given<W, N>): Promise<Answer<W, N>> =>
    (await works[name]?.(given as never)) as Answer<W, N>;
  return { count: 0, ask, tell: async (name, given) => void (await ask(name, given)) };
}

type Unnumbered = Asked extends infer A ? (A extends Asked ? Omit<A, 'id'> : never) : never;

interface Thread {
  busy(): number;
  ask(asked: Unnumbered, moved: ArrayBuffer[]): Promise<unknown>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Of a thread's memory that is young: its garbage is seldom larger, and each thread has as much again. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

function startThread(): Thread {
  const thread = new Worker(getModuleFile('platform/threads/helper'), { resourceLimits: LIMITS });
  const waiting = new Map<number, Waiting>();
  let [next, gone]: [number, Error | null] = [0, null];
  const fail = (error: Error) => {
    gone ??= error;
    for (const one of waiting.values()) one.reject(gone);
    waiting.clear();
  };
  thread.on('message', (told: Answered) => {
    const one = waiting.get(told.id);
    waiting.delete(told.id);
    // Who is ending it stays for its end, whatever answer still comes.
    if (waiting.size === 0 && !gone) thread.unref();
    if ('answer' in told) one?.resolve(told.answer);
    else one?.reject(errorOf(told.failed));
  });
  thread.on('error', () => fail(died()));
  thread.on('exit', () => fail(died()));
  return {
    busy: () => waiting.size,
    ask: (asked, moved) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(gone);
        const id = next++;
        waiting.set(id, { resolve, reject });
        // Nobody stays for a thread that is not asked.
        thread.ref();
        thread.postMessage({ id, ...asked } satisfies Asked, moved);
      }),
    async close() {
      fail(new Error('the threads were ended'));
      await thread.terminate();
    },
  };
}

const errorOf = ({ code, message }: { code: ErrorCode | null; message: string }): Error =>
  code === null ? new Error(message) : new BonafideError(code, message);

/** Its work fails by itself: what ends a thread is that there is no memory left. */
const died = () =>
  new BonafideError(
    'out_of_memory',
    'A thread that helped has ended, most likely for lack of memory. Free some and try again.',
  );

/** Memory that an array of numbers among these values has to itself, so that it need not be copied. */
export function movedIn(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  const values: unknown[] = ArrayBuffer.isView(value) ? [value] : Object.values(value);
  const all = values.flatMap((one) => {
    if (!ArrayBuffer.isView(one)) return one instanceof ArrayBuffer ? [one] : [];
    return one.buffer instanceof ArrayBuffer && one.byteLength === one.buffer.byteLength ? [one.buffer] : [];
  });
  return [...new Set(all)];
}
