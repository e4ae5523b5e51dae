// Rows under headers, from any form that has them: the columns are settled when the first rows have been looked at.
import { type RawRecord, findRelatives, toText, toRawRecord } from '../columns/raw.ts';
import { type DateOrder, isAmbiguousDate, detectDateOrder } from '../columns/dates.ts';
import { isRoundedNumber } from '../columns/cells.ts';
import { findCompanyColumn, type Column, chooseLateColumn, chooseColumns } from '../columns/columns.ts';
import type { TableSettings } from '../settings.ts';

/** A row as a raw record, or why it is none. `line` is where the row starts. */
export interface TableRow {
  line: number;
  raw?: RawRecord;
  /** Whether it names somebody else too, of whom nothing is in the record. */
  others?: boolean;
  /** Of an address book's row, the firm that is in it; an empty text where none is. */
  firm?: string;
  /** All its cells as they are; a row may have fewer or more of them than the header. With a problem, what could be read. */
  cells?: string[];
  /** The cells of the columns that were asked for as labels, empty ones left out. */
  labels?: Record<string, string>;
  problem?: string;
}

/** What is told when the columns are settled: of each column its header, field and values of the first rows. */
export type ColumnsCallback = (
  headers: string[],
  columns: (Column | null)[],
  samples: readonly (readonly string[])[],
) => void;

const MOST_SAMPLED = 1024 * 1024;
/** Rows and characters that wait for a date which tells in which order its column's numbers make one. */
const MOST_HELD = 50_000;
const MOST_HELD_LENGTH = 16 * 1024 * 1024;
const DATES = new Set(['birth_date', 'first_seen', 'last_seen']);

export class TableReader {
  /** Grows where the rows come from objects that each have their own properties. */
  readonly headers: string[] = [];
  private readonly options: TableSettings;
  private readonly onColumns: ColumnsCallback;
  private columns: (Column | null)[] | undefined;
  private labels: (string | null)[] = [];
  /** See `firmColumn`. */
  private firm = -1;
  /** Of each column of dates. */
  private orders: (DateOrder | null)[] = [];
  /** Columns of dates of which no row has shown the order yet, though some want one. */
  private unsure = new Set<number>();
  /** Whether one of the rows that wait has such a date. */
  private isHeld = false;
  private waiting: TableRow[] = [];
  private waitingLength = 0;

  constructor(options: TableSettings, onColumns: ColumnsCallback) {
    this.options = options;
    this.onColumns = onColumns;
  }

  /** Rows come out in the order in which they went in, when their columns are settled. Errors: see `readColumns`. */
  give(row: TableRow, out: TableRow[]): void {
    if (this.columns !== undefined && !this.isHeld) {
      this.isHeld = this.isUnsureOf(row);
      if (!this.isHeld) {
        this.read(row, this.columns, out);
        return;
      }
    }
    this.waiting.push(row);
    for (const cell of row.cells ?? []) this.waitingLength += cell.length;
    if (this.columns === undefined) {
      const enough = this.waiting.length >= (this.options.sampled ?? 0);
      if (enough || this.waitingLength > MOST_SAMPLED) this.settle();
    } else this.learnFrom(row);
    const isTooMuch = this.waiting.length > MOST_HELD || this.waitingLength > MOST_HELD_LENGTH;
    if (this.columns !== undefined && isTooMuch) this.unsure.clear();
    if (this.columns !== undefined && (!this.isHeld || isTooMuch)) this.flush(out);
  }

  /** What is left at the end, whether or not it is known how to read it. */
  end(out: TableRow[]): void {
    if (this.columns === undefined) this.settle();
    this.flush(out);
  }

  private settle(): void {
    const samples = this.waiting.flatMap(({ cells, problem }) => (cells && !problem ? [cells] : []));
    const { labels = [], dates } = this.options;
    this.labels = this.headers.map((header) => labels.find((one) => one === header.toLowerCase()) ?? null);
    this.firm = findCompanyColumn(this.headers);
    const columns = chooseColumns(this.headers, { ...this.options, samples });
    this.columns = columns;
    const valuesOf = (i: number) => samples.map((cells) => cells[i] ?? '');
    const own = columns.map((column, i) =>
      column && DATES.has(column.field) ? detectDateOrder(valuesOf(i)) : null,
    );
    this.orders = own.map((order) => dates ?? order ?? agreed(own));
    if (!dates && this.options.sampled)
      for (const [i, column] of columns.entries())
        if (column && DATES.has(column.field) && this.orders[i] === null)
          if (!valuesOf(i).some((value) => detectDateOrder([value]))) this.unsure.add(i);
    this.isHeld = this.waiting.some((row) => this.isUnsureOf(row));
    this.onColumns(this.headers, columns, samples);
  }

  private isUnsureOf({ cells = [] }: TableRow): boolean {
    for (const i of this.unsure) if (isAmbiguousDate(cells[i] ?? '')) return true;
    return false;
  }

  private learnFrom({ cells = [] }: TableRow): void {
    for (const i of this.unsure) {
      this.orders[i] = detectDateOrder([cells[i] ?? '']);
      if (this.orders[i] === null) continue;
      this.unsure.delete(i);
      const others = agreed(this.orders);
      for (const other of others ? this.unsure : []) this.orders[other] = others;
      if (others) this.unsure.clear();
      this.isHeld = this.waiting.some((one) => this.isUnsureOf(one));
    }
  }

  private flush(out: TableRow[]): void {
    const columns = this.columns ?? [];
    for (const row of this.waiting.splice(0)) this.read(row, columns, out);
    this.waitingLength = 0;
    this.isHeld = false;
  }

  private read(row: TableRow, columns: (Column | null)[], out: TableRow[]): void {
    const { cells, problem } = row;
    if (!cells || problem !== undefined) {
      out.push(row);
      return;
    }
    while (columns.length < this.headers.length) {
      columns.push(chooseLateColumn(columns, this.headers[columns.length] ?? '', this.options));
      this.orders.push(this.options.dates ?? null);
    }
    const of = { columns, orders: this.orders, now: this.options.now };
    const { raw, others } = toRawRecord(cells, of);
    out.push({
      ...row,
      raw,
      others,
      firm: cells[this.firm]?.trim() ?? '',
      labels: labelsIn(cells, this.labels),
    });
    if (!this.options.makeId) return;
    for (const { group, raw: other } of findRelatives(cells, of)) {
      const id = toText(raw.record_id);
      if (id !== '' && !isRoundedNumber(id)) other.record_id = `${id}/${group}`;
      out.push({ ...row, raw: other });
    }
  }
}

/** What all columns of dates say that say anything: a program writes all of its dates in one order. */
function agreed(orders: readonly (DateOrder | null)[]): DateOrder | null {
  const [first = null, ...others] = orders.filter((order) => order !== null);
  return others.every((order) => order === first) ? first : null;
}

function labelsIn(cells: string[], labels: (string | null)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [i, label] of labels.entries()) {
    const cell = cells[i]?.trim() ?? '';
    if (label !== null && cell !== '') found[label] = cell;
  }
  return found;
}
