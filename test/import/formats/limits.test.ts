// Bounds of input files: each holds, is named in its message, and keeps memory and time small.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isJsonNestedTooDeep, INPUT_LIMITS } from '../../../src/import/formats/limits.ts';
import { readRecords } from '../../../src/import/read.ts';
import { randomNumbers } from '../../bench/people.ts';
import { BOUNDARY_FILES, FORMS, mixedFile } from '../../trials/hostile/bounds.ts';
import { PACKED_FILES } from '../../trials/hostile/packed.ts';

const DOCUMENTED = /^(unreadable_file|invalid_arguments)$/;

interface Outcome {
  names: number;
  problems: [line: number, problem: string][];
  error: { code?: string; message: string } | null;
  /** Time of the processor in milliseconds. */
  ms: number;
  /** Growth of the memory at its largest, in MiB. */
  memory: number;
}

/** Number of rows between two measurements of the memory: one takes longer than reading a row. */
const ROWS_BETWEEN = 256;

async function read(bytes: Buffer, ending: string): Promise<Outcome> {
  const outcome: Outcome = { names: 0, problems: [], error: null, ms: 0, memory: 0 };
  const [started, memory] = [process.cpuUsage(), process.memoryUsage().rss];
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  };
  const settings = { name: `file.${ending}`, makeId: (text: string) => String(text.length), source: 's' };
  let rows = 0;
  try {
    for await (const { line, problem, record } of readRecords(Readable.from(chunks()), settings)) {
      if (record) outcome.names++;
      if (problem !== undefined && outcome.problems.length < 10) outcome.problems.push([line, problem]);
      if (rows++ % ROWS_BETWEEN === 0)
        outcome.memory = Math.max(outcome.memory, (process.memoryUsage.rss() - memory) / 2 ** 20);
    }
  } catch (error) {
    outcome.error = error as Outcome['error'];
  }
  const { user, system } = process.cpuUsage(started);
  return { ...outcome, ms: (user + system) / 1000 };
}

test.each(BOUNDARY_FILES)('$form: $bound holds, and its message names the line', async (file) => {
  const { form, bound, message, line, make } = file;
  const size = INPUT_LIMITS[bound];
  const under = await read(make(size), form);
  expect(under).toMatchObject({ problems: [], error: null });
  expect(under.names).toBeGreaterThan(0);
  const over = await read(make(size + 1), form);
  const [number, problem] = over.error ? [null, over.error.message] : (over.problems[0] ?? []);
  expect([number, problem]).toEqual([line, expect.stringMatching(message)]);
  expect(problem?.includes(`file.${form}`)).toBe(line === null);
});

test.each(FORMS)(
  '%s: hostile mixtures are read fast, and end with a documented error at most',
  async (form) => {
    const random = randomNumbers(26);
    for (let i = 0; i < 40; i++) {
      const { ending, bytes } = mixedFile(form, random);
      const { error, ms } = await read(bytes, ending);
      expect(error?.code ?? 'unreadable_file', `${error?.message} in mixture ${i}`).toMatch(DOCUMENTED);
      expect(ms, `mixture ${i}`).toBeLessThan(2000);
    }
  },
);

test.each([
  'a workbook with cells far to the right',
  'a workbook with cells in the last column',
  'a workbook with a long format of many styles',
  'a workbook of 200,000 sheets',
])('%s costs at most five times an ordinary file of its size', async (name) => {
  const file = PACKED_FILES[name]?.();
  if (!file) throw new Error('no such file');
  const people = Array.from(
    { length: file.bytes.length / 20 },
    (_, i) => `Ann${i.toString(36)} Lee,${i * 7919}@x.example\n`,
  );
  const ordinary = await read(gzipSync(`name,email\n${people.join('')}`), 'csv.gz');
  const { error, ms, memory } = await read(file.bytes, file.ending);
  expect(error?.code ?? 'unreadable_file').toMatch(DOCUMENTED);
  expect(memory).toBeLessThan(400);
  expect(ms).toBeLessThan(5 * ordinary.ms + 500);
});

