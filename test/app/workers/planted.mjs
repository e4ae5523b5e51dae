// Loaded into a server by --import: a worker throws an uncaught error when its file exists, `throw-1` for the first.
import { existsSync, rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const file = `${process.env.PLANTED}/throw-${workerData?.number}`;
const look = () => {
  if (!existsSync(file)) return;
  rmSync(file);
  throw new Error('Planted.');
};
if (workerData?.threadCount) setInterval(look, 10).unref();
