// Reads one input of any format: from its bytes to items in the order of the input.
import { basename } from 'node:path';
import { BonafideError } from '../errors.ts';
import { toPlainText } from './columns/cells.ts';
import { CsvReader } from './input/csv.ts';
import {
  describeDetectedInputFormat,
  type DetectedInputFormat,
  type TextInput,
  openTextInput,
} from './input/input.ts';
import {
  listHeadersSafeToShow,
  findUnknownFieldPaths,
  isFieldNameShown,
  isRecordOfOtherProgram,
  splitObjectOfRecords,
  findNearestRecordField,
  ObjectTableReader,
} from './input/objects/objects.ts';
import { type ColumnMappingReport, createColumnMappingReport } from './input/plan.ts';
import type { TableRow } from './input/table.ts';
import {
  type ImportRecordOrProblem,
  createItemFromObject,
  createItemFromRow,
  parseJsonLine,
  type UnparsedBatch,
} from './items.ts';
import { type InputReadSettings, SAMPLED_ROW_COUNT } from './settings.ts';

/** Number of records with a field that the record format does not have. */
export interface UnknownFieldCount {
  /** Name of the field. Null for fields whose names may be personal data. */
  field: string | null;
  records: number;
  /** Known field that was probably meant, or null. */
  nearest: string | null;
}

export interface ReadRecordsOptions extends InputReadSettings {
  /**
   * Called with the columns of a table, or of objects from another program, before the first record is read. If it throws, reading ends with its
   * error.
   */
  onPlan?: (plan: ColumnMappingReport) => Promise<void>;
  /** Called with the fields that the record format does not have, after the last record was read. */
  onUnknown?: (fields: UnknownFieldCount[]) => void;
  /** Called with the form of the input, before the first record is read. The encoding is final only after the last record. */
  onInputDetected?: (form: DetectedInputFormat) => void;
}

/**
 * Reads records in bounded memory and in input order. Blank lines are skipped; every other line becomes an item. Errors: those of
 * `openInputReader`.
 */
export async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  options: ReadRecordsOptions,
): AsyncGenerator<ImportRecordOrProblem> {
  const reader = await openInputReader(source, options);
  for await (const batch of reader.unread()) yield* await reader.read(batch);
  yield* await reader.end();
}

/**
 * Opens an input in any format, compressed or not. Errors: `unreadable_file` for a damaged compressed file or one that is not text,
 * `invalid_arguments` if the column map does not fit or no column contains the record id.
 */
export async function openInputReader(
  source: AsyncIterable<Uint8Array>,
  options: ReadRecordsOptions,
): Promise<InputReader> {
  const opened = await openTextInput(source, options.name, { ...options, skipsEmptyRuns: true });
  options.onInputDetected?.(opened.form);
  return new InputReader(opened, options);
}

const MOST_UNKNOWN = 1000;

/** Splits one input into batches and parses them in order. */
export class InputReader {
  /** Settings for parsing batches in other threads; see `parseItems`. */
  readonly settings: InputReadSettings;
  private readonly opened: TextInput;
  private readonly options: ReadRecordsOptions;
  private readonly objects: ObjectTableReader;
  private plan: ColumnMappingReport | null = null;
  private hasObjects = false;
  private readonly unknown = new Map<string, number>();

  constructor(opened: TextInput, options: ReadRecordsOptions) {
    const { onPlan: _, onUnknown: __, onInputDetected: ___, ...settings } = options;
    this.settings = { ...settings, source: settings.source ?? getSourceFromFileName(settings.name) };
    this.opened = opened;
    this.options = options;
    this.objects = new ObjectTableReader(
      { ...settings, sampled: SAMPLED_ROW_COUNT },
      (headers, columns, samples) => {
        const form = listHeadersSafeToShow(headers, samples, (i) => columns[i] !== null);
        this.plan = createColumnMappingReport(settings.name, {
          headers: form.map(({ place }) => headers[place] ?? ''),
          shown: form.map(({ shown }) => shown),
          columns: form.map(({ place }) => columns[place] ?? null),
          samples: samples.map((row) => form.map(({ place }) => row[place] ?? '')),
          more: headers.length - form.length,
          note: describeDetectedInputFormat(this.opened.form),
        });
      },
    );
  }

  /** Yields the input in unparsed batches: lines of JSON, or rows of a table. */
  async *unread(): AsyncGenerator<UnparsedBatch> {
    const { lines: batches, format } = this.opened;
    if (format === 'jsonl') {
      for await (const lines of batches) yield { lines, rows: [] };
      return;
    }
    const table = { ...this.options, sheets: this.opened.form, sampled: SAMPLED_ROW_COUNT };
    const reader = new CsvReader(table, (headers, columns, samples) => {
      this.plan = createColumnMappingReport(table.name, {
        headers,
        columns,
        samples,
        note: describeDetectedInputFormat(this.opened.form),
      });
    });
    for await (const lines of batches)
      yield { lines: [], rows: await this.planned(this.explained(() => reader.push(lines))) };
    yield { lines: [], rows: await this.planned(this.explained(() => reader.end())) };
  }

