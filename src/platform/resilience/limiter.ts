// Bounded concurrency with a bounded queue, first come first served.

export interface ConcurrencyLimiter {
  /** Waits for a place; call the returned function when done. Errors: those of `LimiterOptions`. */
  acquire(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export interface ConcurrencyLimiterOptions {
  /** Places at a time. */
  concurrency: number;
  /** How many may wait for one. */
  queue: number;
  /** What who finds the queue full is told, and who stopped waiting. */
  toFullError: () => Error;
  toAbortedError: () => Error;
}

export function createConcurrencyLimiter({
  concurrency,
  queue,
  toFullError: full,
  toAbortedError: late,
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const waiters: (() => void)[] = [];
  let running = 0;

  function startNext(): void {
    running -= 1;
    waiters.shift()?.();
  }
  /** A place, and a way to give it back that works once. */
  function occupySlot(): () => void {
    running += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      startNext();
    };
  }
  return {
    acquire(signal) {
      if (running < concurrency && waiters.length === 0) return Promise.resolve(occupySlot());
      if (waiters.length >= queue) return Promise.reject(full());
      return new Promise((resolve, reject) => {
        const start = (): void => {
          signal.removeEventListener('abort', abandon);
          resolve(occupySlot());
        };
        const abandon = (): void => {
          waiters.splice(waiters.indexOf(start), 1);
          reject(late());
        };
        signal.addEventListener('abort', abandon, { once: true });
        waiters.push(start);
      });
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiters.length;
    },
  };
}
