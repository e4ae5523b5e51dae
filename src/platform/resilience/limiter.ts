// Bounded concurrency with a bounded queue, first in, first out.

export interface ConcurrencyLimiter {
  /**
   * Waits until another call may run, and returns a function that must be called at its end. Errors: those that `toFullError` and `toAbortedError`
   * create.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export interface ConcurrencyLimiterOptions {
  concurrency: number;
  /** Maximum number of waiting callers. */
  queue: number;
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
  /** Counts one running call, and returns a function that ends it once. */
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
