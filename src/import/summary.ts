// Progress and summary of an import, and the file of rejected records and values.
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import { type ColumnField, NAME_FIELDS } from './columns/headers.ts';
import type { NonPersonKind } from './columns/persons.ts';
import { describeInputForm, type InputForm } from './input/input.ts';
import type { UnknownFieldCount } from './read.ts';
import type { RecordStatistics } from './statistics.ts';

export interface ImportProgress {
  phase: 'reading' | 'linking' | 'publishing';
  records: number;
  /** Share (0-1) of the phase that is done; null if the size of the input is unknown. */
  done: number | null;
}

/** Fields of the columns of one table; null for a column that is not used. */
export interface InputColumns {
  input: string;
  columns: { header: string; field: ColumnField | null }[];
}

/** Number of times that one reason occurred, and the first lines with it. */
export interface ReasonCount {
  count: number;
  /** True if the reason rejects whole records, false if it rejects single values. */
  whole: boolean;
  lines: { input: string; line: number }[];
}

export interface ImportReadSummary {
  read: number;
  rejected: number;
  learnt: RecordStatistics;
  /** Number of rows that also name a second person, whose name and contacts are left out. */
  others: number;
  aside: Record<NonPersonKind, number>;
  dropped: number;
  /** Number of records by source; limited to a hundred sources. */
  sources: Map<string, number>;
  /** Counts by reason. A reason does not contain the index of a value in its list. */
  reasons: Map<string, ReasonCount>;
  /** Fields of each input that the record format does not have: their names, and the number of records with each. */
  unknown: { input: string; fields: string[]; counts: UnknownFieldCount[] }[];
  forms: { input: string; form: InputForm }[];
  columns: InputColumns[];
}

/** Returns a sentence about the sheets of a workbook that were not read; nothing if there are none. */
function describeUnreadSheets({ input, form }: ImportReadSummary['forms'][number]): string[] {
  return form.otherSheets.length > 0 ? [`${input}: ${describeInputForm(form)}`] : [];
}

const MOST_FIELDS_SHOWN = 12;

/** Returns a sentence about the unused fields of one input, which the record format does not have. */
function describeUnknownFields({ input, counts }: ImportReadSummary['unknown'][number]): string {
  const texts = counts.map(({ field, records, nearest }) => {
    const meant = nearest === null ? '' : `, did you mean ${nearest}?`;
    return `${field ?? 'others'} (${records} ${records === 1 ? 'record' : 'records'}${meant})`;
  });
  const more = texts.length > MOST_FIELDS_SHOWN ? ' …' : '';
  return `${input}: unknown fields, which are not used: ${texts.slice(0, MOST_FIELDS_SHOWN).join(', ')}${more}`;
}

/** Share of records without a name from which an import needs confirmation. */
const MOST_NAMELESS = 0.9;

/** True if hardly any record of an import has a name, or a table has no column of names. Checks by name would not find these people. */
export const doesImportLackNames = ({
  read,
  learnt,
  columns,
}: Pick<ImportReadSummary, 'read' | 'learnt' | 'columns'>): boolean =>
  learnt.nameless > 0 &&
  (learnt.nameless >= read * MOST_NAMELESS || columns.some((table) => !hasNameColumn(table.columns)));

export const hasNameColumn = (columns: readonly { field: ColumnField | null }[]): boolean =>
  columns.some(({ field }) => field !== null && NAME_FIELDS.has(field));

/**
 * Returns sentences about possible mistakes in the records of an import, although the records can be used.
 *
 * @param region ISO code of the default country
 */
