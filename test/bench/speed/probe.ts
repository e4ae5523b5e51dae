// Loaded into a measured server by --import: sends resource usage and holds of the event loop to the parent process.
import type { Usage } from './process.ts';

// Resolution of the hold measurement. A tick costs about a microsecond.
const TICK_MS = 1;

let last = performance.now();
let lastCpu = threadCpu();
let hold = 0;
let busyHold = 0;
let holds: number[] = [];

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// Ticks are late by the time for which the event loop was held. CPU time of the thread excludes the work of other processes.
setInterval(() => {
  const [now, cpu] = [performance.now(), threadCpu()];
  const late = now - last - TICK_MS;
  const busy = Math.min(late, cpu - lastCpu);
  if (late > hold) hold = late;
  if (busy > busyHold) busyHold = busy;
  holds.push(busy);
  last = now;
  lastCpu = cpu;
}, TICK_MS).unref();

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const sorted = holds.sort((a, b) => a - b);
  const p99 = Math.max(0, sorted[Math.floor(sorted.length * 0.99)] ?? 0);
  const usage: Usage = { cpuMicros: user + system, holdMs: hold, busyHoldMs: busyHold, busyHoldP99Ms: p99 };
  process.send!(usage);
  [hold, busyHold, holds] = [0, 0, []];
  last = performance.now();
  lastCpu = threadCpu();
});
process.channel?.unref();
