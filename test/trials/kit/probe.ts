// Loaded into a server by NODE_OPTIONS: writes to a file how long its event loop was held. SIGUSR2 begins anew.
import { openSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 1;
const WRITE_MS = 250;
/** Longer than what is written, so that it all goes in the place of what was there. */
const LINE = 100;

const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Between two ticks the loop was held for as long as they are late; what the thread itself worked in that time leaves out what other processes took from it. */
function watch(file: string): void {
  const most = { holdMs: 0, busyMs: 0, rests: 0 };
  // Open from the start: there may be no descriptor and no room left later.
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
