// Files just under and just over each bound of each file format.
import { gzipSync } from 'node:zlib';
import { INPUT_LIMITS } from '../../../src/import/formats/limits.ts';
import { pick, type Random } from './grammar.ts';
import { workbook } from './packed.ts';

/** A file at a bound. `size` is the number that the bound limits. */
interface BoundaryFile {
  form: 'csv' | 'jsonl' | 'json' | 'vcf' | 'xlsx';
  bound: keyof typeof INPUT_LIMITS;
  /** Message for the file just over the bound. */
  message: RegExp;
  /** Line that the message names; null for a message about the whole file. */
  line: number | null;
  make(size: number): Buffer;
}

const { recordBytes, rowLines, cardLines, columns, nesting } = INPUT_LIMITS;
const padded = (start: string, end: string, size: number) =>
  start + 'x'.repeat(size - start.length - end.length) + end;
const json = (size: number) => padded('{"record_id":"1","name":"Ann Lee","note":"', '"}', size);
const sheetOf = (rows: string) => Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const HEADER = `<row>${inline('id')}${inline('name')}${inline('note')}</row>`;
const shared = (text: string) => Buffer.from(`<sst><si><t>${text}</t></si></sst>`);
const nested = (depth: number) => `${'['.repeat(depth - 1)}1${']'.repeat(depth - 1)}`;
const card = (lines: string) => Buffer.from(`BEGIN:VCARD\nFN:Ann Lee\n${lines}END:VCARD\n`);

export const BOUNDARY_FILES: readonly BoundaryFile[] = [
  {
    form: 'csv',
    bound: 'recordBytes',
    message: /^the line is longer than 1 MiB$/,
    line: 2,
    make: (size) => Buffer.from(`id,name,note\n${padded('1,Ann Lee,', '', size)}\n2,Bo Ek,\n`),
  },
  {
    form: 'csv',
    bound: 'rowLines',
    message: /^a quoted cell is never closed$/,
    line: 2,
    make: (size) => Buffer.from(`id,name,note\n1,Ann Lee,"${'\n'.repeat(size - 1)}"\n2,Bo Ek,\n`),
  },
  {
    form: 'csv',
    bound: 'columns',
    message: /first line has more than 1000 columns/,
    line: null,
    make: (size) => Buffer.from(`id,name${',x'.repeat(size - 2)}\n1,Ann Lee\n`),
  },
  {
    form: 'jsonl',
    bound: 'recordBytes',
    message: /^the line is longer than 1 MiB$/,
    line: 1,
    make: (size) => Buffer.from(`${json(size)}\n{"record_id":"2","name":"Bo Ek"}\n`),
  },
  {
    form: 'jsonl',
    bound: 'nesting',
    message: /^the record is nested more than 64 levels deep$/,
    line: 1,
    make: (size) => Buffer.from(`{"name":"Ann Lee","list":${nested(size)}}\n{"name":"Bo Ek"}\n`),
  },
  {
    form: 'json',
    bound: 'recordBytes',
    message: /^the record is longer than 1 MiB$/,
    line: 2,
    make: (size) => Buffer.from(`[\n${json(size)},\n{"record_id":"2","name":"Bo Ek"}]\n`),
  },
  {
    form: 'vcf',
    bound: 'recordBytes',
    message: /^the card is longer than 1 MiB$/,
    line: 1,
    make: (size) => card(`ORG:${'x\nORG:'.repeat(4)}${'x'.repeat(size - 'FN:Ann Lee'.length - 24)}\n`),
  },
  {
    form: 'vcf',
    bound: 'cardLines',
    message: /^the card has more than 5000 lines$/,
    line: 1,
    make: (size) => card('ORG:x\n'.repeat(size - 1)),
  },
  {
    form: 'xlsx',
    bound: 'recordBytes',
    message: /^the row is longer than 1 MiB$/,
    line: 2,
    // Each cell has quotes and a comma around it.
    make: (size) =>
      workbook(
        sheetOf(`${HEADER}<row>${inline('1')}${inline('Ann Lee')}<c t="s"><v>0</v></c></row>`),
        shared('x'.repeat(size - '1Ann Lee'.length - 3 * 3)),
      ).bytes,
  },
  {
    form: 'xlsx',
    bound: 'nesting',
    message: /is damaged/,
    line: null,
    make: (size) =>
      workbook(
        sheetOf(
          `${HEADER}<row>${inline('1')}${inline('Ann Lee')}</row>${'<a>'.repeat(size - 2)}${'</a>'.repeat(size - 2)}`,
        ),
      ).bytes,
  },
  {
    form: 'xlsx',
    bound: 'sheets',
    message: /has more than 1000 sheets/,
    line: null,
    make: (size) =>
      workbook(sheetOf(`${HEADER}<row>${inline('1')}${inline('Ann Lee')}</row>`), undefined, size).bytes,
  },
  {
    form: 'xlsx',
    bound: 'columns',
    message: /first line has more than 1000 columns/,
    line: null,
    make: (size) =>
      workbook(
        sheetOf(`<row>${inline('name')}${inline('x').repeat(size - 1)}</row><row>${inline('Ann Lee')}</row>`),
      ).bytes,
  },
];

