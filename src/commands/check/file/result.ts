// What the output says of each person, and how its lines are written.
import type { Check } from '../../../client/index.ts';
import { csv } from '../../../admin/csv.ts';

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
export interface Form {
  begins: string;
  ends(result: Result): string;
}

/** Whether a line of the output, its end included, tells an answer. */
export const isAnswered = (line: string): boolean => /(?:,|error":null\})\r?\n$/.test(line);

/** A column of the input keeps its name: ours is another then. */
const nameBeside = (taken: ReadonlySet<string>) => (column: string) =>
  taken.has(column) ? `bonafide_${column}` : column;

/** Rows of a table below the headers given, and the row of the headers itself. */
export function tableForm(headers: string[]): { header: string; row(cells: string[]): Form } {
  const columns = COLUMNS.map(nameBeside(new Set(headers.map((header) => header.toLowerCase()))));
  const ends = (result: Result) => `${csv([Object.values(result).map(cellOf)])}${LINE_END}`;
  return {
    header: `${csv([[...headers, ...columns]])}${LINE_END}`,
    row: (cells) => ({ begins: `${csv([headers.map((_, i) => cells[i] ?? '')])},`, ends }),
  };
}
const LINE_END = '\r\n';

const cellOf = (value: string[] | string | number | null): string | number =>
  Array.isArray(value) ? value.join('; ') : (value ?? '');

/** A line of JSON that begins with an object's own fields. */
export function lineForm(value: Record<string, unknown>): Form {
  const fields = Object.keys(value);
  const name = nameBeside(new Set(fields));
  const named = (result: Result) =>
    Object.fromEntries(Object.entries(result).map(([column, one]) => [name(column), one]));
  return {
    begins: JSON.stringify(value).slice(0, -1) + (fields.length > 0 ? ',' : ''),
    ends: (result) => `${JSON.stringify(named(result)).slice(1)}\n`,
  };
}
