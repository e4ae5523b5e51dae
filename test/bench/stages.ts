// npm run bench:stages: CPU time of an import of generated records, stage by stage.
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { limitHeapGrowth } from '../../src/commands/helpers/heap.ts';
import { generateRecordLines } from '../../src/generate/records.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { mergeRowsWithSameId } from '../../src/import/merge-same.ts';
import { partitionRecordsByPerson } from '../../src/import/linking/partition.ts';
import { stageRecords } from '../../src/import/stage.ts';
import { openRejectsFileWriter } from '../../src/import/summary.ts';
import { createThreadPool } from '../../src/platform/threads/helpers.ts';
import { worldOf } from '../generate/world.ts';

const NAME = { name: 'Maria Weber' };
/** Values that all records have in common, by option; other values stay as generated. */
const ALIKE: Record<string, object> = {
  record: {
    ...NAME,
    source: 'shop',
    emails: ['maria@example.org'],
    phones: [],
    addresses: [],
    birth_date: '1980-05-17',
  },
  'name-email': { ...NAME, emails: ['maria@example.org'] },
  phone: { phones: ['+493012345678'] },
  'name-city': { ...NAME, addresses: [{ street: '', city: 'Berlin', country: 'DE' }] },
};
const HELP = `npm run bench:stages -- [--people 7812] [--seed 7] [--threads N] [--alike ${Object.keys(ALIKE).join('|')}]
Imports generated records into an empty graph as \`graph import\` does, and tells of each stage, a record: the time that passed, the
processor's time of all threads, that of the main thread, and the memory of the process when it ended. With \`--alike\`, all records
have the named values in common; with \`record\`, they are equal but for their ids.
`;

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '7812' },
    seed: { type: 'string', default: '7' },
    threads: { type: 'string' },
    alike: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const threads = options.threads === undefined ? undefined : Number(options.threads);

const common = options.alike === undefined ? undefined : ALIKE[options.alike];
if (options.alike !== undefined && common === undefined) {
  process.stderr.write(HELP);
  process.exit(2);
}
function withCommonValues(line: string): string {
  if (!common) return line;
  const { record_id, ...values } = JSON.parse(line);
  return JSON.stringify(
    options.alike === 'record' ? { record_id, ...common } : { record_id, ...values, ...common },
  );
}

const folder = mkdtempSync(join(tmpdir(), 'bonafide-stages-'));
const file = join(folder, 'people.jsonl');
const written = createWriteStream(file);
for (const { records } of generateRecordLines(
  worldOf(Number(options.people), { seed: Number(options.seed) }),
))
  if (!written.write(records.replaceAll(/.+/g, withCommonValues))) await once(written, 'drain');
written.end();
await once(written, 'close');

interface Figures {
  passed: number;
  all: number;
  main: number;
}

const sumOf = ({ user, system }: NodeJS.CpuUsage) => user + system;
const figures = (): Figures => ({
  passed: performance.now() * 1000,
  all: sumOf(process.cpuUsage()),
  main: sumOf(process.threadCpuUsage()),
});

const stages: (Figures & { name: string; megabytes: number })[] = [];
let before = figures();
/** Records the figures of a stage since the previous one, in microseconds. */
function stage(name: string): void {
  const now = figures();
  const [passed, all, main] = [now.passed - before.passed, now.all - before.all, now.main - before.main];
  stages.push({ name, passed, all, main, megabytes: process.memoryUsage().rss / 1e6 });
  before = now;
}

limitHeapGrowth();
const pool = createThreadPool(threads);
const graph = openSqliteGraph({ dataDir: folder });
const { records, linking } = graph;
const incoming = await records.openIncoming();
stage('opening');
const input = { name: file, stream: createReadStream(file), bytes: null };
const into = { incoming, records };
await stageRecords({ inputs: [input], into, rejects: openRejectsFileWriter(undefined), region: 'US', pool });
stage('reading');
await records.runAtomically(async () => {
  const makeId = (content: string) => incoming.generateRecordId(content).slice(0, 12);
  await incoming.resolveDuplicates((same) => mergeRowsWithSameId(same, makeId, { merged: 0, shared: 0 }));
  await incoming.apply();
  stage('keeping');
  const index = linking.linkCache?.rebuild() ?? null;
  const found = await partitionRecordsByPerson(graph, { cache: index, pool, onStage: stage });
  await linking.publish({ ...found, revision: await linking.revision() });
});
await pool.close();
stage('publishing');
const count = await records.count();
await graph.close();
rmSync(folder, { recursive: true });

const shown = (...cells: (string | number)[]) =>
  `${cells.map((cell) => (typeof cell === 'string' ? cell : cell.toFixed(0)).padStart(11)).join(' | ')}\n`;
process.stdout.write(
  `${count} records, µs a record\n${shown('stage', 'passed', 'all threads', 'main thread', 'MB')}`,
);
for (const { name, passed, all, main, megabytes } of stages)
  process.stdout.write(shown(name, passed / count, all / count, main / count, megabytes));
const total = (what: keyof Figures) => stages.reduce((sum, one) => sum + one[what], 0) / count;
process.stdout.write(
  shown('all', total('passed'), total('all'), total('main'), process.resourceUsage().maxRSS / 1024),
);
