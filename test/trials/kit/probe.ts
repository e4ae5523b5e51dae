// Loaded into a server by NODE_OPTIONS: writes the longest hold of its event loop to a file. SIGUSR2 resets it.
import { openSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 1;
const WRITE_MS = 250;
/** Length of a record, longer than its content, so that each write replaces the whole record. */
const LINE = 100;

const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Measures by how much ticks are late. `holdMs` is elapsed time; `busyMs` is CPU time of the thread, without the work of other processes. */
function watch(file: string): void {
  const most = { holdMs: 0, busyMs: 0, rests: 0 };
  // Opens the file at the start, because a trial may use up descriptors and disk space.
  const handle = openSync(file, 'w');
  const write = () => writeSync(handle, JSON.stringify(most).padEnd(LINE), 0);
  let last = { time: performance.now(), cpu: cpu() };
  setInterval(() => {
    const now = { time: performance.now(), cpu: cpu() };
    const late = now.time - last.time - TICK_MS;
    most.holdMs = Math.max(most.holdMs, late);
    most.busyMs = Math.max(most.busyMs, Math.min(late, now.cpu - last.cpu));
    last = now;
  }, TICK_MS).unref();
  setInterval(write, WRITE_MS).unref();
  process.on('SIGUSR2', () => {
    Object.assign(most, { holdMs: 0, busyMs: 0, rests: most.rests + 1 });
    last = { time: performance.now(), cpu: cpu() };
    write();
  });
}

if (isMainThread && process.env.TRIAL_PROBE) watch(process.env.TRIAL_PROBE);
