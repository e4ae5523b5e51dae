// Rows of CSV: finds the header below a title, finds the delimiter by the header and the next rows, and gives
// each row its line number.
import { BonafideError } from '../../errors.ts';
import { requireColumnCountWithinLimit } from '../columns/columns.ts';
import type { TableReadSettings } from '../settings.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import { addGroups, areHeadersBelowGroups, countKnown, mayBeGroupNames } from './header-groups.ts';
import { NOT_UTF_8_REASON, type TextLine } from './lines.ts';
import { type ColumnsChosenCallback, TableReader, type TableRow } from './table.ts';

export type { TableRow as CsvRow } from './table.ts';

const NEVER_CLOSED = 'a quoted cell is never closed';
const TOO_MANY_CELLS = 'the row has more cells than the table has columns';
const DELIMITERS = [',', ';', '\t', '|'];
/** Maximum length in characters of a header that is recognised when later rows repeat it. */
const LONGEST_REPEATED_HEADER = 16_384;

/**
 * Converts lines to CSV rows (RFC 4180) and tolerates common mistakes. Quotes count only at the start of a cell, rows may have too few
 * cells, and an unclosed quote spoils only its own line. See `chooseDelimiter` for the delimiter.
 */
export class CsvReader {
  private readonly settings: TableReadSettings;
  private readonly table: TableReader;
  /** First lines of the file until the header is found; null afterwards. */
  private heads: TextLine[] | null = [];
  private hasHeader = false;
  /** Cells of a row with group names above the header: `Billing Address,,,Shipping Address,,`. Empty if there is no such row. */
  private groups: string[] = [];
  /** Cells of the header, to recognise rows that repeat it, as on each page of a report. Empty if it is longer than `LONGEST_REPEATED_HEADER`. */
  private headerCells: string[] = [];
  delimiter = ',';
  /** Lines of a row whose quoted cell is not closed yet. */
  private open: TextLine[] = [];
  private openLength = 0;
  /** Number of lines that were first taken for the header, but have a quote that is never closed. */
  private failedHeaders = 0;
  /** Number of first lines that are kept to find the header and the delimiter. */
  private keptHeads: number = INPUT_LIMITS.headerLines;

  constructor(settings: TableReadSettings, onColumns: ColumnsChosenCallback = () => undefined) {
    this.settings = settings;
    this.table = new TableReader(settings, onColumns);
  }

  /**
   * Adds lines and returns the rows that are complete. Errors: `invalid_arguments` if the header cannot be read, and those of `assignFieldsToColumns`.
   */
  push(lines: TextLine[]): TableRow[] {
    return lines.flatMap((line) => {
      if (this.heads === null) return this.take(line);
      return this.gather(line, this.heads) ? this.begin() : [];
    });
  }

  end(): TableRow[] {
    const rows = this.heads === null ? [] : this.begin();
    while (this.open.length > 0) rows.push(...this.giveUp());
    return this.hasHeader ? [...rows, ...this.table.end()] : rows;
  }

  /** Collects the first lines of the file. Returns true when they suffice to find the header and the delimiter. */
  private gather(line: TextLine, heads: TextLine[]): boolean {
    if (line.problem !== undefined) {
      if (heads.length === 0) throw unreadableHeader(this.settings.name, line.problem);
    } else if (heads.length === 0 && (line.text.trim() === '' || SEPARATOR_LINE.test(line.text)))
      return false;
    heads.push(line);
    if (heads.length >= this.keptHeads || line.problem !== undefined) return true;
    const before = heads.at(-2);
    // The header may be the line below a row of groups.
    const isFound = (before && isHeader(before.text)) || (isHeader(line.text) && !mayBeGroups(line.text));
    if (isFound) this.keptHeads = Math.min(this.keptHeads, heads.length + ROWS_FOR_DELIMITER);
    return false;
  }

