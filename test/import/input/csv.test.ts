// Delimiters and headers of CSV files.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type ReadRecordsOptions, readRecords } from '../../../src/import/read.ts';

async function readNames(text: string, more: Partial<ReadRecordsOptions> = {}) {
  const names: (string | undefined)[] = [];
  const options = { name: 'people.csv', makeId: () => 'row', ...more };
  for await (const { record } of readRecords(Readable.from([Buffer.from(text)]), options))
    names.push(record?.names[0]);
  return names;
}

test.each([
  ['Name, Vorname;Straße, Hausnr.;PLZ, Ort;Telefon', 'Brandt, Jürgen;Weg 1;04107, Leipzig;0341 5550142', 4],
  ['Name, Vorname;E-Mail', 'Brandt, Jürgen;a@post.example', 2],
  ['Name, Vorname;PLZ, Ort', 'Brandt, Jürgen;04107, Leipzig', 2],
  ['Name;E-Mail (a,b,c)', 'Ann Lee;a@post.example', 2],
  ['Name, E-Mail, Phone', 'Ann Lee, a@post.example, 030 5550188', 3],
  ['Name,E-Mail|Mail,Note', 'Ann Lee,a@post.example,a|b', 3],
])('the delimiter of %s is the one that gives rows as many cells', async (header, row, count) => {
  const counts: number[] = [];
  const onPlan = async ({ columns }: { columns: unknown[] }) => void counts.push(columns.length);
  await readNames([header, '', row, row].join('\n'), { onPlan });
  expect(counts).toEqual([count]);
});

test('a header that each page repeats is no row', async () => {
  const names = await readNames(
    'Name, E-Mail \nAnn Lee,ann@post.example\nName,E-Mail\nBo Dijk,bo@post.example',
  );
  expect(names).toEqual(['Ann Lee', 'Bo Dijk']);
});
