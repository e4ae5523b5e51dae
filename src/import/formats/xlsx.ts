// Converts a sheet of an Excel workbook to lines of CSV.
import type { SaxesParser } from 'saxes';
import { BonafideError } from '../../errors.ts';
import { toPlainText } from '../columns/cells.ts';
import type { TextLine } from '../input/lines.ts';
import { INPUT_LIMITS, isDecompressedSizeTooLarge } from './limits.ts';
import {
  readInputIntoMemory,
  DamagedZipError,
  DecompressionBombError,
  type ZipEntry,
  listZipEntries,
} from './compression.ts';

/** Maximum number of rows in a batch, and maximum number of characters in these rows. */
const BATCH = 200;
const BATCH_LENGTH = 4 * INPUT_LIMITS.recordBytes;
/** Maximum number of attributes of one XML element. No real workbook has as many. */
const MOST_ATTRIBUTES = 256;
const SAVE_SHEET_ADVICE = 'Save the sheet as CSV (UTF-8)';

interface Row {
  line: number;
  cells: string[];
  /**
   * Length of the row as a CSV line, in characters, without doubled quotes; an empty cell counts like quotes and a comma. A row above the size limit
   * loses its cells.
   */
  length: number;
}

export interface WorkbookOptions {
  name: string;
  /** Name of the sheet to read. Default: the first visible sheet. */
  sheet?: string | undefined;
  /** Called before the first row. `sheet` is the name of the sheet that is read. `others` are the other visible sheets with content, with the number of cells in the widest row. */
  onSheets?(sheet: string, others: { name: string; columns: number }[]): void;
}

/**
 * Reads a sheet in batches of rows. Only the shared texts of the workbook stay in memory. Errors: `unreadable_file` for a damaged workbook, a
 * decompression bomb, or an archive that is no workbook; `invalid_arguments` for an unknown sheet.
 */
export async function* readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  { name, sheet: wanted, onSheets }: WorkbookOptions,
): AsyncGenerator<TextLine[]> {
  const zip = await readInputIntoMemory(bytes, { name, advice: SAVE_SHEET_ADVICE });
  try {
    const entries = new Map(listZipEntries(zip).map((entry) => [entry.name, entry]));
    const { sheets, is1904 } = await readSheets(entries, name);
    if (sheets.length === 0) throw noWorkbook(name, entries);
    const chosen = wanted === undefined ? sheets[0] : sheets.find((sheet) => sheet.name === wanted);
    if (!chosen)
      throw new BonafideError(
        'invalid_arguments',
        `${name} has no visible sheet "${wanted}". Its sheets are ${sheets.map((sheet) => `"${sheet.name}"`).join(', ')}. Name one of them with --sheet.`,
      );
    onSheets?.(chosen.name, await listFilled(sheets.filter((sheet) => sheet !== chosen)));
    const shared = await sharedTexts(entries.get('xl/sharedStrings.xml'));
    const shifted = is1904 ? await readDateStyles(entries.get('xl/styles.xml')) : new Set<string>();
    let written = 0;
    for await (const rows of rowsOf(chosen.entry, { shared, shifted })) {
      for (const { length } of rows) written += length;
      // A cell of a few bytes can refer to a shared text of a megabyte, or be preceded by a thousand empty cells.
      if (isDecompressedSizeTooLarge(written, zip.length, INPUT_LIMITS.workbookExpandedBytes))
        throw new DecompressionBombError();
      yield rows.map(lineOf);
    }
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    const isBomb = error instanceof DecompressionBombError;
    throw refusal(
      name,
      isBomb ? `expands to more than ${INPUT_LIMITS.expansion} times its size` : 'is damaged',
    );
  }
}

const refusal = (name: string, problem: string, advice = SAVE_SHEET_ADVICE) =>
  new BonafideError('unreadable_file', `${name} ${problem}. ${advice}, then import the new file.`);

function noWorkbook(name: string, entries: Map<string, ZipEntry>): BonafideError {
  const isSheet = entries.has('content.xml') || entries.has('xl/workbook.bin');
  const [kind, advice] = isSheet
    ? ['another kind of workbook', SAVE_SHEET_ADVICE]
    : ['a zip archive', 'Extract it'];
  return refusal(name, `is ${kind}`, advice);
}

/** Returns the sheets with content. Reads one sheet after the other, and each file once, to limit the memory. */
async function listFilled(sheets: readonly Sheet[]) {
  const columns = new Map<ZipEntry, number>();
  for (const { entry } of sheets) if (!columns.has(entry)) columns.set(entry, await countColumns(entry));
  const filled = sheets.map(({ name, entry }) => ({ name, columns: columns.get(entry) ?? 0 }));
  return filled.filter((sheet) => sheet.columns > 0);
}