  private begin(): TableRow[] {
    const heads = this.heads ?? [];
    this.heads = null;
    const texts = heads.map(({ text }) => text);
    const header = findHeader(texts);
    const above = texts[header - 1] ?? '';
    if (mayBeGroups(above)) this.groups = cellsOf(above).cells;
    const lines = heads.slice(header);
    return lines.flatMap((line, i) => this.take(line, lines.slice(i + 1)));
  }

  /**
   * Reads a line. Returns the rows that are complete.
   *
   * @param next lines after it that were already read; the delimiter is chosen by them
   */
  private take(line: TextLine, next: readonly TextLine[] = []): TableRow[] {
    const isFirst = this.open.length === 0;
    if (line.problem !== undefined) {
      if (!this.hasHeader && isFirst) throw unreadableHeader(this.settings.name, line.problem);
      return this.give({ line: line.line, problem: line.problem });
    }
    if (isFirst) {
      if (line.text.trim() === '' && !(this.settings.empty && this.hasHeader)) return [];
      if (!this.hasHeader) this.delimiter = chooseDelimiter([line, ...next].map(({ text }) => text));
      if (!line.text.includes('"')) {
        const cells = line.text.split(this.delimiter);
        return this.finish(line.line, { done: cells, hasUnquotedText: true });
      }
      this.openLength = 0;
    }
    this.open.push(line);
    this.openLength += line.text.length;
    if (isLeftOpen(line.text, this.delimiter, !isFirst)) return this.isTooLong() ? this.giveUp() : [];
    const lines = this.open;
    this.open = [];
    return this.finish(lines[0]?.line ?? line.line, parseCells(lines, this.delimiter));
  }

  private isTooLong(): boolean {
    return this.openLength > INPUT_LIMITS.recordBytes || this.open.length >= INPUT_LIMITS.rowLines;
  }

  /**
   * Reports the first line whose quote is never closed, and parses the lines read after it again, each only once: an incomplete row at the end of
   * these lines is not continued with lines read later.
   */
  private giveUp(): TableRow[] {
    if (!this.hasHeader) return this.giveUpHeader();
    const rows: TableRow[] = [];
    do {
      rows.push(...this.reportOpen(this.shiftOpen()));
      while (this.open[0] && !isLeftOpen(this.open[0].text, this.delimiter, false))
        rows.push(...this.takeAlone(this.shiftOpen()));
    } while (this.isTooLong());
    return rows;
  }

  /** Reports a quote in the header that is never closed. The delimiter is not known yet. */
  private giveUpHeader(): TableRow[] {
    const [first, ...others] = this.open;
    this.open = [];
    if (++this.failedHeaders > INPUT_LIMITS.headerLines)
      throw unreadableHeader(this.settings.name, NEVER_CLOSED);
    return [...this.reportOpen(first), ...others.flatMap((line) => this.take(line))];
  }

  private shiftOpen(): TextLine | undefined {
    const line = this.open.shift();
    this.openLength -= line?.text.length ?? 0;
    return line;
  }

  private reportOpen(line: TextLine | undefined): TableRow[] {
    if (!line) return [];
    const cells = parseCells([line], this.delimiter).soFar();
    return this.give({ line: line.line, cells, problem: NEVER_CLOSED });
  }

  /** Reads a line as a complete row, after the unclosed quote of an earlier line was reported. */
  private takeAlone(line: TextLine | undefined): TableRow[] {
    if (!line || (line.text.trim() === '' && !this.settings.empty)) return [];
    return this.finish(line.line, parseCells([line], this.delimiter));
  }

