import { BonafideError } from '../../errors.ts';
import { readColumns, refuseWide, type Column } from './columns/columns.ts';
import { type DateOrder, orderOf } from './cells/dates.ts';
import { MAX_LINE_BYTES, type Line } from './lines.ts';
import { type RawRecord, toRaw } from '../raw.ts';

/** A CSV row as a raw record, or why it is none. `line` is where the row starts. */
export interface CsvRow {
  line: number;
  raw?: RawRecord;
  /** Whether it names somebody else too, of whom nothing is in the record. */
  others?: boolean;
  /** Whether a column holds record ids. */
  hasId?: boolean;
  /** All its cells as they are; a row may have fewer or more of them than the header. With a problem, what could be read. */
  cells?: string[];
  /** The cells of the columns that were asked for as labels, empty ones left out. */
  labels?: Record<string, string>;
  problem?: string;
}

export interface CsvOptions {
  name: string;
  map?: string;
  /** Headers of columns that stay as they are, in rows that need no record id. */
  labels?: readonly string[];
  /** Whether rows without anything are given too, below the header. */
  empty?: boolean;
  /** Whether rows without a record id get one. */
  idsMade?: boolean;
  /** Whether it is said where the records come from: then no column is guessed to tell it. */
  sourceSaid?: boolean;
  /** How many rows are looked at before the columns are settled; none unless given. */
  sampled?: number;
  /** In which order numbers make dates; by what the first rows show unless given. */
  dates?: DateOrder;
}

/** What is told at the header: of each column its header, field and values of the first rows. */
export type OnColumns = (
  headers: string[],
  columns: (Column | null)[],
  samples: readonly (readonly string[])[],
) => void;

/** So that a stray quote costs a bounded search and not the file. */
const MAX_OPEN_LINES = 1000;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Turns lines into rows by RFC 4180, with a forgiving eye: quotes count only at the start of a cell, rows may be
 * short or long, and a quote that is never closed costs its own line, not the rest of the file. The delimiter is the commonest of comma, semicolon,
 * tab and bar in the header.
 */
export class CsvReader {
  private readonly options: CsvOptions;
  private readonly onColumns: OnColumns;
  private headers: string[] | undefined;
  private columns: (Column | null)[] | undefined;
  private labels: (string | null)[] = [];
  private hasId = true;
  /** Of each column of dates. */
  private orders: (DateOrder | null)[] = [];
  /** Rows and problems that wait for the columns to be settled. */
  private waiting: CsvRow[] = [];
  private waitingLength = 0;
  /** Known from the header on. */
  delimiter = ',';
  /** Lines of a row whose quoted cell is still open, and the row so far. */
  private open: Line[] = [];
  private openLength = 0;
  private cells: Cells = new Cells(',');

  /** @param onColumns told at the header what each column was taken for */
  constructor(options: CsvOptions, onColumns: OnColumns = () => undefined) {
    this.options = options;
    this.onColumns = onColumns;
  }

  /** Errors: `invalid_arguments`, at the header: one that cannot be read, and see `readColumns`. */
  push(lines: Line[]): CsvRow[] {
    const rows: CsvRow[] = [];
    for (const line of lines) this.take(line, rows);
    return rows;
  }

  /** What is left at the end of the file. */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    while (this.open.length > 0) this.giveUp(rows);
    if (this.headers !== undefined && this.columns === undefined) this.settle(rows);
    return rows;
  }

  private take(line: Line, rows: CsvRow[]): void {
    if (line.problem !== undefined) {
      if (this.headers === undefined && this.open.length === 0)
        throw noHeader(this.options.name, line.problem);
      this.give({ line: line.line, problem: line.problem }, rows);
      return;
    }
    if (this.open.length === 0) {
      if (line.text.trim() === '' && !(this.options.empty && this.headers)) return;
      if (this.headers === undefined) {
        if (SEPARATOR_LINE.test(line.text)) return;
        this.delimiter = commonest(line.text);
      }
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
  private giveUp(rows: CsvRow[]): void {
    const [first, ...rest] = this.open;
    this.open = [];
    if (!first) return;
    const cells = new Cells(this.delimiter);
    cells.feed(first.text);
    this.give({ line: first.line, cells: cells.soFar(), problem: 'a quoted cell is never closed' }, rows);
    for (const line of rest) this.take(line, rows);
  }

  private row(line: number, cells: string[], rows: CsvRow[]): void {
    if (this.headers !== undefined) {
      // Spreadsheets write the empty rows below a table, too.
      if (this.options.empty || cells.some((cell) => cell.trim() !== '')) this.give({ line, cells }, rows);
      return;
    }
    this.headers = cells.map((cell) => cell.trim());
    refuseWide(this.headers, this.options.name);
    if (!this.options.sampled) this.settle(rows);
  }

  private give(row: CsvRow, rows: CsvRow[]): void {
    if (this.columns !== undefined) rows.push(this.read(row, this.columns));
    else if (this.headers === undefined) rows.push(row);
    else {
      this.waiting.push(row);
      for (const cell of row.cells ?? []) this.waitingLength += cell.length;
      const enough = this.waiting.length >= (this.options.sampled ?? 0);
      if (enough || this.waitingLength > MAX_LINE_BYTES) this.settle(rows);
    }
  }

  private settle(rows: CsvRow[]): void {
    const headers = this.headers ?? [];
    const { labels = [] } = this.options;
    this.labels = headers.map((header) => labels.find((one) => one === header.toLowerCase()) ?? null);
    const samples = this.waiting.flatMap(({ cells, problem }) => (cells && !problem ? [cells] : []));
    const columns = readColumns(headers, { ...this.options, samples });
    this.columns = columns;
    this.hasId = columns.some((column) => column?.field === 'record_id');
    this.orders = columns.map(
      (_, i) => this.options.dates ?? orderOf(samples.map((cells) => cells[i] ?? '')),
    );
    this.onColumns(headers, columns, samples);
    for (const row of this.waiting.splice(0)) rows.push(this.read(row, columns));
  }

  private read(row: CsvRow, columns: (Column | null)[]): CsvRow {
    const { cells, problem } = row;
    if (!cells || problem !== undefined) return row;
    return {
      ...row,
      ...toRaw(cells, { columns, orders: this.orders }),
      hasId: this.hasId,
      labels: labelsIn(cells, this.labels),
    };
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

function labelsIn(cells: string[], labels: (string | null)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [i, label] of labels.entries()) {
    const cell = cells[i]?.trim() ?? '';
    if (label !== null && cell !== '') found[label] = cell;
  }
  return found;
}
