// npm run bench:shuffles: checks that an import in random order and pieces gives the same links, to the bit, as an import all at once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Random } from '../../src/generate/random.ts';
import { generateRecordLines } from '../../src/generate/records.ts';
import { worldOf } from '../generate/world.ts';
import { foundIn, importBatches } from '../kit/graphs/found.ts';
import type { Row } from '../kit/graphs/graph.ts';

const HELP = `npm run bench:shuffles -- [FILE…] [--shuffles 200] [--people 300] [--records 1000] [--seed 1] [--threads 2]
Imports the first records of each file (JSON Lines), or of generated people, at once; then shuffled: a random part at once, the rest in
pieces of 1 to 20, some records at first with what another one says. Tells of every set in how many shuffles partition, weights and counts
were the same, and how many pieces were linked without linking all anew. With --threads so many help with what is shuffled.
`;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    shuffles: { type: 'string', default: '200' },
    people: { type: 'string', default: '300' },
    records: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const [shuffles, most, seed] = [options.shuffles, options.records, options.seed].map(Number) as [
  number,
  number,
  number,
];
const several = options.threads === undefined ? undefined : Number(options.threads);
let wrong = 0;
for (const [name, rows] of setsOf()) wrong += await tell(name, rows.slice(0, most));
process.exitCode = wrong > 0 ? 1 : 0;

function* setsOf(): Iterable<[string, Row[]]> {
  const parsed = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  for (const file of files) yield [basename(file), parsed(readFileSync(file, 'utf8'))];
  if (files.length > 0) return;
  const world = worldOf(Number(options.people), { seed });
  yield ['generated people', parsed([...generateRecordLines(world)].map(({ records }) => records).join(''))];
}

async function tell(name: string, rows: Row[]): Promise<number> {
  const expected = await found([rows]);
  let [same, grown, pieces] = [0, 0, 0];
  for (let shuffle = 0; shuffle < shuffles; shuffle++) {
    const batches = batchesOf(rows, new Random(seed, 1, shuffle));
    const one = await found(batches, several);
    same += Number(isDeepStrictEqual(one.all, expected.all));
    grown += one.grown;
    pieces += batches.length;
    process.stderr.write(`\r${name}: ${shuffle + 1} of ${shuffles}, ${shuffle + 1 - same} differ `);
  }
  process.stderr.write('\n');
  process.stdout.write(
    `${name}, ${rows.length} records: ${same} of ${shuffles} shuffles the same; ${grown} of ${pieces} pieces linked in part\n`,
  );
  return shuffles - same;
}

async function found(batches: Row[][], threads = 0): Promise<{ all: unknown; grown: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-shuffles-'));
  try {
    const grown = await importBatches(folder, batches, threads);
    return { all: await foundIn(folder), grown };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function batchesOf(rows: Row[], random: Random): Row[][] {
  const order = [...rows];
  for (const [i] of rows.entries()) {
    const j = random.int(i + 1);
    [order[i], order[j]] = [order[j] ?? {}, order[i] ?? {}] as [Row, Row];
  }
  const whole = Math.floor(order.length * (0.5 + 0.4 * random.next()));
  const first = order
    .slice(0, whole)
    .map((row) => (random.chance(0.02) ? instead(row, random.pick(order)) : row));
  const batches = [first];
  const later = [...order.slice(whole), ...order.slice(0, whole).filter((row, i) => first[i] !== row)];
  for (let at = 0; at < later.length;) {
    const size = random.between(1, 20);
    batches.push(later.slice(at, at + size));
    at += size;
  }
  return batches;
}

/** Returns the values of another record with the id of this record. */
function instead({ record_id, source }: Row, other: Row): Row {
  const { source: _, ...says } = other;
  return { ...says, record_id, ...(source !== undefined && { source }) };
}
