// Reads a file of people to be checked: JSON Lines or CSV, plain or gzip, in bounded memory.
import { type Column, requireName, shownHeaders } from '../../../import/source/columns/columns.ts';
import { CsvReader, type CsvRow } from '../../../import/source/csv.ts';
import type { Line } from '../../../import/source/lines.ts';
import { requestIn, requestOf } from '../../../import/source/request.ts';
import { type Format, openSource } from '../../../import/source/source.ts';
import { columnsText, type inputOf } from '../../graph/import/inputs.ts';
import { type Form, lineForm, tableForm } from './result.ts';

/** A line that the output will have: of a person to ask about, of a row that cannot be read (with a problem), or of an empty row. */
export interface Person extends Form {
  /** Where it starts in the input. */
  line: number;
  request?: Record<string, unknown>;
  problem?: string;
}

export interface People {
  format: Format;
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
export async function openPeople(input: ReturnType<typeof inputOf>, reading: Reading): Promise<People> {
  const { lines, format } = await openSource(input.stream, input.name);
  return { format, lines: format === 'csv' ? ofTable(lines, input.name, reading) : ofLines(lines) };
}

async function* ofLines(batches: AsyncIterable<Line[]>): AsyncGenerator<Person> {
  for await (const lines of batches)
    for (const line of lines) if (line.problem !== undefined || line.text.trim() !== '') yield ofLine(line);
}

function ofLine({ line, text, problem }: Line): Person {
  const value = problem === undefined ? parsed(text) : null;
  if (value === null) return { line, ...lineForm({}), problem: problem ?? 'the line is not a JSON object' };
  return { line, ...lineForm(value), request: requestIn(value) };
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
    requireName(headers, columns, name);
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
      else yield { ...told, ...(raw ? { request: requestOf(raw) } : { problem: 'it cannot be read' }) };
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
  const shown = shownHeaders(headers, fields);
  return columnsText({ input, columns: shown.map((header, i) => ({ header, field: fields[i] ?? null })) });
}
