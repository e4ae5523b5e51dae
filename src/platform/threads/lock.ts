// One thread at a time: for work on a file that several threads of a process share, whose own lock is waited for by sleeping.

/** Room for one lock. */
export const allocateLock = (): SharedArrayBuffer => new SharedArrayBuffer(4);

/** Runs work that no other thread runs meanwhile. */
export type RunExclusively = <T>(work: () => T) => T;

/** Where one thread works. */
export const runWithoutLock: RunExclusively = (work) => work();

const [FREE, HELD, AWAITED] = [0, 1, 2];
/** What holds it for longer has ended, or waits for another process: the file's own lock is exact then, and this one only spares waiting. */
const MOST_WAIT_MS = 20;

/** A lock between threads: a futex, see Ulrich Drepper, "Futexes Are Tricky", mutex 2. Work that is done under it waits for nobody. */
export function createThreadLock(memory: SharedArrayBuffer, mostWaitMs = MOST_WAIT_MS): RunExclusively {
  const state = new Int32Array(memory);
  const take = () => {
    if (Atomics.compareExchange(state, 0, FREE, HELD) === FREE) return;
    while (Atomics.exchange(state, 0, AWAITED) !== FREE)
      if (Atomics.wait(state, 0, AWAITED, mostWaitMs) === 'timed-out') return;
  };
  return (work) => {
    take();
    try {
      return work();
    } finally {
      if (Atomics.exchange(state, 0, FREE) === AWAITED) Atomics.notify(state, 0, 1);
    }
  };
}

/** Frees the lock of a thread that has ended and may have held it. */
export function releaseLock(memory: SharedArrayBuffer): void {
  const state = new Int32Array(memory);
  Atomics.store(state, 0, FREE);
  Atomics.notify(state, 0);
}
