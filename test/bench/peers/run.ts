// npm run bench:peers: bulk linking of generated records by Bonafide and by DuckDB with the method of Splink. The ratio of their CPU times
// does not depend on the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { addPairsToLinkingWorkspace } from '../../../src/import/linking/candidate-pairs.ts';
import { createLinkingThreads } from '../../../src/import/linking/worker.ts';
import { createThreadPool } from '../../../src/platform/threads/helpers.ts';
import { accuracyOf } from '../graph/accuracy.ts';
import { importAll, judged, type Made, makeFiles, usageOption } from '../graph/made.ts';

const HELP = `npm run bench:peers -- [--records 200000]
Generates about so many records. Bonafide reads, normalises, encrypts, links and publishes them; DuckDB links a table of their values.
`;

const { values: options } = parseArgs({
  options: { records: { type: 'string', default: '200000' }, help: { type: 'boolean', default: false } },
});

/** Figures of one engine. */
interface PeerFigures {
  cpuSeconds: number;
  seconds: number;
  pairs: number;
  memoryMb: number;
  /** True person and cluster of each record. */
  records: { truth: string; identity: number }[];
}

async function measureBonafide(made: Made): Promise<PeerFigures> {
  const { cpuSeconds, seconds, memoryMb } = await importAll(made);
  return { cpuSeconds, seconds, memoryMb, pairs: await countPairs(made), records: await judged(made) };
}

/** Counts the pairs that linking compares, in a second run that is not measured. */
async function countPairs({ folder }: Made): Promise<number> {
  const graph = openSqliteGraph({ dataDir: folder });
  const [workspace, pool] = [await graph.linking.openWorkspace(), createThreadPool(0)];
  let pairs = 0;
  await addPairsToLinkingWorkspace(
    graph.records,
    { workspace, cache: null },
    createLinkingThreads(graph.records, pool),
  );
  for await (const page of await workspace.pairs()) pairs += page.length;
  await workspace.drop();
  await graph.close();
  return pairs;
}

async function measureDuckDb(made: Made, root: string): Promise<PeerFigures> {
  const [table, labels, usage] = ['table.tsv', 'labels.tsv', 'usage.json'].map((name) =>
    join(root, name),
  ) as [string, string, string];
  await writeTable(made.file, table);
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...usageOption, join(import.meta.dirname, 'duckdb.mjs'), table, labels],
    { env: { PATH: process.env.PATH, BENCH_USAGE: usage }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`DuckDB ended with ${String(code)}`);
  const seconds = (performance.now() - began) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(
    readFileSync(usage, 'utf8'),
  ) as NodeJS.ResourceUsage;
  const truth = await readPairs(made.truth, (line) => {
    const { record_id: id, truth: person } = JSON.parse(line) as { record_id: string; truth: string };
    return [id, person];
  });
  const clusters = await readPairs(labels, (line) => line.split('\t') as [string, string]);
  return {
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    seconds,
    memoryMb: maxRSS / 1024,
    pairs: (JSON.parse(answer) as { pairs: number }).pairs,
    records: Array.from(clusters, ([id, label]) => ({
      truth: truth.get(id) ?? id,
      identity: Number(label),
    })),
  };
}

async function readPairs(file: string, parse: (line: string) => [string, string]) {
  const pairs = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(file) })) pairs.set(...parse(line));
  return pairs;
}

/** Record of a generated file, with the values of the table. */
interface GeneratedRecord {
  record_id: string;
  name?: string | { given?: string; family?: string };
  birth_date?: string;
  emails?: string[];
  phones?: string[];
  addresses?: { street?: string; zip?: string; city?: string }[];
}

/** Writes the records as a table of folded values for `duckdb.mjs`. */
async function writeTable(file: string, table: string): Promise<void> {
  const output = createWriteStream(table);
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { record_id: id, name, birth_date: dob = '', ...contacts } = JSON.parse(line) as GeneratedRecord;
    const [email = '', phone = ''] = [contacts.emails?.[0]?.toLowerCase(), contacts.phones?.[0]];
    const { street, zip, city } = contacts.addresses?.[0] ?? {};
    const values = [id, ...splitName(name), dob, email, phone.replace(/\D/g, '').slice(-9)];
    values.push(fold(street), fold(zip).replaceAll(' ', ''), fold(city));
    if (!output.write(`${values.map((value) => value.replace(/\s/g, ' ')).join('\t')}\n`))
      await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}

const fold = (value = '') =>
  value
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/ +/g, ' ')
    .toLowerCase()
    .trim();

/** Returns the first given name and the family name. */
function splitName(name: GeneratedRecord['name'] = ''): [given: string, family: string] {
  const [before = '', after] = typeof name === 'string' ? name.split(',') : [name.family, name.given ?? ''];
  const words = fold(before).split(' ');
  const [given = '', family = ''] =
    after === undefined ? [words.length > 1 ? words[0] : '', words.at(-1)] : [fold(after), words.join(' ')];
  return [given.split(' ')[0] ?? '', family];
}

/** Rows of the printed table: a name, and the value of an engine. */
const ROWS: [name: string, read: (figures: PeerFigures & ReturnType<typeof accuracyOf>) => string][] = [
  ['processor time a record, µs', (it) => ((it.cpuSeconds * 1e6) / it.records.length).toFixed(1)],
  ['records per second and core', (it) => (it.records.length / it.cpuSeconds).toFixed(0)],
  ['records per second by the clock', (it) => (it.records.length / it.seconds).toFixed(0)],
  ['compared pairs a record', (it) => (it.pairs / it.records.length).toFixed(2)],
  ['memory, MB', (it) => it.memoryMb.toFixed(0)],
  ['precision', (it) => it.precision.value.toFixed(4)],
  ['recall', (it) => it.recall.value.toFixed(4)],
  ['F1', (it) => it.f1.value.toFixed(4)],
];

async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'bonafide-bench-peers-'));
  try {
    const made = await makeFiles(root, { records: Number(options.records), single: 1, more: 1 });
    const duckDb = await measureDuckDb(made, root);
    const bonafide = await measureBonafide(made);
    const engines = [bonafide, duckDb].map((figures) => ({ ...figures, ...accuracyOf(figures.records, 1) }));
    const lines = ROWS.map(([name, read]) => `| ${[name, ...engines.map(read)].join(' | ')} |`);
    const ratio = bonafide.cpuSeconds / duckDb.cpuSeconds;
    process.stdout.write(
      `| ${bonafide.records.length} records | Bonafide | DuckDB, method of Splink |\n|---|---|---|\n${lines.join('\n')}\n` +
        `Bonafide takes ${ratio.toFixed(1)} times the processor time; it also parses, normalises, encrypts, stores and publishes.\n`,
    );
  } finally {
    rmSync(root, { recursive: true });
  }
}

if (options.help) process.stdout.write(HELP);
else await run();