  private finish(
    line: number,
    { done: cells, hasUnquotedText }: Pick<Cells, 'done' | 'hasUnquotedText'>,
  ): TableRow[] {
    if (this.hasHeader) {
      // Spreadsheets also write the empty rows below a table.
      const isKept =
        this.settings.empty || (cells.some((cell) => cell.trim() !== '') && !this.isHeaderAgain(cells));
      // The cells are probably shifted: one of them contains an unquoted delimiter (`Smith, John`).
      const isShifted =
        hasUnquotedText && cells.slice(this.table.headers.length).some((cell) => cell.trim() !== '');
      return isKept ? this.give({ line, cells, ...(isShifted && { problem: TOO_MANY_CELLS }) }) : [];
    }
    requireColumnCountWithinLimit(cells, this.settings.name);
    const header = cells.map((cell) => cell.trim());
    if (header.join('').length <= LONGEST_REPEATED_HEADER) this.headerCells = header;
    this.table.headers.push(...addGroups(header, this.groups));
    this.hasHeader = true;
    return this.settings.sampled ? [] : this.table.end();
  }

  private isHeaderAgain(cells: readonly string[]): boolean {
    return (
      this.headerCells.length > 0 && cells.every((cell, i) => cell.trim() === (this.headerCells[i] ?? ''))
    );
  }

  private give(row: TableRow): TableRow[] {
    return this.hasHeader ? this.table.add(row) : [row];
  }
}

class Cells {
  readonly done: string[] = [];
  /** True if a cell that is not empty has no quotes. Rows of a spreadsheet have quotes around every cell. */
  hasUnquotedText = false;
  private readonly delimiter: string;
  /** Text of the quoted cell that is not closed yet; null if there is none. */
  private quoted: string | null;

  constructor(delimiter: string, quoted: string | null = null) {
    this.delimiter = delimiter;
    this.quoted = quoted;
  }

  /** Returns the cells parsed so far, including an unclosed cell with its quote. */
  soFar(): string[] {
    return this.quoted === null ? this.done : [...this.done, `"${this.quoted}`];
  }

  /** Parses one line of the row. Returns true if it completes the row. */
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

  /** Parses the next part of a quoted cell. Returns the start of the next cell, or -1 if the line ends inside the cell. */
  private readQuoted(text: string, at: number): number {
    const close = closingQuote(text, at, this.delimiter);
    const inside = (close < 0 ? text.slice(at) : text.slice(at, close))
      .replaceAll('""', '"')
      .replaceAll('\\"', '"');
    if (close < 0) {
      // MySQL writes a backslash in front of a line break.
      this.quoted += inside.endsWith('\\') ? inside.slice(0, -1) : inside;
      return -1;
    }
    const end = text.indexOf(this.delimiter, close + 1);
    this.done.push(this.quoted + inside + text.slice(close + 1, end < 0 ? text.length : end).trimEnd());
    this.quoted = null;
    return end < 0 ? -1 : end + 1;
  }

  private readPlain(text: string, at: number): number {
    const end = text.indexOf(this.delimiter, at);
    const cell = end < 0 ? text.slice(at) : text.slice(at, end);
    this.done.push(cell);
    if (cell.trim() !== '') this.hasUnquotedText = true;
    return end < 0 ? -1 : end + 1;
  }
}

/** Parses the cells of a row with several lines. */
function parseCells(lines: readonly TextLine[], delimiter: string): Cells {
  const cells = new Cells(delimiter);
  for (const { text } of lines) cells.feed(text);
  return cells;
}

/**
 * True if a line ends inside a quoted cell.
 *
 * @param isInside true if the line also begins inside one
 */
function isLeftOpen(text: string, delimiter: string, isInside: boolean): boolean {
  const cells = new Cells(delimiter, isInside ? '' : null);
  return !cells.feed(text);
}

/** Returns the index of the quote that closes a cell, or -1. MySQL writes a quote inside a cell as `\"`, and other programs as `""`. */
function closingQuote(text: string, from: number, delimiter: string): number {
  let at = text.indexOf('"', from);
  while (at >= 0) {
    const next = text[at + 1];
    const isEscaped = text[at - 1] === '\\' && next !== undefined && next !== delimiter;
    if (!isEscaped && next !== '"') return at;
    at = text.indexOf('"', at + (isEscaped ? 1 : 2));
  }
  return -1;
}

const MOST_HEAD_LENGTH = 20_000;

