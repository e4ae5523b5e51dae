// A process that queries a graph on PostgreSQL as a server does, with 32 queries in flight: `node asker.ts ADDRESS SECRET QUESTIONS SECONDS`.
// Prints the number of answers per second.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { checkClaim } from '../../../src/check.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import type { GraphQuery } from '../../../src/graph/graph.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';

const [url = '', secret = '', file = '', seconds = '1'] = process.argv.slice(2);
const AT_A_TIME = 32;
const WARM_UP_MS = 1000;

const graph = openPostgresGraph({ url, secret, folder: tmpdir(), create: false });
const queries: GraphQuery[] = [];
const noted = { ...graph, resolve: (query: GraphQuery) => (queries.push(query), graph.resolve(query)) };
for (const body of JSON.parse(readFileSync(file, 'utf8')) as object[])
  await checkClaim(parseClaim({ value: { ...body, operation: 'raw' }, issues: [] }, 'US'), noted);

let next = 0;
async function askFor(ms: number): Promise<number> {
  const until = performance.now() + ms;
  let answered = 0;
  const asker = async () => {
    for (; performance.now() < until; answered++) {
      const query = queries[next++ % queries.length];
      if (query) await graph.resolve(query);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, asker));
  return answered;
}

await askFor(WARM_UP_MS);
process.stdout.write(`${(await askFor(Number(seconds) * 1000)) / Number(seconds)}\n`);
await graph.close();
