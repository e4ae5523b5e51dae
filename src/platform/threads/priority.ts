import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { resultOr } from '../../errors.ts';

/** Thread id that stands for the calling thread. */
const MYSELF = 0;

/** Lowers the priority of the calling thread; in the main thread, of the whole process. Outside Linux, does nothing in worker threads. */
export function lowerThreadPriority(): void {
  if (!isMainThread && process.platform !== 'linux') return;
  for (const thread of isMainThread ? threads() : [MYSELF])
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The system does not permit it, or the thread has ended. The work continues at normal priority.
    }
}

/** Lists the ids of all threads of the process, including those of V8. */
function threads(): number[] {
  if (process.platform !== 'linux') return [MYSELF];
  return resultOr(() => readdirSync('/proc/self/task').map(Number), [MYSELF]);
}
