// Files without records must not occupy an import for long.
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { ColumnField } from '../../../src/import/columns/headers.ts';
import { parseColumnMap, hideHeadersThatMayBeData } from '../../../src/import/columns/map.ts';
import { INPUT_LIMITS } from '../../../src/import/formats/limits.ts';
import type { ColumnMappingReport } from '../../../src/import/input/plan.ts';
import { readRecords } from '../../../src/import/read.ts';
import { stageRecords } from '../../../src/import/stage.ts';
import { openRejectsFileWriter } from '../../../src/import/summary.ts';

const CHUNK = 65_536;

async function read(chunks: string[], name = 'file.csv') {
  const items = [];
  const source = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const item of readRecords(source, { name, makeId: () => 'row' })) items.push(item);
  return items.map(({ line }) => line);
}

test.each(['\n', '\r', '\r\n'])(
  'a run of empty lines (%j) is skipped, and later lines keep their number',
  async (end) => {
    const run = Array<string>(160).fill(end.repeat(CHUNK));
    const started = performance.now();
    const items = await read([
      `name,email${end}Ann Lee,a@b.example${end}`,
      ...run,
      `Bo Diaz,b@b.example${end}`,
    ]);
    // 10 million lines; reading them one by one took some 0.3 µs per line.
    expect(performance.now() - started).toBeLessThan(2000);
    expect(items).toEqual([2, 160 * CHUNK + 3]);
  },
);

test.each(['name', 'email', 'phone', 'address', 'given', 'record_id'])(
  'a cell of %s with more text than the values of a person is left out unread, and named with the bound',
  async (field) => {
    const rowOf = async (length: number) => {
      const value =
        { email: 'ann@a.example; ', phone: '415 555 0142; ', address: '1 Elm St; ' }[field] ?? 'Ann Lee; ';
      const cell = value.repeat(length / value.length + 1).slice(0, length);
      const text = `name,mail,note,x\nBo Diaz,bo@b.example,${'x'.repeat(20_000)},"${cell}"\n`;
      const settings = { name: 'file.csv', makeId: () => 'row', map: `name=name,email=mail,${field}=x` };
      const source = Readable.from([Buffer.from(text)]);
      const started = process.cpuUsage();
      for await (const item of readRecords(source, settings))
        return { ...item, ...process.cpuUsage(started) };
      return null;
    };
    const reason = `${field} is in a cell of more than 10000 characters`;
    expect((await rowOf(INPUT_LIMITS.cellLength))?.dropped).not.toContain(reason);
    const over = await rowOf(900_000);
    expect(over?.dropped).toContain(reason);
    expect(over?.user).toBeLessThan(1_000_000);
  },
);

test('an import of rows without any record is refused after the limit of rejected rows', async () => {
  const limits = INPUT_LIMITS as { rejectedRows: number };
  const { rejectedRows } = limits;
  onTestFinished(() => void (limits.rejectedRows = rejectedRows));
  // The limit of a million takes 20 s. test/import/formats/limits.test.ts compares it with its page.
  limits.rejectedRows = 50_000;
  const stage = (...counts: number[]) => {
    const text = `[${'{},'.repeat(1000)}`;
    const inputs = counts.map((rows, i) => {
      const chunks = [text, ...Array<string>(rows / 1000 - 1).fill(text.slice(1)), '{}]'];
      const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
      return { name: `file${i}.json`, stream, bytes: null };
    });
    return stageRecords({ inputs, into: null, rejects: openRejectsFileWriter(undefined) });
  };
  const most = limits.rejectedRows;
  expect(await stage(most - 1000, most - 1000)).toMatchObject({ read: 0 });
  await expect(stage(most + 1000)).rejects.toMatchObject({
    code: 'unreadable_file',
    message: expect.stringContaining('50000 rows and no record among them'),
  });
});

test('a header of a megabyte is cut wherever it is shown', async () => {
  const long = 'name '.repeat(150_000);
  const plans: ColumnMappingReport[] = [];
  const open = (map?: string) =>
    readRecords(Readable.from([Buffer.from(`${long},email\nAnn Lee,a@b.example\n`)]), {
      name: 'file.csv',
      map,
      makeId: () => 'row',
      onPlan: async (plan) => void plans.push(plan),
    }).next();
  await open();
  expect(JSON.stringify(plans).length).toBeLessThan(2000);
  await expect(open(`name=${'x'.repeat(100_000)}`)).rejects.toMatchObject({
    message: expect.stringMatching(/^.{1,400}$/),
  });
});

test('a header that was cut for output can be mapped', async () => {
  const headers = [`${'email address '.repeat(6)}home`, 'name'];
  const fields: (ColumnField | null)[] = ['email', 'name'];
  const [shown = ''] = hideHeadersThatMayBeData(headers, fields);
  expect(shown).toMatch(/^.{60}…$/);
  expect(parseColumnMap(headers, { name: 'file.csv', map: `email=${shown}` })).toEqual(
    new Map([[0, { field: 'email', group: '' }]]),
  );
});

test('an object with a field beyond the first thousand is left out, with the reason', async () => {
  const fields = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`custom_${from + i}`, 'x']));
  const person = (name: string) => ({ 'Full Name': name, Mail: 'ann@example.com' });
  const problemsOf = async (objects: object[]) => {
    const source = Readable.from([Buffer.from(objects.map((one) => `${JSON.stringify(one)}\n`).join(''))]);
    const problems = [];
    for await (const item of readRecords(source, { name: 'file.jsonl', makeId: () => 'row' }))
      problems.push('problem' in item ? item.problem : null);
    return problems;
  };
  expect(await problemsOf([{ ...person('Ann Lee'), ...fields(998) }])).toEqual([null]);
  expect(await problemsOf([{ ...person('Ann Lee'), ...fields(1500) }])).toEqual([
    'it has more than 1000 values',
  ]);
  // Unknown fields are ignored wherever they are.
  const many = [
    { ...person('Ann Lee'), ...fields(900) },
    { ...person('Bo Diaz'), ...fields(900, 900) },
  ];
  expect(await problemsOf(many)).toEqual([null, null]);
  const late = [fields(999), fields(100, 999), person('Cy Fox')];
  expect((await problemsOf(late)).at(-1)).toMatch(/^it has a field after the first 1000 different fields/);
});
