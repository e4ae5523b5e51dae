import { BonafideError } from '../../errors.ts';
import { requireColumnLimit } from '../columns/columns.ts';
import { guessColumn } from '../columns/guess.ts';
import { MAX_LINE_BYTES, type Line } from './lines.ts';
import { type ColumnsCallback, TableReader, type TableRow } from './table.ts';
import type { TableSettings } from '../settings.ts';

export type { TableRow as CsvRow } from './table.ts';

/** So that a stray quote costs a bounded search and not the file. */
const MAX_OPEN_LINES = 1000;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Turns lines into rows by RFC 4180, with a forgiving eye: quotes count only at the start of a cell, rows may be
 * short or long, and a quote that is never closed costs its own line, not the rest of the file. The delimiter is the commonest of comma, semicolon,
 * tab and bar in the header.
 */
export class CsvReader {
  private readonly options: TableSettings;
  private readonly table: TableReader;
  /** The first lines, until it is known which of them is the header. */
  private heads: Line[] | null = [];
  private hasHeader = false;
  /** Known from the header on. */
  delimiter = ',';
  /** Lines of a row whose quoted cell is still open, and the row so far. */
  private open: Line[] = [];
  private openLength = 0;
  private cells: Cells = new Cells(',');

  /** @param onColumns told when the columns are settled what each was taken for */
  constructor(options: TableSettings, onColumns: ColumnsCallback = () => undefined) {
    this.options = options;
    this.table = new TableReader(options, onColumns);
  }

  /** Errors: `invalid_arguments`, at the header: one that cannot be read, and see `readColumns`. */
  push(lines: Line[]): TableRow[] {
    const rows: TableRow[] = [];
    for (const line of lines) {
      if (this.heads === null) this.take(line, rows);
      else if (this.gather(line, this.heads)) this.begin(rows);
    }
    return rows;
  }

  /** What is left at the end of the file. */
  end(): TableRow[] {
    const rows: TableRow[] = [];
    if (this.heads !== null) this.begin(rows);
    while (this.open.length > 0) this.giveUp(rows);
    if (this.hasHeader) this.table.end(rows);
    return rows;
  }

  /** Whether the header is among the first lines now, as far as that can be told. */
  private gather(line: Line, heads: Line[]): boolean {
    if (line.problem !== undefined) {
      if (heads.length === 0) throw noHeader(this.options.name, line.problem);
    } else if (heads.length === 0 && (line.text.trim() === '' || SEPARATOR_LINE.test(line.text)))
      return false;
    heads.push(line);
    return heads.length === MOST_HEADS || line.problem !== undefined || isHeader(line.text);
  }

  private begin(rows: TableRow[]): void {
    const heads = this.heads ?? [];
    this.heads = null;
    for (const line of heads.slice(headAmong(heads.map(({ text }) => text)))) this.take(line, rows);
  }

  private take(line: Line, rows: TableRow[]): void {
    if (line.problem !== undefined) {
      if (!this.hasHeader && this.open.length === 0) throw noHeader(this.options.name, line.problem);
      this.give({ line: line.line, problem: line.problem }, rows);
      return;
    }
    if (this.open.length === 0) {
      if (line.text.trim() === '' && !(this.options.empty && this.hasHeader)) return;
      if (!this.hasHeader) this.delimiter = commonest(line.text);
      if (!line.text.includes('"')) {
        this.row(line.line, line.text.split(this.delimiter), rows);
        return;
      }
      this.cells = new Cells(this.delimiter);
      this.openLength = 0;
    }
    this.open.push(line);
    this.openLength += line.text.length;
    if (this.cells.feed(line.text)) {
      const [start = line] = this.open;
      this.open = [];
      this.row(start.line, this.cells.done, rows);
    } else if (this.openLength > MAX_LINE_BYTES || this.open.length > MAX_OPEN_LINES) this.giveUp(rows);
  }

  /** The first open line was not to be closed: it is a problem, and those behind it are read anew. */
  private giveUp(rows: TableRow[]): void {
    const [first, ...rest] = this.open;
    this.open = [];
    if (!first) return;
    const cells = new Cells(this.delimiter);
    cells.feed(first.text);
    this.give({ line: first.line, cells: cells.soFar(), problem: 'a quoted cell is never closed' }, rows);
    for (const line of rest) this.take(line, rows);
  }

