// Reading of one input, in any format: from its bytes to items in the order of the input.
import { basename } from 'node:path';
import { BonafideError } from '../errors.ts';
import { itemFromObject, itemFromRow, type ImportItem, parseLine, type UnreadBatch } from './items.ts';
import { CsvReader } from './input/csv.ts';
import { type InputForm, openInput } from './input/input.ts';
import type { Line } from './input/lines.ts';
import { findFormHeaders, findUnknownFields, isForeignRecord, ObjectReader } from './input/objects.ts';
import { type ColumnPlan, planColumns } from './input/plan.ts';
import type { TableRow } from './input/table.ts';
import { toPlainText } from './columns/cells.ts';
import type { InputSettings } from './settings.ts';

export interface ReadOptions extends InputSettings {
  /** Called with the columns of a table, or of objects of another program, before their first record is read. An error that it throws ends the reading. */
  onPlan?: (plan: ColumnPlan) => Promise<void>;
  /** Called after the last record with the names of fields that the record format does not have. */
  onUnknown?: (fields: string[]) => void;
  /** Called before the first record with the form of the input. The encoding in it is certain only after the last record. */
  onForm?: (form: InputForm) => void;
}

/**
 * Reads records in any form, compressed or not, in bounded memory and in the order of the input. Blank lines are skipped; every other line
 * becomes an item.
 *
 * Errors: those of `openInputReader`.
 */
export async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ImportItem> {
  const { unread, items } = await openInputReader(source, options);
  for await (const batch of unread) yield* await items.read(batch);
  yield* await items.end();
}

/** Parser of the batches of one input, in their order. */
export interface ItemReader {
  read(unread: UnreadBatch): Promise<ImportItem[]>;
  /**
   * Notes that a batch of lines in the record format was parsed elsewhere, with these unknown fields (see `ParsedBatch`). Returns the items
   * that come before that batch.
   */
  skip(unknown: string[]): Promise<ImportItem[]>;
  /** Returns the items that are left after the last batch. Errors: `invalid_arguments` (a column map for records in the record format). */
  end(): Promise<ImportItem[]>;
}

/**
 * Opens an input as batches of lines of JSON or rows of a table, and the parser of these batches.
 *
 * Errors: `unreadable_file` (a damaged compressed file, not a text file), `invalid_arguments` (a column map that does not fit, no
 * column for the record id).
 */
export async function openInputReader(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<{ unread: AsyncIterable<UnreadBatch>; items: ItemReader; settings: InputSettings }> {
  const { onPlan: _, onUnknown: __, onForm, ...input } = options;
  const { lines: batches, format, form } = await openInput(source, input.name);
  onForm?.(form);
  const settings = { ...input, source: input.source ?? sourceFromFileName(input.name) };
  if (format === 'jsonl') return { unread: cutJson(batches), items: jsonReader(options, settings), settings };
  return { unread: cutRows(batches, options), items: rowReader(settings), settings };
}

async function* cutJson(batches: AsyncIterable<Line[]>): AsyncIterable<UnreadBatch> {
  for await (const lines of batches) yield { lines, rows: [] };
}

function jsonReader(options: ReadOptions, settings: InputSettings): ItemReader {
  const { name, map, onPlan } = options;
  let plan: ColumnPlan | null = null;
  let [isTable, unknown] = [false, new Map<string, number>()];
  const objects = new ObjectReader({ ...options, sampled: SAMPLED }, (headers, columns, samples) => {
    const form = findFormHeaders(headers, samples, (i) => columns[i] !== null);
    plan = planColumns(name, {
      headers: form.map(({ place }) => headers[place] ?? ''),
      shown: form.map(({ shown }) => shown),
      columns: form.map(({ place }) => columns[place] ?? null),
      samples: samples.map((row) => form.map(({ place }) => row[place] ?? '')),
      more: headers.length - form.length,
    });
  });
  const readRows = async (rows: TableRow[]) => {
    if (plan !== null) await onPlan?.(plan);
    plan = null;
    return rows.map((row) => itemFromRow(row, settings));
  };
  // Rows that wait for their columns come first: one record may remove what another adds.
  const skip = async (fields: string[]) => {
    for (const field of fields) tally(unknown, field);
    return isTable ? readRows(objects.end()) : [];
  };
  return {
    skip,
    async read({ lines }) {
      const items: ImportItem[] = [];
      for (const line of lines) {
        const parsed = parseLine(line, settings);
        if (parsed === null) continue;
        if (!('object' in parsed)) items.push(parsed);
        else if (isForeignRecord(parsed.object, map !== undefined)) {
          isTable = true;
          items.push(...(await readRows(objects.give(line.line, parsed.object))));
        } else {
          items.push(...(await skip(findUnknownFields(parsed.object))));
          items.push(itemFromObject(line.line, parsed.object, settings));
        }
      }
      return items;
    },
    async end() {
      const items = await readRows(objects.end());
      if (map !== undefined && !isTable) throw mapUnused(name);
      if (unknown.size > 0) options.onUnknown?.(frequentIn(unknown));
      return items;
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

/** Returns the fields that several records have: these are names of the file's form, and not somebody's e-mail. */
const frequentIn = (counts: Map<string, number>): string[] =>
  [...counts].flatMap(([field, count]) =>
    count > 2 && !/[@\s]|\d{4}/.test(field) ? [toPlainText(field)] : [],
  );

/** Number of rows that are read before the columns of a table are chosen. */
const SAMPLED = 200;

async function* cutRows(batches: AsyncIterable<Line[]>, options: ReadOptions): AsyncGenerator<UnreadBatch> {
  const { name, onPlan } = options;
  let plan: ColumnPlan | null = null;
  const reader = new CsvReader({ ...options, sampled: SAMPLED }, (headers, columns, samples) => {
    plan = planColumns(name, { headers, columns, samples });
  });
  const planned = async (rows: TableRow[]) => {
    if (plan !== null) await onPlan?.(plan);
    plan = null;
    return { lines: [], rows };
  };
  for await (const lines of batches) yield planned(reader.push(lines));
  yield planned(reader.end());
}

function rowReader(settings: InputSettings): ItemReader {
  return {
    read: async ({ rows }) => rows.map((row) => itemFromRow(row, settings)),
    skip: async () => [],
    end: async () => [],
  };
}

/** Returns the source of records in a file that names none: `-` → `stdin`, `/data/crm.csv.gz` → `crm`. */
export function sourceFromFileName(name: string): string {
  return name === '-'
    ? 'stdin'
    : basename(name).replace(
        /(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt|xlsx|vcf|parquet))?(?:\.gz|\.zst)?$/i,
        '',
      ) || 'import';
}