/** Number of first bytes of a sheet in which columns are counted. */
const SHEET_HEAD_BYTES = 64 * 1024;

/** Counts the cells of the widest row near the beginning of a sheet. 0 for an empty sheet; new workbooks contain some. */
async function countColumns(entry: ZipEntry): Promise<number> {
  let head = '';
  for await (const chunk of entry.read()) {
    head += Buffer.from(chunk).toString('latin1');
    if (head.length > SHEET_HEAD_BYTES) break;
  }
  const rows = head.split(/<(?:\w+:)?row[\s>]/);
  return Math.max(...rows.map((row) => row.split(/<(?:\w+:)?c[\s>]/).length - 1));
}

interface Sheet {
  name: string;
  entry: ZipEntry;
}

/**
 * Reads the visible sheets in workbook order, and whether days count from 1904, as in old workbooks of Mac Excel. If the workbook lists no sheets, the
 * sheet with the default name is returned. Errors: `unreadable_file` for too many sheets.
 */
async function readSheets(
  entries: Map<string, ZipEntry>,
  name: string,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const workbook = entries.get('xl/workbook.xml');
  if (!workbook) return { sheets: [], is1904: false };
  let [is1904, count] = [false, 0];
  const listed: { id: string; name: string }[] = [];
  await scan(workbook, {
    open(tag, attributes) {
      if (tag === 'sheet' && ++count > INPUT_LIMITS.sheets)
        throw refusal(name, `has more than ${INPUT_LIMITS.sheets} sheets`);
      if (tag === 'sheet' && (attributes.state ?? 'visible') === 'visible')
        listed.push({ id: attributes['r:id'] ?? '', name: toPlainText(attributes.name ?? '') });
      if (tag === 'workbookPr') is1904 = ['1', 'true', 'on'].includes(attributes.date1904 ?? '');
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
  const sheets = listed.flatMap(({ id, name }): Sheet[] => {
    const entry = entries.get(targets.get(id) ?? '');
    return entry ? [{ name, entry }] : [];
  });
  const usual = entries.get('xl/worksheets/sheet1.xml');
  if (sheets.length === 0 && usual) sheets.push({ name: listed[0]?.name ?? '', entry: usual });
  return { sheets, is1904 };
}

/** Built-in number formats with a day or a year, also of East Asian versions (ECMA-376, 18.8.30). */
const isDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Reads the numbers of the cell styles (attribute `s`) that show a number as a date. */
async function readDateStyles(entry: ZipEntry | undefined): Promise<Set<string>> {
  const styles = new Set<string>();
  /** True for the number of each own format that shows a day or a year. */
  const formats = new Map<string, boolean>();
  let [isCellStyle, count] = [false, 0];
  if (!entry) return styles;
  await scan(entry, {
    open(tag, { numFmtId = '', formatCode = '' }) {
      // Letters in quotes and brackets do not mean days or years: `[Red]`.
      if (tag === 'numFmt')
        formats.set(numFmtId, /[dy]/i.test(formatCode.replace(/"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|\\./g, '')));
      if (tag === 'cellXfs') isCellStyle = true;
      if (tag !== 'xf' || !isCellStyle) return;
      if (formats.get(numFmtId) ?? isDateFormat(Number(numFmtId))) styles.add(String(count));
      count++;
    },
    close(tag) {
      if (tag === 'cellXfs') isCellStyle = false;
    },
  });
  return styles;
}

interface Handlers {
  open?(tag: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(tag: string): void;
}

/** Parses the XML of an entry to the end, and calls the handlers for its elements. Element names have no prefixes. */
async function scan(entry: ZipEntry, handlers: Handlers): Promise<void> {
  for await (const _ of scanPieces(entry, handlers)) void _;
}

/** Parses the XML of an entry like `scan`, but yields after each chunk. */
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
    throw new DamagedZipError();
  });
  let [depth, attributes] = [0, 0];
  parser.on('opentagstart', () => {
    attributes = 0;
    if (++depth > INPUT_LIMITS.nesting) throw new DamagedZipError();
  });
  parser.on('attribute', () => {
    if (++attributes > MOST_ATTRIBUTES) throw new DamagedZipError();
  });
  parser.on('opentag', (tag) => open?.(local(tag.name), tag.attributes as Record<string, string>));
  parser.on('text', (piece) => text?.(piece));
  parser.on('cdata', (piece) => text?.(piece));
  parser.on('closetag', (tag) => {
    depth--;
    close?.(local(tag.name));
  });
  return parser;
}

/** Reads the texts to which cells refer, in order. Phonetic guides are left out. */
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
      if (!inText || phonetic > 0) return;
      text += piece;
      if (length + text.length > INPUT_LIMITS.sharedTexts) throw new DecompressionBombError();
    },
    close(tag) {
      inText = false;
      if (tag === 'rPh') phonetic--;
      if (tag !== 'si') return;
      length += text.length + 16;
      if (length > INPUT_LIMITS.sharedTexts) throw new DecompressionBombError();
      texts.push(text);
    },
  });
  return texts;
}

