// Mutual exclusion between the threads of one process, for work on a file whose own lock would make threads
// sleep.

export const allocateThreadLockMemory = (): SharedArrayBuffer => new SharedArrayBuffer(4);

/** Runs work while no other thread runs work under the same lock. */
export type RunExclusively = <T>(work: () => T) => T;

export const runUnlocked: RunExclusively = (work) => work();

const [FREE, HELD, AWAITED] = [0, 1, 2];
/** Maximum wait (ms) for the lock. Afterwards the thread goes on without it, because the lock of the database file still protects the data. */
const MAX_WAIT_MS = 20;

/**
 * Creates a function that runs synchronous work under the lock in `memory`. The lock is a futex (Ulrich Drepper, "Futexes Are Tricky", mutex 2).
 */
export function createThreadLock(memory: SharedArrayBuffer, maxWaitMs = MAX_WAIT_MS): RunExclusively {
  const state = new Int32Array(memory);
  const take = () => {
    if (Atomics.compareExchange(state, 0, FREE, HELD) === FREE) return;
    while (Atomics.exchange(state, 0, AWAITED) !== FREE)
      if (Atomics.wait(state, 0, AWAITED, maxWaitMs) === 'timed-out') return;
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

/** Releases the lock of a thread that has ended. */
export function releaseLockOfEndedThread(memory: SharedArrayBuffer): void {
  const state = new Int32Array(memory);
  Atomics.store(state, 0, FREE);
  Atomics.notify(state, 0);
}
