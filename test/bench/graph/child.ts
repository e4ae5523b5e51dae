// Measurements in a separate process, so that nothing else counts: `node child.ts WORK JSON` prints one line of JSON.
import { readFileSync } from 'node:fs';
import { checkClaim } from '../../../src/check.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import { parseFeedRequest } from '../../../src/import/feed/lines.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { compareSomePostponedRecords, tryLinkAddedRecords } from '../../../src/people/linking.ts';
import type { CheckFigures, OneFigures } from './figures.ts';
import { quantile } from './figures.ts';

const [work = '', given = '{}'] = process.argv.slice(2);

/** Returns the CPU time of this process in microseconds. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Returns the number of bytes that this process has written; 0 if the system does not report it (Linux does). */
function written(): number {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Imports records one by one, as a feed does. Each is published before the next one. */
async function one({
  folder,
  file,
  count,
}: {
  folder: string;
  file: string;
  count: number;
}): Promise<OneFigures> {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, count);
  const graph = openSqliteGraph({ dataDir: folder });
  const [ms, bytes, clock]: number[][] = [[], [], []];
  let linked = 0;
  const [cpuAtFirst, writtenAtFirst] = [cpu(), written()];
  for (const line of lines) {
    const before = [cpu(), written(), performance.now()] as const;
    linked += Number(await put(graph, line));
    ms?.push((cpu() - before[0]) / 1000);
    bytes?.push(written() - before[1]);
    clock?.push(performance.now() - before[2]);
    // Postponed work, which a feed does when no caller waits.
    while (await compareSomePostponedRecords(graph));
    await graph.records.runDeferredWork?.();
  }
  const all = { cpuMs: (cpu() - cpuAtFirst) / 1000, bytes: written() - writtenAtFirst };
  const mean = { cpuMs: all.cpuMs / lines.length, bytes: all.bytes / lines.length };
  await graph.close();
  const of = (values: number[] = []) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });
  return { records: lines.length, linked, cpuMs: of(ms), bytes: of(bytes), clockMs: of(clock), mean };
}

async function put(graph: RecordStoringGraph, line: string): Promise<boolean> {
  const { records } = graph;
  const sent = { lines: Buffer.from(line), source: 'bench', region: 'US' };
  const changes = await parseFeedRequest(sent, records);
  return records.runAtomically(async () => {
    await records.put([...changes.records.values()].flatMap(({ record }) => record ?? []));
    return tryLinkAddedRecords(graph);
  });
}

/** Checks bodies in a loop. The first rounds are not measured, because V8 compiles for some seconds. */
async function checks({ folder, bodies }: { folder: string; bodies: object[] }): Promise<CheckFigures> {
  const graph = openSqliteGraph({ dataDir: folder, create: false });
  const claims = bodies.map((value) =>
    parseClaim({ value: value as Record<string, unknown>, issues: [] }, 'US'),
  );
  const micros: number[] = [];
  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpu();
    for (const claim of claims) {
      const began = performance.now();
      await checkClaim(claim, graph);
      if (round >= WARM_UP) latencies.push(performance.now() - began);
      // Each check gets a turn of the event loop, as in a server.
      await new Promise(setImmediate);
    }
    if (round >= WARM_UP) micros.push((cpu() - before) / claims.length);
  }
  await graph.close();
  return {
    cpuMicros: quantile(micros, 0.5),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}
const WARM_UP = 6;
const ROUNDS = 12;

const WORK: Record<string, (given: never) => Promise<object>> = { one, checks };
const done = await WORK[work]?.(
  JSON.parse(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given) as never,
);
process.stdout.write(`${JSON.stringify(done)}\n`);