  private row(line: number, cells: string[], rows: TableRow[]): void {
    if (this.hasHeader) {
      // Spreadsheets write the empty rows below a table, too.
      if (this.options.empty || cells.some((cell) => cell.trim() !== '')) this.give({ line, cells }, rows);
      return;
    }
    requireColumnLimit(cells, this.options.name);
    this.table.headers.push(...cells.map((cell) => cell.trim()));
    this.hasHeader = true;
    if (!this.options.sampled) this.table.end(rows);
  }

  private give(row: TableRow, rows: TableRow[]): void {
    if (this.hasHeader) this.table.give(row, rows);
    else rows.push(row);
  }
}

/** The cells of one row, fed line by line. */
class Cells {
  readonly done: string[] = [];
  private readonly delimiter: string;
  /** The quoted cell that is still open. */
  private quoted: string | null = null;

  constructor(delimiter: string) {
    this.delimiter = delimiter;
  }

  /** What was read, the cell that is still open included with its quote. */
  soFar(): string[] {
    return this.quoted === null ? this.done : [...this.done, `"${this.quoted}`];
  }

  /** Whether the row is complete with this line. */
  feed(text: string): boolean {
    let at = 0;
    if (this.quoted !== null) {
      this.quoted += '\n';
      at = this.readQuoted(text, 0);
    }
    while (at >= 0 && at <= text.length)
      at = text[at] === '"' ? this.openQuoted(text, at + 1) : this.readPlain(text, at);
    return this.quoted === null;
  }

  private openQuoted(text: string, at: number): number {
    this.quoted = '';
    return this.readQuoted(text, at);
  }

  /** Reads on in a quoted cell. Gives the start of the next cell, or -1 where the line ends first. */
  private readQuoted(text: string, at: number): number {
    const close = closingQuote(text, at);
    const inside = (close < 0 ? text.slice(at) : text.slice(at, close)).replaceAll('""', '"');
    if (close < 0) {
      this.quoted += inside;
      return -1;
    }
    const end = text.indexOf(this.delimiter, close + 1);
    this.done.push(this.quoted + inside + text.slice(close + 1, end < 0 ? text.length : end).trimEnd());
    this.quoted = null;
    return end < 0 ? -1 : end + 1;
  }

  private readPlain(text: string, at: number): number {
    const end = text.indexOf(this.delimiter, at);
    this.done.push(end < 0 ? text.slice(at) : text.slice(at, end));
    return end < 0 ? -1 : end + 1;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

/** Lines in which the header is looked for, below a title. */
const MOST_HEADS = 15;

function cellsOf(text: string): { cells: string[]; isWhole: boolean } {
  const reading = new Cells(commonest(text));
  const isWhole = reading.feed(text);
  return { cells: reading.soFar().map((cell) => cell.trim()), isWhole };
}

/** Two columns that are known make a header; a title has none, or one word of them. One that goes on in the next line, or has no end, is none. */
function isHeader(text: string): boolean {
  if (text.length > MOST_HEAD_LENGTH) return true;
  const { cells, isWhole } = cellsOf(text);
  return !isWhole || cells.filter((cell) => guessColumn(cell)).length > 1;
}
const MOST_HEAD_LENGTH = 20_000;

/** Which of the first lines is the header: the one that is known as one, else the first with several cells, as titles have but one. */
function headAmong(texts: string[]): number {
  const known = texts.findIndex(isHeader);
  if (known >= 0) return known;
  const filled = (text: string) => cellsOf(text).cells.filter((cell) => cell !== '').length;
  return Math.max(
    0,
    texts.findIndex((text) => filled(text) > 1),
  );
}

/** The line by which Excel is told the separator; the headers behind it tell as much. */
const SEPARATOR_LINE = /^sep=.$/i;

function noHeader(name: string, problem: string): BonafideError {
  return new BonafideError(
    'invalid_arguments',
    `${name}: its first line cannot be read: ${problem}. Put a line with the names of the columns above the records.`,
  );
}

function commonest(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string): number => bare.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
