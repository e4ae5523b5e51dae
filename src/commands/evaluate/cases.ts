// Reads a file of labelled cases: JSON Lines or CSV, plain or gzip.
import { BonafideError } from '../../errors.ts';
import { type Case, LABELS, readCase } from '../../evaluate/case.ts';
import { CsvReader, type CsvRow } from '../../import/source/csv.ts';
import type { Line } from '../../import/source/lines.ts';
import { requestOf } from '../../import/source/request.ts';
import { openSource } from '../../import/source/source.ts';
import { columnsText, inputOf } from '../graph/import/inputs.ts';

/** A line's object, or why it has none. */
interface Row {
  line: number;
  value?: Record<string, unknown>;
  problem?: string;
}

const SHOWN = 10;
/** In a table a country is an address's. */
const CSV_LABELS = LABELS.filter((label) => label !== 'country');

/** The cases of a file, and of a table what its columns were taken for. */
export interface CaseFile {
  cases: Case[];
  columns: string | null;
}

/**
 * All cases of a file.
 *
 * Errors: invalid_arguments (what the first lines lack, line by line, no value repeated), file_not_found, unreadable_file.
 */
export async function readCases(file: string, map?: string): Promise<CaseFile> {
  const { name, stream } = inputOf(file);
  const { lines, format } = await openSource(stream, name);
  let columns: string | null = null;
  const onColumns = (text: string) => (columns = text);
  const table = { name, onColumns, ...(map && { map }) };
  const rows = format === 'csv' ? csvRows(lines, table) : jsonRows(lines);
  const cases: Case[] = [];
  const problems: string[] = [];
  let wrong = 0;
  for await (const { line, value, problem } of rows) {
    const one = value === undefined ? (problem ?? '') : readCase(value, line);
    if (typeof one !== 'string') cases.push(one);
    else if (wrong++ < SHOWN) problems.push(`\n  line ${line}: ${one}`);
  }
  if (wrong === 0) return { cases, columns };
  const more = wrong > SHOWN ? `\n  and ${wrong - SHOWN} more` : '';
  const count = wrong === 1 ? 'One line is no case' : `${wrong} lines are no cases`;
  throw new BonafideError('invalid_arguments', `${name}: ${count}.${problems.join('')}${more}`);
}

async function* jsonRows(batches: AsyncIterable<Line[]>): AsyncGenerator<Row> {
  for await (const lines of batches)
    for (const line of lines) if (line.problem !== undefined || line.text.trim() !== '') yield jsonRow(line);
}

function jsonRow({ line, text, problem }: Line): Row {
  if (problem !== undefined) return { line, problem };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { line, value: { ...value } };
  } catch {
    return { line, problem: 'It is not valid JSON.' };
  }
  return { line, problem: 'It is not a JSON object.' };
}

interface Table {
  name: string;
  map?: string;
  onColumns: (text: string) => void;
}

async function* csvRows(batches: AsyncIterable<Line[]>, table: Table): AsyncGenerator<Row> {
  const { name, map, onColumns } = table;
  const reader = new CsvReader({ name, ...(map && { map }), labels: CSV_LABELS }, (headers, columns) => {
    const label = (header: string) => CSV_LABELS.find((one) => one === header.toLowerCase());
    const taken = headers.map((header, i) => ({
      header,
      field: columns[i]?.field ?? label(header) ?? null,
    }));
    onColumns(columnsText({ input: name, columns: taken }));
  });
  for await (const lines of batches) yield* reader.push(lines).map(csvRow);
  yield* reader.end().map(csvRow);
}

function csvRow({ line, raw, labels, problem }: CsvRow): Row {
  if (raw === undefined) return { line, problem: problem ?? 'It cannot be read.' };
  return { line, value: { ...labels, ...requestOf(raw) } };
}
