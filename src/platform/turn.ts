import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Time (ms) for which calls may use the event loop without a break. */
const BUDGET_MS = 2;

let began = 0;
let waiting: (() => void)[] = [];
/** Number of entries of `waiting` that were already resumed. */
let woken = 0;

const isSpent = () => began !== 0 && performance.now() - began > BUDGET_MS;

/**
 * Resolves at the end of this turn of the event loop, after timers and sockets. Waiting callers are resumed one by one, in order. If one throws,
 * the process ends.
 */
export { endOfTurn };

/**
 * Waits for a turn of the event loop that has time left, so that many parallel calls do not delay timers and sockets. Calls continue in order.
 */
export function waitForEventLoopTurn(): Promise<void> {
  if (waiting.length > 0 || isSpent()) {
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }
  if (began === 0) {
    began = performance.now();
    void endOfTurn().then(nextTurn);
  }
  return READY;
}

const READY = Promise.resolve();

/** Resolves after the resumed callers have run to their next wait. */
const runReadyWork = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** Resumes waiting callers one by one, until the time of this turn is used up. */
async function nextTurn(): Promise<void> {
  while (woken < waiting.length) {
    began = performance.now();
    while (woken < waiting.length && !isSpent()) {
      waiting[woken++]?.();
      await runReadyWork();
    }
    if (woken === waiting.length || woken > MAX_WOKEN) {
      waiting = waiting.slice(woken);
      woken = 0;
    }
    await endOfTurn();
  }
  began = 0;
}

/** Number of resumed entries of `waiting` above which they are removed from it. Removing them one by one would be slow. */
const MAX_WOKEN = 1000;

/**
 * Calls `work` for each item, several at the same time, and yields the results in the order of the items. @param getMaxConcurrent returns the
 * maximum number of pending calls; read after each item
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  getMaxConcurrent: () => number,
): AsyncIterable<R> {
  const waiting: Promise<R>[] = [];
  for await (const item of items) {
    const answer = work(item);
    // Avoids an unhandled rejection: the error is reported when the result is awaited.
    answer.catch(() => undefined);
    waiting.push(answer);
    while (waiting.length > getMaxConcurrent()) {
      const first = waiting.shift();
      if (first) yield await first;
    }
  }
  for (const answer of waiting) yield await answer;
}
