import { basename } from 'node:path';
import { BonafideError } from '../errors.ts';
import type { RecordName } from '../graph/graph.ts';
import { dated, type DateOrder } from './source/cells/dates.ts';
import { isGuest, isOfList, noPerson, type NoPerson } from './source/cells/persons.ts';
import { CsvReader } from './source/csv.ts';
import type { Line } from './source/lines.ts';
import { type Plan, planOf } from './source/plan.ts';
import { type RawRecord, textOf } from './raw.ts';
import { type ImportRecord, readRecord, type RecordOptions } from './record.ts';
import { formOf, isForeign, ObjectReader, unknownIn } from './source/objects.ts';
import { openSource, type SourceForm } from './source/source.ts';
import type { TableRow } from './source/table.ts';

export interface ReadOptions {
  /** What errors call the input, and where its format and default source come from: a path, or `-`. */
  name: string;
  /** CSV columns: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  /** ISO country in which phone numbers without a country code are read; `US` unless given. */
  region?: string | undefined;
  /** For records that name no source; the file's base name unless given. */
  source?: string | undefined;
  /** Told of a table, or of objects of another program, before the first record what each column is taken for; what it throws ends the reading. */
  onPlan?: (plan: Plan) => Promise<void>;
  /** In which order numbers make dates in a table; by what its first rows show unless given. */
  dates?: DateOrder | undefined;
  /** Whether rows of companies, guests and tests are records like others. */
  keepCompanies?: boolean | undefined;
  /** The record id of a record or row that has none, made of what it says. */
  idOf?: (content: string) => string;
  /** Told at the end which fields of records in the record format are none of it. */
  onUnknown?: (fields: string[]) => void;
  /** Told before the first record what the input is; its encoding is sure after the last. */
  onForm?: (form: SourceForm) => void;
}

/** One record of the input, or why it can't be used. No text in it holds a submitted value but `record` itself. */
export interface ReadItem {
  /** Where the record starts, counted from 1. */
  line: number;
  recordId: string | null;
  record?: ImportRecord;
  /** The record that is to be taken out. */
  removed?: RecordName;
  /** Whether a row names somebody else too, of whom nothing is in the record. */
  others?: boolean;
  /** Why a row is left out without being wrong. */
  aside?: NoPerson;
  /** Why the whole record was rejected. */
  problem?: string;
  /** Single values that were left out of a usable record, one reason each. */
  dropped: string[];
}

/**
 * Reads records in any form, packed or not, in bounded memory and in the order of the input. Blank lines are passed over;
 * everything else comes out, as a record or as a problem.
 *
 * Errors: `unreadable_file` (a damaged packed file, no text), `invalid_arguments` (a column map that does not fit, no
 * column for the record id).
 */
export async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  const { lines: batches, format, form } = await openSource(source, options.name);
  options.onForm?.(form);
  const settings = { source: options.source ?? sourceNamed(options.name), region: options.region ?? 'US' };
  if (format === 'jsonl') {
    yield* readJson(batches, settings, options);
    return;
  }
  for await (const row of readRows(batches, options))
    yield fromRow(row, settings, options.keepCompanies === true);
}

async function* readJson(
  batches: AsyncIterable<Line[]>,
  settings: RecordOptions,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  const { name, onPlan, idOf, keepCompanies = false } = options;
  let plan: Plan | null = null;
  let [isTable, unknown] = [false, new Map<string, number>()];
  const reader = new ObjectReader(tableOptions(options), (headers, columns, samples) => {
    const shown = formOf(headers, samples, (i) => columns[i] !== null);
    plan = planOf(name, {
      headers: shown.map((i) => headers[i] ?? ''),
      columns: shown.map((i) => columns[i] ?? null),
      samples: samples.map((row) => shown.map((i) => row[i] ?? '')),
      more: headers.length - shown.length,
    });
  });
  const itemsOf = async function* (rows: TableRow[]) {
    if (plan !== null) await onPlan?.(plan);
    plan = null;
    for (const row of withIds(rows, idOf)) yield fromRow(row, settings, keepCompanies);
  };
  for await (const lines of batches)
    for (const line of lines) {
      if (line.problem === undefined && line.text.trim() === '') continue;
      const found = objectIn(line);
      if (!isProblem(found) && isForeign(found, options.map !== undefined)) {
        isTable = true;
        yield* itemsOf(reader.give(line.line, found));
        continue;
      }
      // What waits comes first: one may take out what the other puts.
      if (isTable && !isProblem(found)) yield* itemsOf(reader.end());
      if (!isProblem(found)) for (const field of unknownIn(found)) tally(unknown, field);
      yield fromJson(line, settings, idOf, options.dates);
    }
  yield* itemsOf(reader.end());
  if (options.map !== undefined && !isTable) throw mapUnused(name);
  if (unknown.size > 0) options.onUnknown?.(oftenIn(unknown));
}

function mapUnused(name: string): BonafideError {
  return new BonafideError(
    'invalid_arguments',
    `${name}: --map has nothing to say of it, for its records are in the record format. Leave --map out, or import the file by itself.`,
  );
}

const MOST_UNKNOWN = 1000;

