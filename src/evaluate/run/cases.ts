// Reads a file of labelled cases: JSON Lines or CSV, plain or gzip.
import { BonafideError } from '../../errors.ts';
import { type Case, LABELS, readCase } from '../case.ts';
import { CsvReader, type CsvRow } from '../../import/input/csv.ts';
import type { Line } from '../../import/input/lines.ts';
import { requestFromRow } from '../../import/input/request.ts';
import { openInput } from '../../import/input/input.ts';

/** A line's object, or why it has none. */
interface Row {
  line: number;
  value?: Record<string, unknown>;
  problem?: string;
}

const SHOWN = 10;
/** In a table a country is an address's. */
const CSV_LABELS = LABELS.filter((label) => label !== 'country');

/** A column of a table, and what it was taken for; null where it is not used. */
export interface CaseColumn {
  header: string;
  field: string | null;
}

/** The cases of a file, and the columns of a table. */
export interface CaseFile {
  cases: Case[];
  columns: CaseColumn[] | null;
}

export interface CaseSource {
  /** What the file is called: its ending may tell its form. */
  name: string;
  stream: AsyncIterable<Uint8Array>;
  /** Which columns hold what, as `--map` says it. */
  map?: string | undefined;
  /** The most cases that are taken. */
  most?: number;
}

/**
 * All cases of a file.
 *
 * Errors: invalid_arguments (what the first lines lack, line by line, no value repeated; more cases than are taken), unreadable_file.
 */
export async function readCases({ name, stream, map, most = Infinity }: CaseSource): Promise<CaseFile> {
  const { lines, format } = await openInput(stream, name);
  let columns: CaseColumn[] | null = null;
  const onColumns = (taken: CaseColumn[]) => (columns = taken);
  const table = { name, onColumns, ...(map && { map }) };
  const rows = format === 'csv' ? csvRows(lines, table) : jsonRows(lines);
  const cases: Case[] = [];
  const problems: string[] = [];
  let wrong = 0;
  for await (const { line, value, problem } of rows) {
    const one = value === undefined ? (problem ?? '') : readCase(value, line);
    if (typeof one !== 'string') cases.push(one);
    else if (wrong++ < SHOWN) problems.push(`\n  line ${line}: ${one}`);
    if (cases.length + wrong > most) throw tooMany(most);
  }
  if (wrong === 0) return { cases, columns };
  const more = wrong > SHOWN ? `\n  and ${wrong - SHOWN} more` : '';
  const count = wrong === 1 ? 'One line is no case' : `${wrong} lines are no cases`;
  throw new BonafideError('invalid_arguments', `${name}: ${count}.${problems.join('')}${more}`);
}

const tooMany = (most: number) =>
  new BonafideError(
    'invalid_arguments',
    `The file has more than ${most} cases. On the machine more are evaluated: bonafide evaluate FILE`,
  );

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
  onColumns: (columns: CaseColumn[]) => void;
}

async function* csvRows(batches: AsyncIterable<Line[]>, table: Table): AsyncGenerator<Row> {
  const { name, map, onColumns } = table;
  const reader = new CsvReader({ name, ...(map && { map }), labels: CSV_LABELS }, (headers, columns) => {
    const label = (header: string) => CSV_LABELS.find((one) => one === header.toLowerCase());
    const taken = headers.map((header, i) => ({
      header,
      field: columns[i]?.field ?? label(header) ?? null,
    }));
    onColumns(taken);
  });
  for await (const lines of batches) yield* reader.push(lines).map(csvRow);
  yield* reader.end().map(csvRow);
}

function csvRow({ line, raw, labels, problem }: CsvRow): Row {
  if (raw === undefined) return { line, problem: problem ?? 'It cannot be read.' };
  return { line, value: { ...labels, ...requestFromRow(raw) } };
}
