// Reads a file of people to be checked: JSON Lines or CSV, plain or gzip, in bounded memory.
import { type Column, requireNameColumn, displayHeaders } from '../../import/columns/columns.ts';
import { CsvReader, type CsvRow } from '../../import/input/csv.ts';
import type { Line } from '../../import/input/lines.ts';
import { requestFromObject, requestFromRow } from '../../import/input/request.ts';
import { type InputFormat, openInput } from '../../import/input/input.ts';
import { formatColumns, type openInputFile } from '../shared/files.ts';
import type { Check } from '../../client/index.ts';
import { toCsv } from '../../admin/wire.ts';

/** A line that the output will have: of a person to ask about, of a row that cannot be read (with a problem), or of an empty row. */
export interface Person extends Form {
  /** Where it starts in the input. */
  line: number;
  request?: Record<string, unknown>;
  problem?: string;
}

export interface People {
  format: InputFormat;
  /** The row of headers comes first, as text. */
  lines: AsyncGenerator<Person | string>;
}

export interface Reading {
  /** CSV columns: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  /** Told of a table what its columns were taken for. */
  onColumns(text: string): void;
}

/**
 * The people of a file in its order.
 *
 * Errors: unreadable_file, and of the lines invalid_arguments (a column map that does not fit, no column for the name).
 */
export async function openPeople(input: ReturnType<typeof openInputFile>, reading: Reading): Promise<People> {
  const { lines, format } = await openInput(input.stream, input.name);
  return { format, lines: format === 'csv' ? ofTable(lines, input.name, reading) : ofLines(lines) };
}

async function* ofLines(batches: AsyncIterable<Line[]>): AsyncGenerator<Person> {
  for await (const lines of batches)
    for (const line of lines) if (line.problem !== undefined || line.text.trim() !== '') yield ofLine(line);
}

function ofLine({ line, text, problem }: Line): Person {
  const value = problem === undefined ? parsed(text) : null;
  if (value === null) return { line, ...lineForm({}), problem: problem ?? 'the line is not a JSON object' };
  return { line, ...lineForm(value), request: requestFromObject(value) };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

async function* ofTable(
  batches: AsyncIterable<Line[]>,
  name: string,
  { map, onColumns }: Reading,
): AsyncGenerator<Person | string> {
  let form = tableForm([]);
  let header: string | null = null;
  let width = 0;
  const options = { name, ...(map && { map }), labels: [], empty: true };
  const reader = new CsvReader(options, (headers, columns) => {
    requireNameColumn(headers, columns, name);
    onColumns(textOf(name, headers, columns));
    width = headers.length;
    form = tableForm(headers);
    header = form.header;
  });
  const people = function* (rows: CsvRow[]): Generator<Person | string> {
    if (header !== null) yield header;
    header = null;
    for (const { line, cells = [], raw, problem } of rows) {
      const told = { line, ...form.row(within(cells, width, reader.delimiter)) };
      if (problem !== undefined) yield { ...told, problem };
      else if (isEmpty(cells)) yield told;
      else if (!isEmpty(cells.slice(width)))
        yield { ...told, problem: 'it has more cells than there are columns' };
      else yield { ...told, ...(raw ? { request: requestFromRow(raw) } : { problem: 'it cannot be read' }) };
    }
  };
  for await (const lines of batches) yield* people(reader.push(lines));
  yield* people(reader.end());
}

const isEmpty = (cells: string[]) => cells.every((cell) => cell.trim() === '');

/** What is beyond the last column stands in it, as it stood in the line: nothing of a row is lost. */
function within(cells: string[], width: number, delimiter: string): string[] {
  if (isEmpty(cells.slice(width))) return cells.slice(0, width);
  return [...cells.slice(0, width - 1), cells.slice(width - 1).join(delimiter)];
}

function textOf(input: string, headers: string[], columns: (Column | null)[]): string {
  const fields = columns.map((column) => column?.field ?? null);
  const shown = displayHeaders(headers, fields);
  return formatColumns({ input, columns: shown.map((header, i) => ({ header, field: fields[i] ?? null })) });
}

// What the output says of each person, and how its lines are written.
/** What became of one person. With an error all else but the request id is empty. */
export interface Result {
  score: number | null;
  status: string | null;
  verdict: string | null;
  flags: string[];
  name_status: string | null;
  /** One match status for each value, in the order sent; equal values share one. */
  email_status: string[];
  phone_status: string[];
  address_status: string[];
  request_id: string | null;
  error: string | null;
}

const NOTHING: Result = {
  score: null,
  status: null,
  verdict: null,
  flags: [],
  name_status: null,
  email_status: [],
  phone_status: [],
  address_status: [],
  request_id: null,
  error: null,
};
const COLUMNS = Object.keys(NOTHING);

export function resultOf(check: Check): Result {
  const { message, input_validation: rows } = check;
  const statuses = (field: { inputs: { match_status: string }[] } | undefined) =>
    (field?.inputs ?? []).map((row) => row.match_status);
  return {
    score: check.trustworthiness_score,
    status: check.status,
    verdict: message.slice(0, message.indexOf(':')),
    flags: check.possible_catfish ? ['possible_catfish'] : [],
    name_status: rows.name.match_status,
    email_status: statuses(rows.email),
    phone_status: statuses(rows.phone),
    address_status: statuses(rows.address),
    request_id: check.request_id,
    error: null,
  };
}

/** Of an empty row: nobody was to be asked about. */
export const nobody = (): Result => NOTHING;

export const unanswered = (error: string, requestId: string | null = null): Result => ({
  ...NOTHING,
  request_id: requestId,
  error,
});

/** A line of the output: how it begins, by which it is known again, and how it ends. */
interface Form {
  begins: string;
  ends(result: Result): string;
}

/** Whether a line of the output, its end included, tells an answer. */
export const isAnswered = (line: string): boolean => /(?:,|error":null\})\r?\n$/.test(line);

/** A column of the input keeps its name: ours is another then. */
const nameBeside = (taken: ReadonlySet<string>) => (column: string) =>
  taken.has(column) ? `bonafide_${column}` : column;

/** Rows of a table below the headers given, and the row of the headers itself. */
function tableForm(headers: string[]): { header: string; row(cells: string[]): Form } {
  const columns = COLUMNS.map(nameBeside(new Set(headers.map((header) => header.toLowerCase()))));
  const ends = (result: Result) => `${toCsv([Object.values(result).map(cellOf)])}${LINE_END}`;
  return {
    header: `${toCsv([[...headers, ...columns]])}${LINE_END}`,
    row: (cells) => ({ begins: `${toCsv([headers.map((_, i) => cells[i] ?? '')])},`, ends }),
  };
}
const LINE_END = '\r\n';

const cellOf = (value: string[] | string | number | null): string | number =>
  Array.isArray(value) ? value.join('; ') : (value ?? '');

/** A line of JSON that begins with an object's own fields. */
function lineForm(value: Record<string, unknown>): Form {
  const fields = Object.keys(value);
  const name = nameBeside(new Set(fields));
  const named = (result: Result) =>
    Object.fromEntries(Object.entries(result).map(([column, one]) => [name(column), one]));
  return {
    begins: JSON.stringify(value).slice(0, -1) + (fields.length > 0 ? ',' : ''),
    ends: (result) => `${JSON.stringify(named(result)).slice(1)}\n`,
  };
}