export function describeImportDoubts(
  summary: Pick<ImportReadSummary, 'read' | 'learnt' | 'columns' | 'unknown' | 'forms'>,
  region: string,
): string[] {
  const { learnt, read } = summary;
  const orders = Object.entries(learnt.againstOrder).map(([key, count]) => {
    const [field = '', order = ''] = key.split(' ');
    return `${count} of the dates in ${field} ${count === 1 ? 'is' : 'are'} impossible in the order ${order}, which the others are read in: check the order (dmy or mdy)`;
  });
  const ofOneCountry = Object.entries(countNumbersOfOneCountry(learnt, region));
  const elsewhere = ofOneCountry.map(
    ([country, count]) =>
      `doubtful: ${count} of these numbers ${count === 1 ? 'is' : 'are'} not valid in ${region} but in ${country}, a country of other records`,
  );
  const others = sumOf(Object.values(learnt.validElsewhere)) - sumOf(ofOneCountry.map(([, count]) => count));
  return [
    ...(doesImportLackNames(summary)
      ? [`${learnt.nameless} of ${read} records have no name: a check by name will not find these people`]
      : []),
    ...(learnt.deletions > 0
      ? [`marked as deleted, so that they are not on record: ${learnt.deletions} of ${read} records`]
      : []),
    ...summary.forms.flatMap(describeUnreadSheets),
    ...summary.unknown.map(describeUnknownFields),
    ...orders,
    ...(learnt.regionPhones > 0
      ? [
          `phones of records without a country, read as numbers of ${region} (the default region): ${learnt.regionPhones}`,
        ]
      : []),
    ...elsewhere,
    ...(others > 0
      ? [
          `doubtful: ${others} of these numbers ${others === 1 ? 'is' : 'are'} not valid in ${region}: set the country of the file with --region`,
        ]
      : []),
  ];
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Returns the number of phones that are invalid in the default country and valid in exactly one other country, by that country. */
function countNumbersOfOneCountry(
  { countries, rowCountries, validElsewhere }: RecordStatistics,
  region: string,
): Record<string, number> {
  const present = new Set([...Object.keys(countries), ...Object.keys(rowCountries)]);
  const counts: Record<string, number> = {};
  for (const [key, count] of Object.entries(validElsewhere)) {
    const [country, ...others] = key.split(' ').filter((code) => code !== region && present.has(code));
    if (country !== undefined && others.length === 0) counts[country] = (counts[country] ?? 0) + count;
  }
  return counts;
}

export interface AppliedRecordCounts {
  added: number;
  replaced: number;
  removed: number;
  /** Number of records left out because they are on the suppression list. */
  barred: number;
  /** Number of imported records with an e-mail or phone of a person on the suppression list, under another name. */
  alike: number;
}

export interface SharedIdCounts {
  /** Number of rows that were merged into the record of an earlier row. */
  merged: number;
  /** Number of ids that several people share. Each of these people has a separate record. */
  shared: number;
}

export interface ImportSummary extends ImportReadSummary, AppliedRecordCounts {
  same: SharedIdCounts;
  /** Number of records that `replace` left unchanged because their new values could not be used. */
  stayed: number;
  identities: number;
  records: number;
  rejectsFile: string | null;
  firstRejects: RejectedItem[];
  seconds: { reading: number; linking: number };
}

/** A record or value that an import could not use: its location and the reason, without the value. */
export interface RejectedItem {
  input: string;
  line: number;
  recordId: string | null;
  reason: string;
  /** True if the whole record was rejected, false if only one value of a used record was. */
  whole: boolean;
}

export interface RejectedItemWriter {
  add(reject: RejectedItem): void;
  /** Returns the path of the file; null if nothing was written. */
  file(): string | null;
  first(): RejectedItem[];
  end(): void;
}

const FIRST = 5;

/**
 * Writes rejects as JSON Lines to a file (mode 0600), which the first reject creates. Writes are synchronous: a stream would queue them in
 * memory without limit, and would report a missing folder too late.
 *
 * Errors of `add`: `disk_full`, `read_only`.
 */
export function openRejectedItemWriter(path: string | undefined): RejectedItemWriter {
  let open: number | null = null;
  let isCreated = false;
  const first: RejectedItem[] = [];
  return {
    first: () => first,
    add(reject) {
      if (first.length < FIRST) first.push(reject);
      if (path === undefined) return;
      const { input, line, recordId, whole, reason } = reject;
      try {
        open ??= openPrivately(path, isCreated ? 'a' : 'w');
        isCreated = true;
        writeSync(open, `${JSON.stringify({ input, line, record_id: recordId, whole, reason })}\n`);
      } catch (error) {
        throw toWriteError(path, error);
      }
    },
    file: () => (isCreated && path !== undefined ? path : null),
    end() {
      if (open !== null) closeSync(open);
      open = null;
    },
  };
}

/** Opens a file with mode 0600; an existing file gets this mode too. */
function openPrivately(path: string, flags: 'a' | 'w'): number {
  const open = openSync(path, flags, 0o600);
  if (fstatSync(open).isFile()) fchmodSync(open, 0o600);
  return open;
}

const toWriteError = (path: string, error: unknown): BonafideError =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? new BonafideError('disk_full', `The disk of ${path} is full. Free some space and run this again.`)
    : new BonafideError('read_only', `Cannot write rejects to ${path}. Choose another file with --rejects.`);
