// The first sheet of an Excel workbook as lines of CSV.
import type { SaxesParser } from 'saxes';
import { BonafideError } from '../../errors.ts';
import { type Line, MAX_LINE_BYTES } from '../input/lines.ts';
import {
  readWholeInput,
  DamagedZip,
  DecompressionBomb,
  type ZipEntry,
  readZipEntries,
} from './compression.ts';

/** Most characters of the texts that cells share: no list of people has more. */
const MOST_SHARED = 128 * 1024 * 1024;
const MOST_COLUMNS = 16_384;
const BATCH = 200;
const SAVE = 'Save the sheet as CSV (UTF-8)';

interface Row {
  line: number;
  cells: string[];
}

/**
 * Reads the first visible sheet, one batch of rows at a time; only the texts that cells share stay in memory.
 *
 * Errors: `unreadable_file` for a damaged workbook, a decompression bomb, and an archive that is no workbook.
 */
export async function* readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  { name }: { name: string },
): AsyncGenerator<Line[]> {
  const zip = await readWholeInput(bytes, { name, advice: SAVE });
  try {
    const entries = new Map(readZipEntries(zip).map((entry) => [entry.name, entry]));
    const sheet = await firstSheet(entries);
    if (!sheet) throw noWorkbook(name, entries);
    const shared = await sharedTexts(entries.get('xl/sharedStrings.xml'));
    for await (const rows of rowsOf(sheet, shared)) yield rows.map(lineOf);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    const is =
      error instanceof DecompressionBomb ? 'decompresses to far more than any list of people' : 'is damaged';
    throw new BonafideError('unreadable_file', `${name} ${is}. ${SAVE} and import that.`);
  }
}

function noWorkbook(name: string, entries: Map<string, ZipEntry>): BonafideError {
  const isSheet = entries.has('content.xml') || entries.has('xl/workbook.bin');
  const [kind, advice] = isSheet ? ['another kind of workbook', SAVE] : ['a zip archive', 'Extract it'];
  return new BonafideError('unreadable_file', `${name} is ${kind}. ${advice} and import that.`);
}

/** Returns the first visible sheet in the order of the workbook, else the one with the usual name. */
async function firstSheet(entries: Map<string, ZipEntry>): Promise<ZipEntry | undefined> {
  const workbook = entries.get('xl/workbook.xml');
  if (!workbook) return undefined;
  const sheets: string[] = [];
  await scan(workbook, {
    open(tag, attributes) {
      if (tag === 'sheet' && (attributes.state ?? 'visible') === 'visible')
        sheets.push(attributes['r:id'] ?? '');
    },
  });
  const targets = new Map<string, string>();
  const relations = entries.get('xl/_rels/workbook.xml.rels');
  if (relations)
    await scan(relations, {
      open(tag, { Id = '', Target = '' }) {
        if (tag === 'Relationship') targets.set(Id, Target.replace(/^\/?(?:xl\/)?/, 'xl/'));
      },
    });
  const [first = ''] = sheets;
  return entries.get(targets.get(first) ?? 'xl/worksheets/sheet1.xml');
}

interface Handlers {
  open?(tag: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(tag: string): void;
}

/** Reads an entry to the end, and calls the handlers for its elements, without their prefixes. */
async function scan(entry: ZipEntry, handlers: Handlers): Promise<void> {
  for await (const _ of scanPieces(entry, handlers)) void _;
}

/** The same, with a pause after each piece of the entry. */
async function* scanPieces(entry: ZipEntry, handlers: Handlers): AsyncGenerator<void> {
  const parser = await parserOf(handlers);
  const decoder = new TextDecoder();
  for await (const chunk of entry.read()) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
}

async function parserOf({ open, text, close }: Handlers): Promise<SaxesParser> {
  const { SaxesParser: Parser } = await import('saxes');
  const parser = new Parser({ position: false });
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('error', () => {
    throw new DamagedZip();
  });
  parser.on('opentag', (tag) => open?.(local(tag.name), tag.attributes as Record<string, string>));
  parser.on('text', (piece) => text?.(piece));
  parser.on('cdata', (piece) => text?.(piece));
  parser.on('closetag', (tag) => close?.(local(tag.name)));
  return parser;
}

/** Reads the texts that cells share, in their order. Phonetic readings are left out. */
async function sharedTexts(entry: ZipEntry | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (!entry) return texts;
  let [text, inText, phonetic, length] = ['', false, 0, 0];
  await scan(entry, {
    open(tag) {
      if (tag === 'si') text = '';
      if (tag === 'rPh') phonetic++;
      inText = tag === 't';
    },
    text(piece) {
      if (inText && phonetic === 0) text += piece;
    },
    close(tag) {
      inText = false;
      if (tag === 'rPh') phonetic--;
      if (tag !== 'si') return;
      length += text.length + 16;
      if (length > MOST_SHARED) throw new DecompressionBomb();
      texts.push(text);
    },
  });
  return texts;
}

async function* rowsOf(entry: ZipEntry, shared: string[]): AsyncGenerator<Row[]> {
  let [rows, row]: [Row[], Row] = [[], { line: 0, cells: [] }];
  let [line, column, type, value, inValue] = [0, 0, '', '', false];
  const pieces = scanPieces(entry, {
    open(tag: string, { r, t = '' }: Record<string, string>) {
      if (tag === 'row') {
        line = Number(r) > line ? Number(r) : line + 1;
        row = { line, cells: [] };
        column = -1;
      } else if (tag === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        [type, value] = [t, ''];
      }
      inValue = tag === 'v' || tag === 't';
    },
    text(piece: string) {
      if (inValue && value.length < MAX_LINE_BYTES) value += piece;
    },
    close(tag: string) {
      inValue = false;
      if (tag === 'c' && column < MOST_COLUMNS && value !== '') {
        while (row.cells.length < column) row.cells.push('');
        row.cells[column] = cellOf(type, value, shared);
      }
      if (tag === 'row' && row.cells.length > 0) rows.push(row);
    },
  });
  for await (const _ of pieces) {
    void _;
    if (rows.length < BATCH) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

/** Returns the index of a cell's column: `C7` → 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,4}/.exec(reference)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function cellOf(type: string, value: string, shared: string[]): string {
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'e') return '';
  // A long number, such as a phone number, is restored to what was typed.
  return type === '' && /E\+?\d+$/i.test(value) && Number.isSafeInteger(Number(value))
    ? String(Number(value))
    : value;
}

const lineOf = ({ line, cells }: Row): Line => {
  const text = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  return text.length > MAX_LINE_BYTES
    ? { line, text: '', problem: 'the row is longer than 1 MiB' }
    : { line, text };
};
