// Record ids and national ids of tables.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportRecordOrProblem } from '../../../src/import/items.ts';
import { type ReadRecordsOptions, readRecords } from '../../../src/import/read.ts';

async function read(text: string, more: Partial<ReadRecordsOptions> = {}): Promise<ImportRecordOrProblem[]> {
  const items: ImportRecordOrProblem[] = [];
  const options = { name: 'people.csv', makeId: () => 'row', ...more };
  for await (const item of readRecords(Readable.from([Buffer.from(text)]), options)) items.push(item);
  return items;
}

const table = (header: string, [first, second]: [string, string]) =>
  `${header};Name;E-Mail\n${first};Ann Lee;ann@example.com\n${second};Bo Dijk;bo@example.com\n`;

test.each(['MRN', 'UHID', 'PERMIT #', 'CIF No', 'رقم العضوية'])(
  'a number that each row has another one of is the record id: %s',
  async (header) => {
    const ids = async (values: [string, string]) =>
      (await read(table(header, values))).map(({ recordId }) => recordId);
    expect(await ids(['30011223344', '30011223355'])).toEqual(['30011223344', '30011223355']);
    expect(await ids(['30011223344', '30011223344'])).toEqual(['row', 'row']);
  },
);

test('another column of ids comes before such a number', async () => {
  const [first] = await read(
    'MRN;Customer ID;Name;E-Mail\n11;c-1;Ann Lee;ann@example.com\n12;c-2;Bo Dijk;bo@example.com\n',
  );
  expect(first?.recordId).toBe('c-1');
});

test.each([
  ['CPF', '123.456.780-91', ['cpf', 'BR', '12345678091']],
  ['CPF', '3456780914', ['cpf', 'BR', '03456780914']],
  ['PESEL', '44051401359', ['pesel', 'PL', '44051401359']],
  ['T.C. Kimlik No', '81864720792', ['national id', 'TR', '81864720792']],
  ['Aadhaar No', '2345 6789 0124', ['aadhaar', 'IN', '234567890124']],
  ['身份证号', '11010519491231002X', ['national id', 'CN', '11010519491231002x']],
  // Neither gives a number: exports mask it with X, and spreadsheets round it.
  ['SSN', 'XXX-XX-XXXX', null],
  ['Aadhaar No', '2.34567E+11', null],
])(
  'a national id under %s is an identifier, and never the record id: %s',
  async (header, value, expected) => {
    const [first] = await read(table(header, [value, 'n/a']));
    expect(first?.recordId).toBe('row');
    const identifiers = first?.record?.identifiers ?? [];
    expect(identifiers.map((one) => [one.type, one.country, one.value])).toEqual(expected ? [expected] : []);
    expect(first?.dropped.length).toBe(expected ? 0 : 1);
  },
);

test('a map names the type and country of an identifier, or the header is the type', async () => {
  const identify = async (map: string) => {
    const [first] = await read(table('Passport No', ['C01234567', 'C01234568']), { map });
    return first?.record?.identifiers.map(({ type, country }) => [type, country]);
  };
  expect(await identify('identifier.passport.us=Passport No')).toEqual([['passport', 'US']]);
  expect(await identify('identifier=Passport No')).toEqual([['passport no', '']]);
});
