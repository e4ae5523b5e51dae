// Bounded concurrency with a bounded queue, first come first served.

export interface Limiter {
  /** Waits for a place; call the returned function when done. Errors: those of `LimiterOptions`. */
  enter(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export interface LimiterOptions {
  /** Places at a time. */
  concurrency: number;
  /** How many may wait for one. */
  queue: number;
  /** What who finds the queue full is told, and who stopped waiting. */
  full: () => Error;
  late: () => Error;
}

export function createLimiter({ concurrency, queue, full, late }: LimiterOptions): Limiter {
  const line: (() => void)[] = [];
  let running = 0;

  function leave(): void {
    running -= 1;
    line.shift()?.();
  }
  /** A place, and a way to give it back that works once. */
  function take(): () => void {
    running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  }
  return {
    enter(signal) {
      if (running < concurrency && line.length === 0) return Promise.resolve(take());
      if (line.length >= queue) return Promise.reject(full());
      return new Promise((resolve, reject) => {
        const turn = (): void => {
          signal.removeEventListener('abort', gone);
          resolve(take());
        };
        const gone = (): void => {
          line.splice(line.indexOf(turn), 1);
          reject(late());
        };
        signal.addEventListener('abort', gone, { once: true });
        line.push(turn);
      });
    },
    get running() {
      return running;
    },
    get waiting() {
      return line.length;
    },
  };
}