/** Sizes at which the records are read, and at which they are not. */
export const SIZES = { recordBytes, rowLines, cardLines, columns, nesting } as const;

const FRAGMENTS: Record<BoundaryFile['form'], readonly [string, ...string[]]> = {
  csv: [
    'id,name\n',
    '1,Ann Lee\n',
    'b","c\n',
    '"',
    '""',
    ',',
    ';',
    '\n',
    '\r',
    '\0',
    '\ufeff',
    'x',
    ' ',
    '5@',
    '1 A ',
  ],
  jsonl: [
    '{"record_id":"1","name":"Ann Lee"}\n',
    '{',
    '[',
    '"',
    '\\"',
    ']',
    '}',
    ':',
    ',',
    '\n',
    '1e999',
    '{"a":',
    'x',
  ],
  json: [
    '[{"record_id":"1","name":"Ann Lee"},',
    '{\n',
    '[',
    '"',
    '\\"',
    ']',
    '}',
    ',',
    '\n',
    '{"data":[',
    '{"a":',
    ' ',
  ],
  vcf: [
    'BEGIN:VCARD\n',
    'END:VCARD\n',
    'FN:Ann Lee\n',
    'NOTE;QUOTED-PRINTABLE:=\n',
    ' x\n',
    'TEL;"',
    ':',
    ';',
    '=\n',
    '\\,',
  ],
  xlsx: [
    HEADER,
    `<row>${inline('1')}${inline('Ann Lee')}</row>`,
    '<row>',
    '</row>',
    '<c t="s"><v>0</v></c>',
    '<c r="XFD1"><v>1</v></c>',
    '<a>',
    '</a>',
    '&amp;',
    '"',
    '<![CDATA[',
    '<row a="">',
  ],
};

export const FORMS = Object.keys(FRAGMENTS) as BoundaryFile['form'][];

/** Returns a file of a form that is made of fragments in any order, some of them very often, packed now and then. */
export function mixedFile(
  form: BoundaryFile['form'],
  random: Random,
  most = 2000,
): { ending: string; bytes: Buffer } {
  let text = form === 'xlsx' ? '' : FRAGMENTS[form][0];
  for (let pieces = 1 + random() * 12; pieces > 0; pieces--)
    text += pick(FRAGMENTS[form], random).repeat(Math.floor(most ** random()));
  if (form === 'xlsx') return workbook(sheetOf(text), random() < 0.5 ? shared('"'.repeat(most)) : undefined);
  const bytes = Buffer.from(text);
  return random() < 0.2 ? { ending: `${form}.gz`, bytes: gzipSync(bytes) } : { ending: form, bytes };
}
