// npm run bench:many: the cost of a check, and the disk space, of a graph with very many people of one record each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { limitHeapGrowth } from '../../../src/commands/helpers/heap.ts';
import { createRecordWithPersonId } from '../../../src/generate/records.ts';
import { findPersonAndRecordIndex, type GeneratedWorld } from '../../../src/generate/world.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { stageRecords } from '../../../src/import/stage.ts';
import { openRejectsFileWriter } from '../../../src/import/summary.ts';
import { UNMEASURED_ERROR_RATES } from '../../../src/link/compare/evidence.ts';
import { createSharedMemoryRecords } from '../../../src/link/packed-records.ts';
import { type ThreadPool, createThreadPool } from '../../../src/platform/threads/helpers.ts';
import { worldOf } from '../../generate/world.ts';
import { bodiesFrom } from './bodies.ts';
import type { CheckFigures } from './figures.ts';
import { inChild, sizesIn } from './made.ts';

const HELP = `npm run bench:many -- [--people 100000] [--piece 250000] [--seed 1]
Imports one generated record of each person, in pieces, publishes each as an identity of its own without linking (which would take most of the
time, and which checks do not depend on), and measures checks in a process of their own, once it is warm. Ten million take hours and 40 GB of disk.
`;

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    piece: { type: 'string', default: '250000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [people, piece] = [Number(options.people), Number(options.piece)];
/** Number of records from which requests are made. */
const ASKED = 100_000;

/** Returns the first record of each person in the order of the output, some hundred lines at a time. */
function* firstRecords(world: GeneratedWorld): Generator<string[]> {
  let lines: string[] = [];
  for (let place = 0; place < world.records; place++) {
    if (findPersonAndRecordIndex(world, world.order.at(place)).nth !== 0) continue;
    lines.push(JSON.stringify(createRecordWithPersonId(world, place).record));
    if (lines.length < 200) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

/** Returns at least `most` lines as the bytes of a file, in pieces. Calls `told` with the lines of each piece. */
function* some(from: Generator<string[]>, most: number, told: (lines: string[]) => void) {
  for (let count = 0; count < most;) {
    const { value: lines } = from.next();
    if (!lines) return;
    count += lines.length;
    told(lines);
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

interface Building {
  graph: RecordStoringGraph;
  pool: ThreadPool;
}

/** Imports a stream without linking, and returns the number of its records. */
async function keepAll({ graph, pool }: Building, stream: Readable): Promise<number> {
  const { records } = graph;
  const incoming = await records.openIncoming();
  const into = { incoming, records };
  const inputs = [{ name: 'people', stream, bytes: null }];
  const { read } = await stageRecords({
    inputs,
    into,
    rejects: openRejectsFileWriter(undefined),
    region: 'US',
    pool,
  });
  await records.runAtomically(async () => {
    await incoming.resolveDuplicates();
    await incoming.apply();
  });
  incoming.drop();
  return read;
}

async function build(folder: string, asked: string): Promise<void> {
  limitHeapGrowth();
  const building = { graph: openSqliteGraph({ dataDir: folder }), pool: createThreadPool() };
  const { records, linking } = building.graph;
  const from = firstRecords(worldOf(people, { seed: Number(options.seed) }));
  const forBodies: string[] = [];
  const told = (lines: string[]) => {
    if (forBodies.length < ASKED) forBodies.push(...lines);
  };
  let kept = 0;
  while (kept < people) {
    kept += await keepAll(building, Readable.from(some(from, piece, told)));
    process.stderr.write(`${kept} of ${people} people are kept\n`);
  }
  writeFileSync(asked, `${forBodies.join('\n')}\n`);
  await records.runAtomically(async () => {
    const near = { sharedRecords: createSharedMemoryRecords(1, 0).view(), pool: building.pool };
    await linking.publish({
      clusters: [],
      revision: await linking.revision(),
      errorRates: UNMEASURED_ERROR_RATES,
      inMemory: near,
    });
  });
  process.stderr.write('published\n');
  await building.graph.close();
  await building.pool.close();
}

const root = mkdtempSync(join(tmpdir(), 'bonafide-bench-many-'));
try {
  const [folder, asked] = [join(root, 'data'), join(root, 'asked.jsonl')];
  const began = performance.now();
  await build(folder, asked);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage();
  const { graph, records } = sizesIn(folder);
  process.stdout.write(
    `${people} identities after ${seconds.toFixed(0)} s (${((user + system) / 1e6).toFixed(0)} s of CPU, ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most)\n` +
      `graph.db ${(graph / 1e9).toFixed(2)} GB, ${(graph / people).toFixed(0)} bytes an identity; records.db ${(records / 1e9).toFixed(2)} GB\n`,
  );
  for (const [kind, bodies] of Object.entries(await bodiesFrom(asked))) {
    const { cpuMicros, p50Ms, p99Ms } = await inChild<CheckFigures>(root, 'checks', { folder, bodies });
    process.stdout.write(
      `check, ${kind}: ${cpuMicros.toFixed(0)} us of CPU, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms\n`,
    );
  }
} finally {
  rmSync(root, { recursive: true });
}