  /** Runs `read`. Adds the used sheet and encoding to errors about columns, because a wrong sheet or encoding leads to wrong columns. */
  private explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const choice = describeDetectedInputFormat(this.opened.form);
      const isExplained = error instanceof BonafideError && error.message.includes('the option --sheet');
      if (
        !(error instanceof BonafideError) ||
        error.code !== 'invalid_arguments' ||
        choice === '' ||
        isExplained
      )
        throw error;
      throw new BonafideError(error.code, `${error.message} Note: ${choice}.`, error.details);
    }
  }

  async read({ lines, rows }: UnparsedBatch): Promise<ImportRecordOrProblem[]> {
    const items = rows.map((row) => createItemFromRow(row, this.settings));
    for (const line of lines) {
      const parsed = parseJsonLine(line, this.settings);
      if (parsed === null) continue;
      if (!('object' in parsed)) items.push(parsed);
      else if (isRecordOfOtherProgram(parsed.object, this.settings.map !== undefined)) {
        this.hasObjects = true;
        for (const object of splitObjectOfRecords(parsed.object))
          items.push(...(await this.readRows(this.objects.add(line.line, object))));
      } else {
        const unknown = findUnknownFieldPaths(parsed.object).map(({ name: field }) => field);
        if (this.hasObjects || unknown.length > 0) items.push(...(await this.skip(unknown)));
        items.push(createItemFromObject(line.line, parsed.object, this.settings));
      }
    }
    return items;
  }

  /**
   * Skips a batch of lines that another thread parses, and counts its unknown fields. Returns the earlier items whose columns were not chosen yet.
   */
  async skip(unknown: string[]): Promise<ImportRecordOrProblem[]> {
    for (const field of unknown)
      if (this.unknown.has(field) || this.unknown.size < MOST_UNKNOWN)
        this.unknown.set(field, (this.unknown.get(field) ?? 0) + 1);
    // Rows that wait for their columns must come first, because one record may remove what another one added.
    return this.hasObjects ? this.readRows(this.objects.end()) : [];
  }

  /**
   * Returns the remaining items after the last batch. Errors: `invalid_arguments` if a column map is given for records that already have the
   * record format.
   */
  async end(): Promise<ImportRecordOrProblem[]> {
    const items = await this.readRows(this.objects.end());
    const { name, map, onUnknown } = this.options;
    if (this.opened.format === 'jsonl' && map !== undefined && !this.hasObjects)
      throw new BonafideError(
        'invalid_arguments',
        `${name}: --map does not apply, because the file already has the fields of the import format, such as record_id. Leave --map out. If other files need it, import them separately.`,
      );
    if (this.unknown.size > 0) onUnknown?.(toShownCounts(this.unknown));
    return items;
  }

  private async readRows(rows: TableRow[]): Promise<ImportRecordOrProblem[]> {
    return (await this.planned(rows)).map((row) => createItemFromRow(row, this.settings));
  }

  /** Calls `onPlan` with the column plan when the columns are known, and returns the rows unchanged. */
  private async planned(rows: TableRow[]): Promise<TableRow[]> {
    const { plan } = this;
    this.plan = null;
    if (plan !== null) await this.options.onPlan?.(plan);
    return rows;
  }
}

/** Maximum length of the name of an unknown field that is shown. */
const MOST_SHOWN_NAME = 60;

/**
 * Converts counts of unknown fields for output. A field name is shown if it consists of header words, is a misspelled known field or occurs in several
 * records. Other names may be personal data, such as an e-mail; they are counted together.
 */
function toShownCounts(counts: ReadonlyMap<string, number>): UnknownFieldCount[] {
  let hidden = 0;
  const shown = [...counts].flatMap(([field, records]): UnknownFieldCount[] => {
    if (isSafeFieldName(field) && (records > 2 || isFieldNameShown(field)))
      return [{ field: toPlainText(field), records, nearest: findNearestRecordField(field) ?? null }];
    hidden += records;
    return [];
  });
  return hidden > 0 ? [...shown, { field: null, records: hidden, nearest: null }] : shown;
}

const isSafeFieldName = (name: string) => name.length <= MOST_SHOWN_NAME && !/[@\s]|\d{4}/.test(name);

/** Returns the default source of records from a file: `-` → `stdin`, `/data/crm.csv.gz` → `crm`. */
export function getSourceFromFileName(name: string): string {
  const ending = /(?:\.(?:jsonl|ndjson|jsonlines|json|csv|tsv|tab|txt|xlsx|vcf|parquet))?(?:\.gz|\.zst)?$/i;
  return name === '-' ? 'stdin' : basename(name).replace(ending, '') || 'import';
}
