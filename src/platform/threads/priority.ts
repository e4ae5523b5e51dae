// Work that can wait, beside calls that cannot.
import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Has the thread that calls it come after others that want the processor: in the main thread of a program all of it. Only Linux knows
 * priorities of threads; elsewhere one beside others stays as it is, for else the whole process would give way.
 */
export function giveWay(): void {
  if (!isMainThread && process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Whoever may not do so works as before.
  }
}