function tally(counts: Map<string, number>, field: string): void {
  if (counts.has(field) || counts.size < MOST_UNKNOWN) counts.set(field, (counts.get(field) ?? 0) + 1);
}

/** What is on several records is the form's, and not somebody's e-mail. */
const oftenIn = (counts: Map<string, number>): string[] =>
  [...counts].flatMap(([field, count]) => (count > 2 && !/[@\s]|\d{4}/.test(field) ? [field] : []));

/** Rows that are looked at before the columns of a table are settled. */
const SAMPLED = 200;

const tableOptions = ({ name, map, idOf, dates, source }: ReadOptions) => ({
  name,
  ...(map !== undefined && { map }),
  idsMade: idOf !== undefined,
  sampled: SAMPLED,
  ...(dates && { dates }),
  sourceSaid: source !== undefined,
});

async function* readRows(batches: AsyncIterable<Line[]>, options: ReadOptions): AsyncGenerator<TableRow> {
  const { name, onPlan, idOf } = options;
  let plan: Plan | null = null;
  const reader = new CsvReader(tableOptions(options), (headers, columns, samples) => {
    plan = planOf(name, { headers, columns, samples });
  });
  const told = async (rows: TableRow[]) => {
    if (plan !== null) await onPlan?.(plan);
    plan = null;
    return rows;
  };
  for await (const lines of batches) yield* withIds(await told(reader.push(lines)), idOf);
  yield* withIds(await told(reader.end()), idOf);
}

function* withIds(rows: TableRow[], idOf: ReadOptions['idOf']): Generator<TableRow> {
  for (const row of rows) {
    const { raw, hasId = true } = row;
    // In the order of the fields: columns may change their places from one export to the next.
    if (raw && !hasId && idOf) raw.record_id = idOf(JSON.stringify(Object.entries(raw).toSorted()));
    yield row;
  }
}

const NOT_READ = Symbol('not read');

/** The object that a line of JSON is, or why it is none. */
function objectIn({ text, problem }: Line): Record<string, unknown> | Problem {
  const none = (reason: string): Problem => ({ [NOT_READ]: true, problem: reason });
  if (problem !== undefined) return none(problem);
  try {
    const raw: unknown = LONG_NUMBER.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);
    const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
    return isObject ? (raw as Record<string, unknown>) : none('the line is not a JSON object');
  } catch {
    return none('the line is not valid JSON');
  }
}

/** Ids of some programs have more digits than a number holds exactly: two of them would be one. */
const LONG_NUMBER = /\d{16}/;
const asWritten = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? source : value;

interface Problem {
  [NOT_READ]: true;
  problem: string;
}

const isProblem = (one: object): one is Problem => NOT_READ in one;

/** The record that a line of JSON is. @param idOf makes its record id where it has none @param dates the order in which numbers make dates */
export function fromJson(
  { line, text, problem }: Line,
  settings: RecordOptions,
  idOf?: ReadOptions['idOf'],
  dates?: DateOrder,
): ReadItem {
  const raw = objectIn({ line, text, ...(problem !== undefined && { problem }) });
  if (isProblem(raw)) return { line, problem: raw.problem, recordId: null, dropped: [] };
  const record = raw as RawRecord;
  if (dates)
    for (const field of ['birth_date', 'first_seen', 'last_seen'] as const)
      if (typeof record[field] === 'string') record[field] = dated(record[field], dates);
  if (idOf && textOf(record.record_id) === '' && record.deleted !== true)
    record.record_id = idOf(JSON.stringify(inOrder(record)));
  return { line, ...readRecord(record, settings) };
}

/** A value whose properties stand in one order, whoever wrote it. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, inOrder(one)]);
}

function fromRow(
  { line, raw, cells = [], others = false, problem }: TableRow,
  settings: RecordOptions,
  keepAll: boolean,
): ReadItem {
  if (raw === undefined) return { line, problem, recordId: null, dropped: [] };
  const aside = isOfList(cells) ? 'total' : keepAll ? null : asideOf(raw);
  if (aside !== null) return { line, recordId: textOf(raw.record_id) || null, aside, dropped: [] };
  return { line, others, ...readRecord(raw, settings) };
}

/** Why a row is no person's; the name of a guest goes from a row that has contacts. */
function asideOf(raw: RawRecord): NoPerson | null {
  const { names, emails, phones, addresses } = raw as Record<string, string[]>;
  const whole = Object.values((raw.name ?? {}) as Record<string, string>).join(' ');
  const all = [...(names ?? []), ...(whole === '' ? [] : [whole])];
  const aside = noPerson(all, emails ?? []);
  if (aside !== null || !all.some(isGuest)) return aside;
  raw.names = (names ?? []).filter((name) => !isGuest(name));
  if (isGuest(whole)) delete raw.name;
  const left = [raw.names, emails, phones, addresses].some((list) => (list as string[]).length > 0);
  return left || raw.name !== undefined ? null : 'placeholder';
}

/** The source of a file that names none: `-` → `stdin`, `/data/crm.csv.gz` → `crm`. */
export function sourceNamed(name: string): string {
  return name === '-'
    ? 'stdin'
    : basename(name).replace(
        /(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt|xlsx|vcf|parquet))?(?:\.gz|\.zst)?$/i,
        '',
      ) || 'import';
}
