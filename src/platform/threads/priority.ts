// Work that can wait, beside calls that cannot.
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** What the system takes for the thread that asks. */
const MYSELF = 0;

/**
 * Has the thread that calls it come after others that want the processor: in the main thread of a program all of it. Only Linux knows
 * priorities of threads; elsewhere one beside others stays as it is, for else the whole process would give way.
 */
export function lowerThreadPriority(): void {
  if (!isMainThread && process.platform !== 'linux') return;
  for (const thread of isMainThread ? threads() : [MYSELF])
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Whoever may not do so works as before, and one that ended meanwhile is in nobody's way.
    }
}

/** Those that collect garbage and compile are there before any code runs, and on Linux each has a priority of its own. */
function threads(): number[] {
  if (process.platform !== 'linux') return [MYSELF];
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [MYSELF];
  }
}
