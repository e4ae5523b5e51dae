// Rows of `check --file`: people read from the input, and the lines of the output.
import { resultOr } from '../../errors.ts';
import { RESULT_OF_EMPTY_ROW, type RowCheckResult, toTableCell, toCsv } from '../../admin/wire.ts';
import { formatCount } from '../../evaluate/report/words.ts';
import { requireNameColumn } from '../../import/columns/columns.ts';
import type { TableColumn } from '../../import/columns/headers.ts';
import { hideHeadersThatMayBeData } from '../../import/columns/map.ts';
import { isTotalsOrLayoutRow } from '../../import/columns/persons.ts';
import { CsvReader, type CsvRow } from '../../import/input/csv.ts';
import {
  describeDetectedInputFormat,
  type InputFormatOptions,
  type DetectedInputFormat,
  type CsvOrJsonLinesFormat,
  openTextInput,
  type TextInput,
} from '../../import/input/input.ts';
import type { TextLine } from '../../import/input/lines.ts';
import { isJsonNestedTooDeep } from '../../import/formats/limits.ts';
import { splitObjectOfRecords } from '../../import/input/objects/objects.ts';
import { type ObjectRequest, ObjectRequestReader } from '../../import/input/objects/requests.ts';
import { createCheckRequestFromRow } from '../../import/input/request.ts';
import { SAMPLED_ROW_COUNT } from '../../import/settings.ts';
import { formatRecognisedColumns, type openInputFile } from '../helpers/files.ts';

/** Output line of one input row: a copy of the row, followed by the result. */
interface OutputLine {
  /** Copy of the input row at the start of the output line. By it, a repeated run finds the lines that an earlier run wrote. */
  prefix: string;
  /** Formats the rest of the output line, with its line end. */
  formatResult(result: RowCheckResult): string;
}

/** Row of the input: a person to check (`request`), an unreadable row (`problem`), or an empty row or one with totals (neither). */
export interface PersonRow extends OutputLine {
  line: number;
  request?: Record<string, unknown>;
  problem?: string;
}

export interface PeopleInput {
  format: CsvOrJsonLinesFormat;
  /** Rows of the input. For a table, the first item is the header line of the output. */
  rows: AsyncGenerator<PersonRow | string>;
}

interface InputOptions extends InputFormatOptions {
  map?: string | undefined;
  /** ISO country for short phones of rows without a country. Default: none, for checks by a server. */
  region?: string | undefined;
  onColumns(text: string): void;
}

/**
 * Opens a file of people: JSON Lines or CSV, plain or gzip. Rows are read one by one. Errors: unreadable_file; invalid_arguments for a wrong
 * column map or a missing name column.
 */
export async function openPeopleFile(
  input: ReturnType<typeof openInputFile>,
  options: InputOptions,
): Promise<PeopleInput> {
  const text = await openTextInput(input.stream, input.name, options);
  return {
    format: text.format,
    rows:
      text.format === 'csv'
        ? readTable(text, input.name, options)
        : readJsonLines(text.lines, input.name, options),
  };
}

async function* readJsonLines(
  batches: AsyncIterable<TextLine[]>,
  name: string,
  { map, region, onColumns }: InputOptions,
): AsyncGenerator<PersonRow> {
  const settings = { name, region, ...(map && { map }) };
  const reader = new ObjectRequestReader<Pick<PersonRow, 'line'> & OutputLine>(settings, (columns) =>
    onColumns(formatRecognisedColumns({ input: name, columns })),
  );
  for await (const lines of batches)
    for (const { line, text, problem } of lines) {
      if (problem === undefined && text.trim() === '') continue;
      const isReadable = problem === undefined && !isJsonNestedTooDeep(text);
      const value: unknown = isReadable ? resultOr(() => JSON.parse(text), null) : null;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        yield* reader.end().map(toPersonRow);
        yield { line, ...toJsonLine({}), problem: problem ?? 'the line is not a JSON object' };
      } else
        for (const object of splitObjectOfRecords({ ...value }))
          yield* reader.add(line, object, { line, ...toJsonLine(object) }).map(toPersonRow);
    }
  yield* reader.end().map(toPersonRow);
}

const toPersonRow = ({
  item,
  request,
  problem,
  leftOut,
}: ObjectRequest<Pick<PersonRow, 'line'> & OutputLine>): PersonRow => ({
  ...item,
  ...(request && { request }),
  ...(problem !== undefined && { problem }),
  formatResult: (result) => item.formatResult(leftOut.length > 0 ? { ...result, left_out: leftOut } : result),
});