interface SheetTexts {
  /** Shared strings of the workbook; cells contain their index. */
  shared: string[];
  /** Numbers of the cell styles that show a date whose days count from 1904. */
  shifted: ReadonlySet<string>;
}

async function* rowsOf(entry: ZipEntry, { shared, shifted }: SheetTexts): AsyncGenerator<Row[]> {
  let [rows, row]: [Row[], Row] = [[], { line: 0, cells: [], length: 0 }];
  let [line, column, type, value, inValue] = [0, 0, '', '', false];
  let isShifted = false;
  // The header is one of the first rows. A cell to the right of them belongs to no column. One more column than allowed is read, to refuse such a header.
  let [heads, widest, width] = [INPUT_LIMITS.headerLines, 0, INPUT_LIMITS.columns + 1];
  const pieces = scanPieces(entry, {
    open(tag: string, { r, t = '', s = '' }: Record<string, string>) {
      if (tag === 'row') {
        line = Number(r) > line ? Number(r) : line + 1;
        row = { line, cells: [], length: 0 };
        column = -1;
      } else if (tag === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        [type, value] = [t, ''];
        isShifted = shifted.has(s) && (t === '' || t === 'n');
      }
      inValue = tag === 'v' || tag === 't';
    },
    text(piece: string) {
      if (inValue && value.length < INPUT_LIMITS.recordBytes) value += piece;
    },
    close(tag: string) {
      inValue = false;
      if (tag === 'c' && column < width && value !== '') {
        addCell(row, column, isShifted ? toDayFrom1900(value) : cellOf(type, value, shared));
        // A row that is too long counts too, although its cells are left out.
        widest = Math.max(widest, column + 1);
      }
      if (tag !== 'row' || row.length === 0) return;
      rows.push(row);
      if (--heads === 0) width = widest;
    },
  });
  for await (const _ of pieces) {
    void _;
    if (rows.length < BATCH) continue;
    yield* batchesOf(rows);
    rows = [];
  }
  yield* batchesOf(rows);
}

/** Adds a cell to a row. A row that becomes too long loses all of its cells, because many cells can refer to one long text. */
function addCell(row: Row, column: number, cell: string): void {
  row.length += cell.length + 3 * (1 + Math.max(0, column - row.cells.length));
  if (row.length > INPUT_LIMITS.recordBytes) {
    row.cells = [];
    return;
  }
  while (row.cells.length < column) row.cells.push('');
  row.cells[column] = cell;
}

/** Splits rows into batches of limited text length, because the lines of a batch stay in memory together. */
function* batchesOf(rows: Row[]): Generator<Row[]> {
  let [batch, length]: [Row[], number] = [[], 0];
  for (const row of rows) {
    batch.push(row);
    length += row.length;
    if (length < BATCH_LENGTH) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  yield batch;
}

/** Returns the column index of a cell reference: `C7` → 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,4}/.exec(reference)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Number of days by which dates counted from 1904 are smaller than dates counted from 1900. */
const DAYS_TO_1904 = 1462;

/** Converts a number of days from 1904 to one from 1900, which is the default. */
const toDayFrom1900 = (days: string): string =>
  Number.isFinite(Number(days)) ? String(Number(days) + DAYS_TO_1904) : days;

function cellOf(type: string, value: string, shared: string[]): string {
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'e') return '';
  // A long number, such as a phone number, is converted back to the digits that were typed.
  return type === '' && /E\+?\d+$/i.test(value) && Number.isSafeInteger(Number(value))
    ? String(Number(value))
    : value;
}

function lineOf({ line, cells, length }: Row): TextLine {
  const isTooLong = length > INPUT_LIMITS.recordBytes;
  const text = isTooLong
    ? ''
    : cells.map((cell) => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',');
  return isTooLong || text.length > INPUT_LIMITS.recordBytes
    ? { line, text: '', problem: 'the row is longer than 1 MiB' }
    : { line, text };
}
