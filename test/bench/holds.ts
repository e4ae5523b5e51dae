// Longest hold of the event loop by one request, with hostile bodies of every kind sent to the whole app. It is measured in CPU time, as the minimum
// of several runs, so that a busy machine does not count: `node test/bench/holds.ts [times]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { importRecords } from '../../src/import.ts';
import { openLog } from '../../src/observe/log.ts';
import { createKey } from '../../src/store/keys.ts';
import { nastyBodies } from '../kit/values/nasty.ts';

const times = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'bonafide-holds-'));

/** Returns the CPU time of this thread, in milliseconds. */
function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the longest CPU time between two turns of the event loop while `work` runs, in milliseconds. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, done] = [0, busy(), false];
  const look = () => {
    const now = busy();
    longest = Math.max(longest, now - last);
    last = now;
    if (!done) setImmediate(look);
  };
  setImmediate(look);
  await work();
  done = true;
  look();
  return longest;
}

const graph = openSqliteGraph({ dataDir: folder });
const record = { record_id: '1', source: 'crm', name: 'Ann Lee', emails: ['ann@example.com'] };
const stream = Readable.from([Buffer.from(JSON.stringify(record))]);
await importRecords({ graph, inputs: [{ name: 'people', stream, bytes: null }], region: 'US' });
await graph.close();
const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
const app = await openApp(config, openLog('silent'));
const { key } = createKey(app.store, { name: 'bench', scopes: ['validate', 'raw'] }, Date.now());
const headers = { 'x-api-key': key, 'content-type': 'application/json' };

const holds: { kind: string; ms: number; status: number; answer: number }[] = [];
for (const [kind, body] of nastyBodies()) {
  const all: number[] = [];
  let [status, answer] = [0, 0];
  for (let i = 0; i < times; i++)
    all.push(
      await longestHold(async () => {
        const response = await app.http.fetch(
          new Request('http://localhost/v1/validate/enhanced', { method: 'POST', headers, body }),
        );
        [status, answer] = [response.status, (await response.text()).length];
      }),
    );
  holds.push({ kind, ms: Math.min(...all), status, answer });
}
await app.close();
rmSync(folder, { recursive: true });

const rows = holds.toSorted((a, b) => b.ms - a.ms).slice(0, 12);
console.log(`${holds.length} kinds of bodies, ${times} times each. The longest holds of the event loop, ms:`);
for (const { kind, ms, status, answer } of rows)
  console.log(`${ms.toFixed(1).padStart(8)}  ${status}  ${String(answer).padStart(8)} B  ${kind}`);
const failed = holds.filter(({ status }) => status >= 500);
console.log(`5xx: ${failed.length}; largest answer: ${Math.max(...holds.map((one) => one.answer))} bytes`);
