// Loaded into a program before its own code: writes the resource usage of the process to the file BENCH_USAGE at its end.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    const { BENCH_USAGE = '' } = process.env;
    writeFileSync(BENCH_USAGE, JSON.stringify(process.resourceUsage()));
  });
