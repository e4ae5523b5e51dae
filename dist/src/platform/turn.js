import { setImmediate as nextTurn } from 'node:timers/promises';
/** Checks may keep the event loop for this long at a stretch; what is left waits for the next turn. */
const BUDGET_MS = 2;
let began = 0;
const isSpent = () => began !== 0 && performance.now() - began > BUDGET_MS;
/**
 * Waits for a turn of the event loop that has time left for a check, so that a burst of calls never holds up timers, sockets and the
 * answers that are ready. Calls keep their order.
 */
export async function turn() {
    while (isSpent())
        await nextTurn();
    if (began !== 0)
        return;
    began = performance.now();
    setImmediate(() => {
        began = 0;
    });
}
