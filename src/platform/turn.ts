import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Checks may keep the event loop for this long at a stretch; what is left waits for the next turn. */
const BUDGET_MS = 2;

let began = 0;

const isSpent = () => began !== 0 && performance.now() - began > BUDGET_MS;

/**
 * Resolves when this turn of the event loop has ended: timers, sockets and answers that are ready have had their go. Each that waits is
 * resumed by itself, in the order of asking. What then throws has no caller and ends the process.
 */
export { endOfTurn };

/**
 * Waits for a turn of the event loop that has time left for a check, so that a burst of calls never holds up timers, sockets and the
 * answers that are ready. Calls keep their order.
 */
export async function turnWithTime(): Promise<void> {
  while (isSpent()) await endOfTurn();
  if (began !== 0) return;
  began = performance.now();
  void endOfTurn().then(() => (began = 0));
}