test.each([
  ['a workbook whose cells share one long text', 1],
  ['a workbook whose rows share one long text', 0.2],
  ['a workbook of nested elements', 1],
  ['an element with a million attributes', 1],
  ['a card of 5,000 lines of a megabyte', 1],
  ['a table of quotes that never close', 0.2],
] as const)('%s takes little memory and time', async (name, share) => {
  const file = PACKED_FILES[name]?.(share);
  if (!file) throw new Error('no such file');
  const { error, ms, memory } = await read(file.bytes, file.ending);
  expect(error?.code ?? 'unreadable_file').toMatch(DOCUMENTED);
  expect(memory).toBeLessThan(400);
  expect(ms).toBeLessThan(20_000 * share);
});

const PARQUET = new URL('../../fixtures/parquet/', import.meta.url);

test.each([
  ['columns-1001', 'has more than 1000 columns', 100],
  ['cells-over', 'has a group of more than 2000000 rows, 20000000 cells or 512 MiB', 100],
  ['rows-over', 'has a group of more than 2000000 rows, 20000000 cells or 512 MiB', 100],
  ['cells-per-byte', 'has a group of more than 16 cells a byte of the file', 100],
  ['shared-text', 'expands to more than 250 times its size', 400],
])('Parquet: %s is refused with the bound, and takes little memory', async (name, bound, most) => {
  const bytes = gunzipSync(readFileSync(new URL(`${name}.parquet.gz`, PARQUET)));
  const { error, memory } = await read(bytes, 'parquet');
  expect(error).toMatchObject({
    code: 'unreadable_file',
    message: `file.parquet ${bound}. Save it with smaller row groups, or as CSV, then import the new file.`,
  });
  expect(memory).toBeLessThan(most);
});

test('Parquet: a thousand columns are read', async () => {
  const bytes = gunzipSync(readFileSync(new URL('columns-1000.parquet.gz', PARQUET)));
  expect(await read(bytes, 'parquet')).toMatchObject({ names: 1, error: null });
});

test('the names of properties that surround many values do not fill the memory', async () => {
  const inner = Array.from({ length: 20_000 }, (_, i) => `"k${i}":"v"`).join(',');
  const { memory, ms } = await read(
    Buffer.from(`{"name":"Ann Lee","${'x'.repeat(400_000)}":{${inner}}}\n`),
    'jsonl',
  );
  expect(memory).toBeLessThan(200);
  expect(ms).toBeLessThan(3000);
});

test.each(['a@', 'a@.', '<a@', 'a 1 ', '1', '. ', "'", 'mailto:?', ' ,', '"', '(', '+1 '])(
  'cells of 300 KB of %j are read in time that is linear in their length',
  async (piece) => {
    const cell = piece.repeat(300_000 / piece.length).replaceAll('"', '""');
    const row = `"${cell}","${cell}","${cell}"\n`;
    const { ms, error } = await read(Buffer.from(`id,name,email\n${row}"${cell}"\n"x${cell}",1,2\n`), 'csv');
    expect(error?.code ?? 'unreadable_file').toMatch(DOCUMENTED);
    expect(ms).toBeLessThan(3000);
    const header = await read(Buffer.from(`id,name,"${cell}x"\n1,Ann Lee,x\n`), 'csv');
    expect(header.ms).toBeLessThan(3000);
  },
);

test('only brackets outside of texts are levels', () => {
  expect(isJsonNestedTooDeep(`{"a":"${'['.repeat(200)}"}`)).toBe(false);
  expect(isJsonNestedTooDeep(`{"a\\"":"${'\\"['.repeat(200)}"}`)).toBe(false);
  expect(isJsonNestedTooDeep('[]'.repeat(200))).toBe(false);
  expect(isJsonNestedTooDeep('['.repeat(65))).toBe(true);
});

test('the page on importing shows every bound', () => {
  const page = readFileSync(new URL('../../../data/docs/importing.md', import.meta.url), 'utf8');
  const shown = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+)( MiB)? \|/gm)].map(
    ([, name = '', number = '', unit]) =>
      [name, Number(number.replaceAll(',', '')) * (unit ? 2 ** 20 : 1)] as const,
  );
  expect(Object.fromEntries(shown)).toEqual({ ...INPUT_LIMITS });
});
