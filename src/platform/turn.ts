import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Time (ms) for which calls may use the event loop without a break. */
const BUDGET_MS = 2;

let began = 0;
/** Waiting callers by group. The group whose turn is next comes first. */
const waiting = new Map<string | undefined, (() => void)[]>();

const isSpent = () => began !== 0 && performance.now() - began > BUDGET_MS;

/**
 * Resolves at the end of this turn of the event loop, after timers and sockets. Waiting callers are resumed one by one, in order. If one throws,
 * the process ends.
 */
export { endOfTurn };

/**
 * Waits for a turn of the event loop that has time left, so that many parallel calls do not delay timers and sockets. Calls of one group continue
 * in order; the groups take turns, so that the many calls of one caller do not delay those of another.
 *
 * @param group whose call it is, such as the account
 */
export function waitForEventLoopTurn(group?: string): Promise<void> {
  if (waiting.size > 0 || isSpent()) {
    return new Promise((resolve) => {
      const calls = waiting.get(group);
      if (calls) calls.push(resolve);
      else waiting.set(group, [resolve]);
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
  while (waiting.size > 0) {
    began = performance.now();
    while (waiting.size > 0 && !isSpent()) {
      resumeNext();
      await runReadyWork();
    }
    await endOfTurn();
  }
  began = 0;
}

/** Resumes the first caller of the group whose turn it is, and puts the group behind the others. */
function resumeNext(): void {
  for (const [group, calls] of waiting) {
    waiting.delete(group);
    calls.shift()?.();
    if (calls.length > 0) waiting.set(group, calls);
    return;
  }
}

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
