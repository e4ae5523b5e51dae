import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../../src/import/formats/xlsx.ts';
import { readRecords } from '../../../src/import/read.ts';
import { describeDetectedInputFormat, type DetectedInputFormat } from '../../../src/import/input/input.ts';
import { zipOf } from '../../trials/hostile/packed.ts';

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheetOf = (rows: string[][]) =>
  `<worksheet><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`;

/** Returns a workbook with these sheets, in this order. */
function workbookOf(sheets: Record<string, string[][]>, hidden = ''): Buffer {
  const names = Object.keys(sheets);
  const list = names.map(
    (name, i) => `<sheet name="${name}" r:id="r${i}"${name === hidden ? ' state="hidden"' : ''}/>`,
  );
  const relations = names.map((_, i) => `<Relationship Id="r${i}" Target="worksheets/s${i}.xml"/>`);
  return zipOf([
    ['xl/workbook.xml', Buffer.from(`<workbook xmlns:r="r"><sheets>${list.join('')}</sheets></workbook>`)],
    ['xl/_rels/workbook.xml.rels', Buffer.from(`<Relationships>${relations.join('')}</Relationships>`)],
    ...Object.values(sheets).map((rows, i): [string, Buffer] => [
      `xl/worksheets/s${i}.xml`,
      Buffer.from(sheetOf(rows)),
    ]),
  ]);
}

async function read(bytes: Buffer, sheet?: string) {
  let form: DetectedInputFormat | undefined;
  const names: (string | undefined)[] = [];
  const options = {
    name: 'members.xlsx',
    sheet,
    makeId: () => 'row',
    onInputDetected: (one: DetectedInputFormat) => void (form = one),
  };
  for await (const { record, problem } of readRecords(Readable.from([bytes]), options))
    names.push(problem ?? record?.names[0]);
  return { names, form, note: form && describeDetectedInputFormat(form) };
}

const YEARS = {
  2023: [
    ['Name', 'E-Mail'],
    ['Ann Nash', 'ann@post.example'],
  ],
  2024: [
    ['Name', 'E-Mail'],
    ['Cara Nash', 'cara@post.example'],
  ],
  Empty: [],
  Old: [['Name'], ['Dan Moss']],
};

test('days of a workbook count from 1904 if it says so', async () => {
  const rows = [
    '<c t="inlineStr"><is><t>Name</t></is></c><c t="inlineStr"><is><t>Birthday</t></is></c><c t="inlineStr"><is><t>Id</t></is></c>',
    '<c t="inlineStr"><is><t>Ann Nash</t></is></c><c s="2"><v>28000</v></c><c s="1"><v>28000</v></c>',
    '<c t="inlineStr"><is><t>Bo Dijk</t></is></c><c s="3"><v>28000.5</v></c><c s="1"><v>28001</v></c>',
  ];
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="&quot;day &quot;0"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>';
  const bornIn = async (settings: string) => {
    const bytes = zipOf([
      ['xl/workbook.xml', Buffer.from(`<workbook xmlns:r="r">${settings}<sheets/></workbook>`)],
      ['xl/styles.xml', Buffer.from(styles)],
      [
        'xl/worksheets/sheet1.xml',
        Buffer.from(`<worksheet><sheetData><row>${rows.join('</row><row>')}</row></sheetData></worksheet>`),
      ],
    ]);
    const all: unknown[] = [];
    for await (const { record, recordId } of readRecords(Readable.from([bytes]), { name: 'members.xlsx' }))
      all.push([recordId, record?.birthDate]);
    return all;
  };
  expect(await bornIn('<workbookPr date1904="1"/>')).toEqual([
    ['28000', '1980-08-29'],
    ['28001', '1980-08-29'],
  ]);
  expect(await bornIn('<workbookPr/>')).toEqual([
    ['28000', '1976-08-28'],
    ['28001', '1976-08-28'],
  ]);
});