async function* readTable(
  { lines: batches, form, hasByteOrderMark }: TextInput,
  name: string,
  { map, region, onColumns }: InputOptions,
): AsyncGenerator<PersonRow | string> {
  let table = buildTable([], ',');
  let header: string | null = null;
  let width = 0;
  let shown: { columns: (TableColumn | null)[]; headers: string[] } = { columns: [], headers: [] };
  const options = {
    name,
    ...(map && { map }),
    labels: [],
    empty: true,
    sampled: SAMPLED_ROW_COUNT,
    sheets: form,
  };
  const reader = new CsvReader(options, (headers, columns) => {
    requireNameColumn(headers, columns, options);
    onColumns(formatTableColumns(name, headers, columns));
    const note = describeDetectedInputFormat(form);
    if (note !== '') onColumns(`${name}: ${note}`);
    width = headers.length;
    shown = {
      columns,
      headers: hideHeadersThatMayBeData(
        headers,
        columns.map((column) => column?.field ?? null),
      ),
    };
    table = buildTable(headers, reader.delimiter);
    header = `${hasByteOrderMark || isFromSpreadsheet(form) ? BYTE_ORDER_MARK : ''}${table.header}`;
  });
  /** Numbers of the lines with an e-mail or phone that is left out. */
  const unusable: number[] = [];
  let hasRounded = false;
  const toRows = function* (rows: CsvRow[]): Generator<PersonRow | string> {
    if (header !== null) yield header;
    header = null;
    for (const { line, cells = [], raw, problem } of rows) {
      const row = { line, ...table.toLine(fitCells(cells, width, reader.delimiter)) };
      if (problem !== undefined) yield { ...row, problem };
      else if (isEmpty(cells) || isTotalsOrLayoutRow(cells)) yield row;
      else if (raw) {
        const { request, leftOut } = createCheckRequestFromRow(raw, { cells, ...shown }, region);
        hasRounded ||= leftOut.some(({ reason }) => reason === 'rounded');
        if (leftOut.some(({ reason }) => reason !== 'no_value')) unusable.push(line);
        const formatResult = (result: RowCheckResult) => row.formatResult({ ...result, left_out: leftOut });
        yield { ...row, formatResult, request };
      } else yield { ...row, problem: 'the row cannot be read' };
    }
  };
  for await (const lines of batches) yield* toRows(reader.push(lines));
  yield* toRows(reader.end());
  if (unusable.length > 0) onColumns(describeUnusableValues(unusable, hasRounded));
}

const MAX_LINES_SHOWN = 5;

function describeUnusableValues(lines: readonly number[], hasRounded: boolean): string {
  const shown = lines.slice(0, MAX_LINES_SHOWN).join(', ');
  const more = lines.length > MAX_LINES_SHOWN ? ' …' : '';
  const advice = hasRounded
    ? '. A spreadsheet rounded phones, such as 4.9E+11: format the column as text, and export the table again'
    : '';
  return `left out: e-mails and phones that cannot be used, or belong to a relative, in ${formatCount(lines.length, 'row')} (${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}): a phone needs a country code or 10 to 15 digits, unless it is a whole number of the country of the row or of --region${advice}`;
}

const isEmpty = (cells: string[]) => cells.every((cell) => cell.trim() === '');

/** Joins the cells beyond the last column into the last one, so that a copy of the row loses nothing. */
function fitCells(cells: string[], width: number, delimiter: string): string[] {
  if (isEmpty(cells.slice(width))) return cells.slice(0, width);
  return [...cells.slice(0, width - 1), cells.slice(width - 1).join(delimiter)];
}

function formatTableColumns(input: string, headers: string[], columns: (TableColumn | null)[]): string {
  const fields = columns.map((column) => column?.field ?? null);
  const shown = hideHeadersThatMayBeData(headers, fields);
  return formatRecognisedColumns({
    input,
    columns: shown.map((header, i) => ({ header, field: fields[i] ?? null })),
  });
}

const COLUMNS = Object.keys(RESULT_OF_EMPTY_ROW);

/** True if a complete output line (with its line end) has a result without an error. */
export const isAnsweredOutputLine = (line: string): boolean => /(?:[,;\t|]|error":null\})\r?\n$/.test(line);

/** Creates a function that renames a result column if the input has a column with the same name. */
const renameTaken = (taken: ReadonlySet<string>) => (column: string) =>
  taken.has(column) ? `bonafide_${column}` : column;

const CSV_LINE_END = '\r\n';
const BYTE_ORDER_MARK = '\ufeff';

/** True if a spreadsheet program probably wrote the input. Such a program reads UTF-8 only after a byte order mark. */
const isFromSpreadsheet = ({ kind, encoding }: DetectedInputFormat): boolean =>
  kind === 'Excel' || encoding !== 'UTF-8';

/** Returns the header line of an output table, and a function that creates its other lines. */
function buildTable(
  headers: string[],
  delimiter: string,
): { header: string; toLine(cells: string[]): OutputLine } {
  const columns = COLUMNS.map(renameTaken(new Set(headers.map((header) => header.toLowerCase()))));
  const formatResult = (result: RowCheckResult) =>
    `${toCsv([Object.values(result).map(toTableCell)], delimiter)}${CSV_LINE_END}`;
  return {
    header: `${toCsv([[...headers, ...columns]], delimiter)}${CSV_LINE_END}`,
    toLine: (cells) => ({
      prefix: `${toCsv([headers.map((_, i) => cells[i] ?? '')], delimiter)}${delimiter}`,
      formatResult,
    }),
  };
}

/** Creates an output line in JSON: the fields of the input object, then the fields of the result. */
function toJsonLine(object: Record<string, unknown>): OutputLine {
  const fields = Object.keys(object);
  const rename = renameTaken(new Set(fields));
  return {
    prefix: JSON.stringify(object).slice(0, -1) + (fields.length > 0 ? ',' : ''),
    formatResult(result) {
      const renamed = Object.entries(result).map(([column, value]) => [rename(column), value]);
      return `${JSON.stringify(Object.fromEntries(renamed)).slice(1)}\n`;
    },
  };
}
