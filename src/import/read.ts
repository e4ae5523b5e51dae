import { basename } from 'node:path';
import { BonafideError } from '../errors.ts';
import {
  toSkippedItem,
  itemFromObject,
  itemFromRow,
  isBlankLine,
  isJsonProblem,
  type ItemOptions,
  parseJsonObject,
  type ImportItem,
  type UnreadBatch,
} from './items.ts';
import type { DateOrder } from './columns/dates.ts';
import { CsvReader } from './input/csv.ts';
import type { Line } from './input/lines.ts';
import { toPlainText } from './columns/cells.ts';
import { findFormHeaders, isForeignRecord, ObjectReader, findUnknownFields } from './input/objects.ts';
import { type ColumnPlan, planColumns } from './input/plan.ts';
import { openInput, type InputForm } from './input/input.ts';
import type { TableRow } from './input/table.ts';

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
  onPlan?: (plan: ColumnPlan) => Promise<void>;
  /** In which order numbers make dates in a table; by what its first rows show unless given. */
  dates?: DateOrder | undefined;
  /** Whether rows of companies, guests and tests are records like others. */
  keepCompanies?: boolean | undefined;
  /** The record id of a record or row that has none, made of what it says. */
  idOf?: (content: string) => string;
  /** See `RecordOptions`. */
  now?: number | undefined;
  /** See `readColumns`. */
  mayBeUnknown?: boolean;
  /** Told at the end which fields of records in the record format are none of it. */
  onUnknown?: (fields: string[]) => void;
  /** Told before the first record what the input is; its encoding is sure after the last. */
  onForm?: (form: InputForm) => void;
}

/**
 * Reads records in any form, packed or not, in bounded memory and in the order of the input. Blank lines are passed over;
 * everything else comes out, as a record or as a problem.
 *
 * Errors: those of `openUnread`, `invalid_arguments` (a column map that does not fit).
 */
export async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ImportItem> {
  const { unread, items } = await openInputReader(source, options);
  for await (const some of unread) yield* items.take(some);
  yield* items.end();
}

/** Reads lines and rows in the order of the input. */
export interface ItemReader {
  take(unread: UnreadBatch): AsyncIterable<ImportItem>;
  /** Lines in the record format were read by somebody else, in their place: gives what comes before them. @param unknown see `Items` */
  passed(unknown: string[]): AsyncIterable<ImportItem>;
  /** After the last. Errors: `invalid_arguments` (a column map that does not fit). */
  end(): AsyncIterable<ImportItem>;
}

/**
 * An input as lines of JSON or rows of a table, some at a time, and who reads them.
 *
 * Errors: `unreadable_file` (a damaged packed file, no text), `invalid_arguments` (a column map that does not fit, no
 * column for the record id).
 */
export async function openInputReader(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<{ unread: AsyncIterable<UnreadBatch>; items: ItemReader }> {
  const { lines: batches, format, form } = await openInput(source, options.name);
  options.onForm?.(form);
  if (format === 'jsonl') return { unread: cutJson(batches), items: jsonReader(options) };
  return { unread: cutRows(batches, options), items: rowReader(itemOptions(options)) };
}

/** What items ask of the options. */
export function itemOptions(options: ReadOptions): ItemOptions {
  const { name, source, region = 'US', dates, keepCompanies, idOf, now } = options;
  return { source: source ?? sourceFromFileName(name), region, dates, keepCompanies, idOf, now };
}

async function* cutJson(batches: AsyncIterable<Line[]>): AsyncIterable<UnreadBatch> {
  for await (const lines of batches) yield { lines };
}

function jsonReader(options: ReadOptions): ItemReader {
  const { name, onPlan } = options;
  const settings = itemOptions(options);
  let plan: ColumnPlan | null = null;
  let [isTable, unknown] = [false, new Map<string, number>()];
  const reader = new ObjectReader(tableOptions(options), (headers, columns, samples) => {
    const form = findFormHeaders(headers, samples, (i) => columns[i] !== null);
    plan = planColumns(name, {
      headers: form.map(({ place }) => headers[place] ?? ''),
      shown: form.map(({ shown }) => shown),
      columns: form.map(({ place }) => columns[place] ?? null),
      samples: samples.map((row) => form.map(({ place }) => row[place] ?? '')),
      more: headers.length - form.length,
    });
  });
  const itemsOf = async function* (rows: TableRow[]) {
    if (plan !== null) await onPlan?.(plan);
    plan = null;
    for (const row of rows) yield itemFromRow(row, settings);
  };
  // What waits comes first: one may take out what the other puts.
  const passed = async function* (fields: string[]) {
    if (isTable) yield* itemsOf(reader.end());
    for (const field of fields) tally(unknown, field);
  };
  return {
    passed,
    async *take(unread) {
      if ('rows' in unread) throw new Error('these are no rows');
      for (const line of unread.lines) {
        if (isBlankLine(line)) continue;
        const aside = toSkippedItem(line, settings);
        if (aside !== null) {
          yield aside;
          continue;
        }
        const found = parseJsonObject(line);
        if (!isJsonProblem(found) && isForeignRecord(found, options.map !== undefined)) {
          isTable = true;
          yield* itemsOf(reader.give(line.line, found));
          continue;
        }
        if (!isJsonProblem(found)) yield* passed(findUnknownFields(found));
        yield itemFromObject(line.line, found, settings);
      }
    },
    async *end() {
      yield* itemsOf(reader.end());
      if (options.map !== undefined && !isTable) throw mapUnused(name);
      if (unknown.size > 0) options.onUnknown?.(oftenIn(unknown));
    },
  };
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
  [...counts].flatMap(([field, count]) =>
    count > 2 && !/[@\s]|\d{4}/.test(field) ? [toPlainText(field)] : [],
  );

/** Rows that are looked at before the columns of a table are settled. */
const SAMPLED = 200;

const tableOptions = ({ name, map, idOf, dates, source, mayBeUnknown, now }: ReadOptions) => ({
  name,
  now,
  ...(mayBeUnknown && { mayBeUnknown }),
  ...(map !== undefined && { map }),
  idsMade: idOf !== undefined,
  sampled: SAMPLED,
  ...(dates && { dates }),
  sourceSaid: source !== undefined,
});

async function* cutRows(batches: AsyncIterable<Line[]>, options: ReadOptions): AsyncGenerator<UnreadBatch> {
  const { name, onPlan } = options;
  let plan: ColumnPlan | null = null;
  const reader = new CsvReader(tableOptions(options), (headers, columns, samples) => {
    plan = planColumns(name, { headers, columns, samples });
  });
  const told = async (rows: TableRow[]) => {
    if (plan !== null) await onPlan?.(plan);
    plan = null;
    return { rows };
  };
  for await (const lines of batches) yield told(reader.push(lines));
  yield told(reader.end());
}

function rowReader(settings: ItemOptions): ItemReader {
  const none = async function* () {};
  return {
    async *take(unread) {
      if ('rows' in unread) for (const row of unread.rows) yield itemFromRow(row, settings);
    },
    passed: none,
    end: none,
  };
}

/** The source of a file that names none: `-` → `stdin`, `/data/crm.csv.gz` → `crm`. */
export function sourceFromFileName(name: string): string {
  return name === '-'
    ? 'stdin'
    : basename(name).replace(
        /(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt|xlsx|vcf|parquet))?(?:\.gz|\.zst)?$/i,
        '',
      ) || 'import';
}
