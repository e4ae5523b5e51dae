// Hostile workbooks, compressed files and Parquet files.
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Random } from './grammar.ts';

const EXPORTS = new URL('../../fixtures/exports/', import.meta.url);
const REAL = ['customers.xlsx', 'warehouse.parquet', 'contacts.vcf'] as const;

/** Returns a real file with some bytes changed, or cut off. */
export function changedFile(random: Random): { ending: string; bytes: Buffer } {
  const file = REAL[Math.floor(random() * REAL.length)] ?? REAL[0];
  const bytes = readFileSync(new URL(file, EXPORTS));
  for (let changes = 1 + random() * 6; changes > 0; changes--)
    bytes[4 + Math.floor(random() * (bytes.length - 4))] = Math.floor(random() * 256);
  const end = random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length;
  return { ending: file.split('.').at(-1) ?? '', bytes: bytes.subarray(0, end) };
}

const NAME =
  '<row><c t="inlineStr"><is><t>name</t></is></c></row><row><c t="inlineStr"><is><t>Ann Lee</t></is></c></row>';

const ZEROS = 100 * 1024 * 1024;
const filled = (text: string) => Buffer.alloc(ZEROS, text);

const sheet = (inside: string | Buffer) =>
  Buffer.concat([
    Buffer.from('<worksheet><sheetData>'),
    Buffer.from(inside),
    Buffer.from('</sheetData></worksheet>'),
  ]);

const workbookOf = (sheets: number) =>
  Buffer.from(`<workbook><sheets>${'<sheet name="a"/>'.repeat(sheets)}</sheets></workbook>`);

/** Bombs and other files that are larger than their size suggests; with a share of the rows if reading them takes seconds. */
export const PACKED_FILES: Record<string, (share?: number) => { ending: string; bytes: Buffer }> = {
  'a gzip bomb': () => ({ ending: 'csv.gz', bytes: gzipSync(filled('0')) }),
  'a Zstandard bomb': () => ({ ending: 'csv.zst', bytes: zstdCompressSync(filled('0')) }),
  'a bomb in a bomb': () => ({ ending: 'csv.gz', bytes: gzipSync(gzipSync(filled('0'))) }),
  'a workbook with one endless cell': () =>
    workbook(sheet(Buffer.concat([Buffer.from('<row><c t="inlineStr"><is><t>'), filled('x')]))),
  'a workbook of a million empty rows': () => workbook(sheet('<row><c><v>1</v></c></row>'.repeat(1e6))),
  'a workbook with cells far to the right': () =>
    workbook(
      sheet(`${NAME}${'<row><c r="ZZZZ1"><v>1</v></c><c r="XFD1"><v>1</v></c></row>'.repeat(60_000)}`),
    ),
  'a workbook with cells in the last column': () =>
    workbook(sheet(`${NAME}${'<row><c r="ALL1"><v>1</v></c></row>'.repeat(60_000)}`)),
  'a workbook of 200,000 sheets': () => workbook(sheet(NAME), undefined, 200_000),
  'a workbook with a long format of many styles': () =>
    zipped([
      ['xl/workbook.xml', Buffer.from('<workbook><workbookPr date1904="1"/></workbook>')],
      ['xl/worksheets/sheet1.xml', sheet(NAME)],
      [
        'xl/styles.xml',
        Buffer.from(
          `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'0'.repeat(500_000)}"/></numFmts><cellXfs>${'<xf numFmtId="164"/>'.repeat(50_000)}</cellXfs></styleSheet>`,
        ),
      ],
    ]),
  'a workbook of entities that grow': () =>
    workbook(
      Buffer.from(
        `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1e4)}"><!ENTITY d "${'&b;'.repeat(1e3)}">]>${sheet('<row><c t="inlineStr"><is><t>&d;</t></is></c></row>').toString()}`,
      ),
    ),
  'a workbook with endless shared texts': () =>
    workbook(
      sheet('<row><c t="s"><v>0</v></c></row>'),
      Buffer.from(`<sst>${'<si><t>x</t></si>'.repeat(4e6)}</sst>`),
    ),
  'a workbook whose cells share one long text': () =>
    workbook(
      sheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(4000)}</row>`.repeat(20)),
      Buffer.from(`<sst><si><t>${'"'.repeat(1_000_000)}</t></si></sst>`),
    ),
  'a workbook whose rows share one long text': (share = 1) =>
    workbook(
      sheet('<row><c t="s"><v>0</v></c></row>'.repeat(1e6 * share)),
      Buffer.from(`<sst><si><t>${'"'.repeat(400_000)}</t></si></sst>`),
    ),
  'a workbook of nested elements': () => workbook(sheet('<a>'.repeat(2e7))),
  'an element with a million attributes': () =>
    workbook(sheet(`<row ${Array.from({ length: 1e6 }, (_, i) => `a${i}=""`).join(' ')}/>`)),
  'a card of 5,000 lines of a megabyte': () => ({
    ending: 'vcf.gz',
    bytes: gzipSync(
      Buffer.concat([
        Buffer.from('BEGIN:VCARD\n'),
        ...Array.from({ length: 400 }, () => Buffer.from(`FN:${'x'.repeat(1_000_000)}\n`)),
      ]),
      { level: 1 },
    ),
  }),
  'a table of quotes that never close': (share = 1) => ({
    ending: 'csv',
    bytes: Buffer.from(`id,name\n${'b","c\n'.repeat(1_000_000 * share)}`),
  }),
  'a Parquet file of nothing': () => ({
    ending: 'parquet',
    bytes: Buffer.from(`PAR1${'\0'.repeat(1e6)}PAR1`),
  }),
};

export function workbook(first: Buffer, shared?: Buffer, sheets = 1): { ending: string; bytes: Buffer } {
  const files: [string, Buffer][] = [
    ['xl/workbook.xml', workbookOf(sheets)],
    ['xl/worksheets/sheet1.xml', first],
    ...(shared ? [['xl/sharedStrings.xml', shared] satisfies [string, Buffer]] : []),
  ];
  return zipped(files);
}

const zipped = (files: [string, Buffer][]) => ({ ending: 'xlsx', bytes: zipOf(files) });

/** Returns a zip archive. Source of the layout: PKWARE's APPNOTE.TXT. */
export function zipOf(files: [name: string, bytes: Buffer][]): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    const central = [Buffer.from('504b01021400', 'hex'), head, tail, Buffer.from(name)];
    locals.push(local);
    centrals.push(Buffer.concat(central));
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(centrals).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...centrals, end]);
}
