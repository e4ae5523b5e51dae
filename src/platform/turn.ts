import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Time (ms) for which calls may use the event loop without a break. */
const BUDGET_MS = 2;

let began = 0;
interface WaitingGroup {
  calls: (() => void)[];
  /** Number of calls at the beginning of the list `calls` that were already resumed. */
  resumed: number;
  /** Time (ms) that resumed calls of the group have used. A new group starts with `leastUsedMs` and so neither gains nor loses time. */
  usedMs: number;
}
const waiting = new Map<string | undefined, WaitingGroup>();
/** `usedMs` of groups that no longer wait while others do, so that a caller who sends one call after the other counts like one who sends many. */
const usedBefore = new Map<string | undefined, number>();
/** Maximum number of groups in `usedBefore`. */
const MAX_USED_BEFORE = 1000;
/** `usedMs` of the group that was resumed last. */
let leastUsedMs = 0;

const isSpent = () => began !== 0 && performance.now() - began > BUDGET_MS;

/**
 * Resolves at the end of this turn of the event loop, after timers and sockets. Waiting callers are resumed one by one, in order. If one throws,
 * the process ends.
 */
export { endOfTurn };

/**
 * Waits for a turn of the event loop that has time left, so that many parallel calls do not delay timers and sockets. Calls of one group continue
 * in order. Groups get equal time, so that many or long calls of one caller do not delay the calls of another.
 *
 * @param group caller that the call belongs to, such as the id of its account; undefined for a call of an unknown caller
 */
export function waitForEventLoopTurn(group: string | undefined): Promise<void> {
  if (waiting.size > 0 || isSpent()) {
    return new Promise((resolve) => {
      const others = waiting.get(group);
      if (others) others.calls.push(resolve);
      else {
        const usedMs = Math.max(leastUsedMs, usedBefore.get(group) ?? 0);
        waiting.set(group, { calls: [resolve], resumed: 0, usedMs });
      }
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
      await resumeNext();
    }
    await endOfTurn();
  }
  usedBefore.clear();
  began = 0;
}

/** Resumes the next caller of the group that has used the least time, and counts its time until its next wait. */
async function resumeNext(): Promise<void> {
  let name: string | undefined;
  let next: WaitingGroup | undefined;
  for (const [other, group] of waiting)
    if (next === undefined || group.usedMs < next.usedMs) [name, next] = [other, group];
  if (next === undefined) return;
  leastUsedMs = next.usedMs;
  const started = performance.now();
  next.calls[next.resumed++]?.();
  await runReadyWork();
  next.usedMs += performance.now() - started;
  if (next.resumed === next.calls.length) {
    waiting.delete(name);
    if (usedBefore.size >= MAX_USED_BEFORE) usedBefore.clear();
    usedBefore.set(name, next.usedMs);
  } else if (next.resumed > MAX_RESUMED) {
    next.calls = next.calls.slice(next.resumed);
    next.resumed = 0;
  }
}

/** Number of resumed callers of a group above which they are removed from its list. Removing them one by one would be slow. */
const MAX_RESUMED = 1000;

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
