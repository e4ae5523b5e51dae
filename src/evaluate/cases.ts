import { BonafideError } from '../errors.ts';
import { CsvReader, type CsvRow } from '../import/input/csv.ts';
import type { TextLine } from '../import/input/lines.ts';
import { createCheckRequestFromRow } from '../import/input/request.ts';
import { openTextInput } from '../import/input/input.ts';
// Labelled cases: one request each, with a label whether its name and values belong to one person.

/** Class of a case. `apart` cases are reported separately, because no check can decide them. */
export type CaseClass = 'genuine' | 'not_genuine' | 'apart';

export interface LabelledCase {
  id: string;
  line: number;
  role: CaseClass;
  kind: string;
  subkind: string | null;
  /** Origin of the name, and country of the case; null if the file does not give them. */
  origin: string | null;
  country: string | null;
  request: Record<string, unknown>;
}

const ROLES: Record<string, CaseClass> = {
  genuine: 'genuine',
  partial: 'genuine',
  chimera: 'not_genuine',
  impostor: 'not_genuine',
  nameless: 'not_genuine',
  newcomer: 'apart',
  unknown: 'apart',
  name_only: 'apart',
};
/**
 * Matches types of cases that no check can decide: a member of the victim's household, and an impostor who submits only values of the victim or
 * unknown values.
 */
const UNDECIDABLE = /^chimera\/household$|^impostor\/.+_(?:alone|own_unknown)$/;

/** Names of the fields of a case file that are labels. All other fields belong to the request. */
export const CASE_LABEL_FIELD_NAMES = ['case_id', 'id', 'kind', 'subkind', 'genuine', 'origin', 'country'];
const LISTS: Record<string, string> = { email: 'emails', phone: 'phones', address: 'addresses' };
const WORD = /^[\p{L}\p{N}_][\p{L}\p{N} _./-]{0,39}$/u;
const YES = new Set<unknown>([true, 1, 'yes', 'y', 'true', '1']);
const NO = new Set<unknown>([false, 0, 'no', 'n', 'false', '0']);

/**
 * Parses one line of a case file: `{ kind, request, … }`, or a request with a `genuine` label among its fields. Returns the case, or a sentence
 * about the problem that contains no value.
 */
export function parseLabelledCase(value: Record<string, unknown>, line: number): LabelledCase | string {
  const request = requestOf(value);
  if (request === null) return '`request` must be an object.';
  if (!('name' in request) && !('nameAddresses' in request)) return 'It has no `name`.';
  for (const label of ['kind', 'subkind', 'origin', 'country'])
    if (wordOf(value[label]) === undefined) return `\`${label}\` must be a short word.`;
  const kind = wordOf(value.kind) ?? null;
  const subkind = wordOf(value.subkind) ?? null;
  const role = roleOf(kind, subkind, value.genuine);
  if (typeof role === 'object') return role.problem;
  const [origin, country] = [wordOf(value.origin) ?? null, wordOf(value.country) ?? null];
  return { id: idOf(value, line), line, role, kind: kind ?? role, subkind, origin, country, request };
}

/** Returns the request of a line, or null. Fields that are not labels stay in it, so that a misspelt field is reported and not ignored. */
function requestOf(value: Record<string, unknown>): Record<string, unknown> | null {
  const { request } = value;
  if (request !== undefined) return isObject(request) ? request : null;
  const fields = Object.entries(value).filter(([field]) => !CASE_LABEL_FIELD_NAMES.includes(field));
  return Object.fromEntries(
    fields.map(([field, one]) => {
      const list = LISTS[field];
      return list === undefined
        ? [field, one]
        : [list, [one].flat().map(field === 'address' ? addressOf : same)];
    }),
  );
}

const same = (one: unknown) => one;
const addressOf = (one: unknown) => (typeof one === 'string' ? { street: one } : one);

function roleOf(kind: string | null, subkind: string | null, sent: unknown): CaseClass | { problem: string } {
  const labelText = typeof sent === 'string' ? sent.trim().toLowerCase() : sent;
  const genuine = YES.has(labelText) ? true : NO.has(labelText) ? false : (labelText ?? null);
  if (typeof genuine !== 'boolean' && genuine !== null) return { problem: '`genuine` must be yes or no.' };
  const knownRole = kind === null ? undefined : ROLES[kind];
  if (knownRole === undefined) {
    if (sent === undefined)
      return { problem: `It has no \`genuine\` (yes or no), and no \`kind\` of ${KINDS}.` };
    return genuine === null ? 'apart' : genuine ? 'genuine' : 'not_genuine';
  }
  if (UNDECIDABLE.test(`${kind}/${subkind}`)) return 'apart';
  if (genuine !== null && knownRole !== 'apart' && genuine !== (knownRole === 'genuine'))
    return { problem: '`kind` and `genuine` disagree.' };
  return knownRole;
}

const KINDS = Object.keys(ROLES).join(', ');

