// A process that opens the graphs of many new folders, one every 20 ms from a given time: `node open.ts FOLDER COUNT START`.
// Prints one line for each error.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';

const [folder = '', count = '0', start = '0'] = process.argv.slice(2);
const EVERY_MS = 20;

for (let i = 0; i < Number(count); i++) {
  await wait(Math.max(0, Number(start) + i * EVERY_MS - Date.now()));
  try {
    await openSqliteGraph({ dataDir: join(folder, String(i)) }).close();
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
}