test('a note beside the table does not make its row unusable', async () => {
  const rows = [
    ['Name', 'E-Mail'],
    ['Ann Nash', 'ann@post.example', 'called twice'],
  ];
  expect(await read(workbookOf({ Members: rows }))).toMatchObject({ names: ['Ann Nash'] });
});

test('the first visible sheet is read, and the other sheets with cells are named', async () => {
  expect(await read(workbookOf(YEARS, 'Old'))).toMatchObject({
    names: ['Ann Nash'],
    form: { kind: 'Excel', sheet: '2023', otherSheets: ['2024'] },
    note: 'only the sheet "2023" is read, and not "2024" (option --sheet)',
  });
});

test('the named sheet is read, and a wrong name lists the sheets', async () => {
  expect((await read(workbookOf(YEARS), '2024')).names).toEqual(['Cara Nash']);
  await expect(read(workbookOf(YEARS, 'Old'), 'Old')).rejects.toThrow(
    'members.xlsx has no visible sheet "Old". Its sheets are "2023", "2024", "Empty". Name one of them with --sheet.',
  );
});

test('a workbook with one sheet has no note', async () => {
  expect((await read(workbookOf({ Members: YEARS[2023] }))).note).toBe('');
});

test('a first sheet that is no table of people names the other sheets in the error', async () => {
  const overview = {
    Overview: [
      ['Active', 'Passive'],
      ['3', '4'],
    ],
    Members: YEARS[2024],
  };
  await expect(read(workbookOf(overview))).rejects.toThrow(
    /no column looks like a name or contact\..* Note: only the sheet "Overview" is read, and not "Members" \(option --sheet\)\.$/,
  );
});

test.each([
  ['a title', [['Annual report'], ['2026-11-30']]],
  [
    'data',
    [
      ['작성자', '김민준'],
      ['작성일', '2026-11-30'],
    ],
  ],
])(
  'a cover sheet with %s names the sheet with the table in the error, and no other advice',
  async (_, rows) => {
    const table = [
      ['번호', '성명', '전화번호'],
      ['1', '박지성', '010-1234-5678'],
    ];
    await expect(read(workbookOf({ 표지: rows, 회원: table, 코드: [['A', 'B']] }))).rejects.toThrow(
      /^members\.xlsx: no column of the sheet "표지" looks like a name or contact\. The sheet "회원" probably has the table: name it with the option --sheet\.$/,
    );
  },
);

test('a cell to the right of the first rows belongs to no column, and costs no empty cells', async () => {
  const note = '<c r="XFD9" t="inlineStr"><is><t>note</t></is></c>';
  const people = Array.from({ length: 20 }, (_, i) => `<row>${cell(`Ann Nash${i}`)}${note}</row>`).join('');
  const lines: string[] = [];
  const bytes = zipOf([
    ['xl/workbook.xml', Buffer.from('<workbook><sheets/></workbook>')],
    [
      'xl/worksheets/sheet1.xml',
      Buffer.from(`<worksheet><sheetData><row>${cell('Name')}</row>${people}</sheetData></worksheet>`),
    ],
  ]);
  for await (const batch of readWorkbook(Readable.from([bytes]), { name: 'members.xlsx' }))
    lines.push(...batch.map(({ text }) => text));
  expect(lines.at(1)).toBe('"Ann Nash0"');
  expect(lines.at(-1)).toBe('"Ann Nash19"');
});

test('rows that are too long do not hide the cells of the rows after them', async () => {
  // A text that can be compressed well would be refused.
  const long = randomBytes(300_000).toString('hex');
  const rows = [...Array.from({ length: 15 }, () => [long, long]), ['Ann Nash', 'ann@post.example']];
  const lines = [];
  const bytes = workbookOf({ Members: rows });
  for await (const batch of readWorkbook(Readable.from([bytes]), { name: 'members.xlsx' }))
    lines.push(...batch);
  expect(lines.slice(14).map(({ text, problem }) => problem ?? text)).toEqual([
    'the row is longer than 1 MiB',
    '"Ann Nash","ann@post.example"',
  ]);
});