/** Returns a label if it is a short word. Null if the label is missing; undefined if it is anything else, because it may be personal data. */
function wordOf(label: unknown): string | null | undefined {
  if (label === undefined || label === null || label === '') return null;
  return typeof label === 'string' && WORD.test(label) ? label : undefined;
}

/** Returns the id of a case. Returns the line number if the id may be a name, an e-mail or a phone. */
function idOf({ case_id, id = case_id }: Record<string, unknown>, line: number): string {
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && /^[\w.:-]{1,64}$/.test(text) && !isPersonal(text)
    ? text
    : `line ${line}`;
}

/** True if an id may be a phone (digits, `.` and `-`), or a name: several words of letters, such as `jane_doe` or `Jane.Doe85`. */
function isPersonal(id: string): boolean {
  if (/^[\d.-]{7,}$/.test(id)) return true;
  const words = id.split(/[._:-]/).filter((word) => word !== '');
  return (
    words.length > 1 &&
    words.every((word, i) =>
      i < words.length - 1 ? /^[a-z]+$/i.test(word) : /^[a-z]{2,}\d{0,4}$/i.test(word),
    )
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Row {
  line: number;
  value?: Record<string, unknown>;
  problem?: string;
}

const SHOWN = 10;
/** Labels in a CSV file. `country` is not a label there, because it is a part of the address. */
const CSV_LABELS = CASE_LABEL_FIELD_NAMES.filter((label) => label !== 'country');

/** Column of a CSV file and the field that it contains; null if the column is ignored. */
export interface CaseFileColumn {
  header: string;
  field: string | null;
}

interface CaseFile {
  cases: LabelledCase[];
  columns: CaseFileColumn[] | null;
}

interface CaseSource {
  name: string;
  stream: AsyncIterable<Uint8Array>;
  /** Column map of the case file, in the syntax of `--map`. */
  map?: string | undefined;
  most?: number;
}

/**
 * Reads all cases of a file: JSON Lines or CSV, plain or compressed with gzip. Errors: `invalid_arguments` (too many cases, or invalid lines, of
 * which the first are listed without values), `unreadable_file`.
 */
export async function readCaseFile({ name, stream, map, most = Infinity }: CaseSource): Promise<CaseFile> {
  const { lines, format } = await openTextInput(stream, name);
  let columns: CaseFileColumn[] | null = null;
  const onColumns = (taken: CaseFileColumn[]) => (columns = taken);
  const table = { name, onColumns, ...(map && { map }) };
  const rows = format === 'csv' ? csvRows(lines, table) : jsonRows(lines);
  const cases: LabelledCase[] = [];
  const problems: string[] = [];
  let wrong = 0;
  for await (const { line, value, problem } of rows) {
    const parsedCase = value === undefined ? (problem ?? '') : parseLabelledCase(value, line);
    if (typeof parsedCase !== 'string') cases.push(parsedCase);
    else if (wrong++ < SHOWN) problems.push(`\n  line ${line}: ${parsedCase}`);
    if (cases.length + wrong > most) throw tooMany(most);
  }
  if (wrong === 0) return { cases, columns };
  const more = wrong > SHOWN ? `\n  and ${wrong - SHOWN} more` : '';
  const invalidLines = wrong === 1 ? '1 line is not a valid case' : `${wrong} lines are not valid cases`;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: ${invalidLines}. Correct or remove:${problems.join('')}${more}`,
  );
}

const tooMany = (most: number) =>
  new BonafideError(
    'invalid_arguments',
    `The file has more than ${most} cases. Evaluate a larger file on the server's machine: bonafide evaluate FILE`,
  );

async function* jsonRows(batches: AsyncIterable<TextLine[]>): AsyncGenerator<Row> {
  for await (const lines of batches)
    for (const line of lines) if (line.problem !== undefined || line.text.trim() !== '') yield jsonRow(line);
}

function jsonRow({ line, text, problem }: TextLine): Row {
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
  onColumns: (columns: CaseFileColumn[]) => void;
}

async function* csvRows(batches: AsyncIterable<TextLine[]>, table: Table): AsyncGenerator<Row> {
  const { name, map, onColumns } = table;
  const reader = new CsvReader({ name, ...(map && { map }), labels: CSV_LABELS }, (headers, columns) => {
    const label = (header: string) => CSV_LABELS.find((one) => one === header.toLowerCase());
    const recognisedColumns = headers.map((header, i) => ({
      header,
      field: columns[i]?.field ?? label(header) ?? null,
    }));
    onColumns(recognisedColumns);
  });
  for await (const lines of batches) yield* reader.push(lines).map(csvRow);
  yield* reader.end().map(csvRow);
}

function csvRow({ line, raw, labels, problem }: CsvRow): Row {
  if (raw === undefined) return { line, problem: problem ?? 'It cannot be read.' };
  return { line, value: { ...labels, ...createCheckRequestFromRow(raw).request } };
}
