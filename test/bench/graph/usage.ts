// Loaded into a program before its own: writes what its process has used to the file BENCH_USAGE when it ends.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    const { BENCH_USAGE = '' } = process.env;
    writeFileSync(BENCH_USAGE, JSON.stringify(process.resourceUsage()));
  });