function cellsOf(text: string): { cells: string[]; isWhole: boolean } {
  const row = new Cells(chooseDelimiter([text]));
  const isWhole = row.feed(text);
  return { cells: row.soFar().map((cell) => cell.trim()), isWhole };
}

/**
 * True if at least two cells of a line are known headers; a title contains at most one. A line with an unclosed quote, or a very long line, also
 * counts as a header.
 */
function isHeader(text: string): boolean {
  if (text.length > MOST_HEAD_LENGTH) return true;
  const { cells, isWhole } = cellsOf(text);
  return !isWhole || countKnown(cells) > 1;
}

/** True if a line may be a row of group names above the header. */
function mayBeGroups(text: string): boolean {
  if (text.length > MOST_HEAD_LENGTH) return false;
  const { cells, isWhole } = cellsOf(text);
  return isWhole && mayBeGroupNames(cells);
}

/** True if the line after a row of group names is the header. */
function isBelowGroups(text: string, groups: string): boolean {
  if (!mayBeGroups(groups) || text.length > MOST_HEAD_LENGTH) return false;
  const { cells, isWhole } = cellsOf(text);
  return isWhole && areHeadersBelowGroups(cells, cellsOf(groups).cells);
}

/** Returns the index of the header among the first lines: the first line with known headers, else the first line with several cells, else 0. */
function findHeader(texts: string[]): number {
  const known = texts.findIndex(isHeader);
  if (known >= 0) return isBelowGroups(texts[known + 1] ?? '', texts[known] ?? '') ? known + 1 : known;
  const filled = (text: string) => cellsOf(text).cells.filter((cell) => cell !== '').length;
  return Math.max(
    0,
    texts.findIndex((text) => filled(text) > 1),
  );
}

/** Line that tells Excel the separator. It is skipped, because the header also shows the separator. */
const SEPARATOR_LINE = /^sep=.$/i;

function unreadableHeader(name: string, problem: string): BonafideError {
  if (problem === NOT_UTF_8_REASON)
    return new BonafideError(
      'invalid_arguments',
      `${name} is not UTF-8, and its encoding is not recognised. Name the encoding, for example --encoding Shift_JIS, or save the file as UTF-8 (in Excel: Save as, type CSV UTF-8).`,
    );
  return new BonafideError(
    'invalid_arguments',
    `${name}: its first line cannot be read: ${problem}. Add a header line with the column names above the records.`,
  );
}

/** Number of lines after the header that are kept to find the delimiter. */
const ROWS_FOR_DELIMITER = 5;

/**
 * Chooses the delimiter of a table: comma, semicolon, tab or bar. With it, at least half of the rows have as many cells as the header. A delimiter that
 * always has a space after it in the header is chosen only if there is no other: `Name, First;Phone`.
 *
 * @param texts lines of the header and of the next rows
 */
function chooseDelimiter(texts: readonly string[]): string {
  const ranks = DELIMITERS.map((delimiter) => rankDelimiter(texts, delimiter));
  const best = ranks.reduce((one, other) => {
    const place = one.findIndex((rank, i) => rank !== other[i]);
    return (other[place] ?? 0) > (one[place] ?? 0) ? other : one;
  });
  return DELIMITERS[ranks.indexOf(best)] ?? ',';
}

/** Returns measures of how well a delimiter fits a table. They are compared in this order; a larger number is better. */
function rankDelimiter(texts: readonly string[], delimiter: string): number[] {
  const rows: string[][] = [];
  let row = new Cells(delimiter);
  for (const text of texts) {
    if (text.trim() === '' || !row.feed(text)) continue;
    rows.push(row.done);
    row = new Cells(delimiter);
  }
  const [header = row.soFar(), ...others] = rows;
  const equal = others.filter(({ length }) => length === header.length).length;
  const spaced = header.slice(1).filter((cell) => cell.startsWith(' ')).length;
  const found = header.length - 1;
  return [
    Number(found > 0 && equal * 2 >= others.length),
    Number(spaced < found),
    found * equal,
    found,
    -spaced,
  ];
}
