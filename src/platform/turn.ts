import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Calls may keep the event loop for this long at a stretch; what is left waits for the next turn. */
const BUDGET_MS = 2;

let began = 0;
let waiting: (() => void)[] = [];
/** How many of `waiting` were woken already. */
let woken = 0;

const isSpent = () => began !== 0 && performance.now() - began > BUDGET_MS;

/**
 * Resolves when this turn of the event loop has ended: timers, sockets and answers that are ready have had their go. Each that waits is
 * resumed by itself, in the order of asking. What then throws has no caller and ends the process.
 */
export { endOfTurn };

/**
 * Waits for a turn of the event loop that has time left for a piece of a call's work, so that a burst of calls never holds up timers, sockets and the
 * answers that are ready. Calls keep their order, and one that still has to wait is not woken.
 */
export function waitForFreeTurn(): Promise<void> {
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

/** Resolves when what was woken has come to where it waits for something that is not there yet. */
const runReadyWork = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** Wakes who waits, one by one, until the time of this turn is spent too. */
async function nextTurn(): Promise<void> {
  while (woken < waiting.length) {
    began = performance.now();
    while (woken < waiting.length && !isSpent()) {
      waiting[woken++]?.();
      await runReadyWork();
    }
    if (woken === waiting.length || woken > MOST_WOKEN) {
      waiting = waiting.slice(woken);
      woken = 0;
    }
    await endOfTurn();
  }
  began = 0;
}

/** So many are forgotten together: dropping each by itself would move all that wait. */
const MOST_WOKEN = 1000;
