// Progress and summary of an import, and the file of rejected records and values.
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { BonafideError } from '../errors.ts';
import { type ColumnField, NAME_FIELDS } from './columns/headers.ts';
import type { NonPersonReason } from './columns/persons.ts';
import { describeDetectedInputFormat, type DetectedInputFormat } from './input/input.ts';
import type { UnknownFieldCount } from './read.ts';
import type { RecordStatistics } from './statistics.ts';

export interface ImportProgress {
  phase: 'reading' | 'linking' | 'publishing';
  records: number;
  /** Finished share (0-1) of the phase; null if the size of the input is unknown. */
  done: number | null;
}

/** Columns of one table: header, field and group. A field is null if the column is not used. For `unusedNames` and `unusedDates` see `ColumnMappingReport`. */
interface InputColumns {
  input: string;
  columns: { header: string; field: ColumnField | null; group?: string }[];
  unusedNames: string[];
  unusedDates: string[];
}

/** Number of items with a property, such as a reject reason, and the lines of the first ones. */
export interface CountWithExampleLines {
  count: number;
  lines: { input: string; line: number }[];
}

export interface RejectReasonCount extends CountWithExampleLines {
  /** True if the reason rejects a whole record, false if it rejects a single value. */
  whole: boolean;
}

export interface ImportReadSummary {
  read: number;
  rejected: number;
  learnt: RecordStatistics;
  /** Number of rows that also name a second person. Name and contacts of this person are left out. */
  others: number;
  aside: Record<NonPersonReason, CountWithExampleLines>;
  dropped: number;
  /** Number of records by source, for at most 100 sources. */
  sources: Map<string, number>;
  /** Counts by reason. Reasons that differ only in the index of the value in its list are counted together. */
  reasons: Map<string, RejectReasonCount>;
  /** Unknown fields of each input: their names, and the number of records with each. */
  unknown: { input: string; fields: string[]; counts: UnknownFieldCount[] }[];
  forms: { input: string; form: DetectedInputFormat }[];
  columns: InputColumns[];
}

/** Describes the workbook sheets that were not read. Returns an empty list if there are none. */
function describeUnreadSheets({ input, form }: ImportReadSummary['forms'][number]): string[] {
  return form.otherSheets.length > 0 ? [`${input}: ${describeDetectedInputFormat(form)}`] : [];
}

const MOST_FIELDS_SHOWN = 12;

/** Describes the fields of one input that are not in the record format and were not used. */
function describeUnknownFields({ input, counts }: ImportReadSummary['unknown'][number]): string {
  const texts = counts.map(({ field, records, nearest }) => {
    const meant = nearest === null ? '' : `, did you mean ${nearest}?`;
    return `${field ?? 'fields whose names may be personal data'} (${records} ${records === 1 ? 'record' : 'records'}${meant})`;
  });
  const more = texts.length > MOST_FIELDS_SHOWN ? ' …' : '';
  return `${input}: unknown fields, which are not used: ${texts.slice(0, MOST_FIELDS_SHOWN).join(', ')}${more}`;
}

/** Minimum share (0-1) of records without a name with which an import needs confirmation. */
const MOST_NAMELESS = 0.9;

/** True if nearly all records of an import have no name, or a table has no name column. Check calls by name would not find these people. */
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
 * Returns sentences about a table that has a column for only one of the two parts of a name, or several columns for one part, or whose columns with
 * names are not used.
 */
export function describeMissingNames({ input, columns, unusedNames }: InputColumns): string[] {
  const has = (part: ColumnField) => columns.some(({ field }) => field === part);
  const isWhole = has('name') || has('given') === has('family');
  return [
    ...(isWhole
      ? []
      : [
          `${input}: no column holds ${has('given') ? 'family' : 'given'} names, so the names are incomplete`,
        ]),
    ...(['given', 'family'] as const).flatMap((part) => {
      const [first, ...others] = columns.filter(({ field, group = '' }) => field === part && group === '');
      const names = others.map(({ header }) => header).join(', ');
      const both =
        part === 'family'
          ? `family=${first?.header},family=${others[0]?.header}`
          : `given=${first?.header},middle=${others[0]?.header}`;
      return others.length === 0
        ? []
        : [
            `${input}: ${first?.header} and ${names} are ${part} names: each row uses the first that is not empty. If one name consists of both, map them: ${both}`,
          ];
    }),
    ...(unusedNames.length === 0
      ? []
      : [
          `${input}: the names in ${unusedNames.join(', ')} are not used. If a column has their e-mails or phones, map both, for example name.parent1=${unusedNames[0]},phone.parent1=PHONES`,
        ]),
  ];
}

/**
 * Describes possible mistakes in usable records, such as a wrong default country.
 *
 * @param region ISO code of the default country
 */
export function describeImportWarnings(
  summary: Pick<ImportReadSummary, 'read' | 'learnt' | 'columns' | 'unknown' | 'forms'>,
  region: string,
): string[] {
  const { learnt, read } = summary;
  const orders = Object.entries(learnt.againstOrder).map(([key, count]) => {
    const [field = '', order = ''] = key.split(' ');
    return `${count} of the dates in ${field} ${count === 1 ? 'is' : 'are'} impossible in the order ${order}, in which the other dates are read: check the order of day and month`;
  });
  const ofOneCountry = Object.entries(countNumbersOfOneCountry(learnt, region));
  const elsewhere = ofOneCountry.map(
    ([country, count]) =>
      `doubtful: ${count} of these numbers ${count === 1 ? 'is' : 'are'} invalid in ${region} but valid in ${country}, the country of other records`,
  );
  const others = sumOf(Object.values(learnt.validElsewhere)) - sumOf(ofOneCountry.map(([, count]) => count));
  return [
    ...(doesImportLackNames(summary)
      ? [`${learnt.nameless} of ${read} records have no name: a check by name will not find these people`]
      : []),
    ...summary.columns.flatMap(describeMissingNames),
    ...(learnt.deletions > 0
      ? [`marked as deleted, and therefore not stored: ${learnt.deletions} of ${read} records`]
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
          `doubtful: ${others} of these numbers ${others === 1 ? 'is' : 'are'} invalid in ${region}: set the country of the file with --region`,
        ]
      : []),
  ];
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Counts phones that are invalid in the default country and valid in exactly one country of other records. The keys are these countries. */
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

interface AppliedRecordCounts {
  added: number;
  replaced: number;
  removed: number;
  /** Number of records that were left out because they are on the suppression list (of forgotten people). */
  barred: number;
  /** Number of imported records that share an e-mail or phone with a person on the suppression list, but have another name. */
  alike: number;
}

export interface SharedIdCounts {
  /** Number of rows that were merged into the record of an earlier row. */
  merged: number;
  /** Number of ids that several people share. Each of these people has a separate record. */
  shared: number;
}

/** Records of a source before an import with `replace`, and how many of them the import removes. */
export interface RemovalOfRecords {
  source: string;
  removed: number;
  present: number;
}

export interface ImportSummary extends ImportReadSummary, AppliedRecordCounts {
  same: SharedIdCounts;
  /** Number of records that an import with `replace` left unchanged, because their new versions were rejected. */
  stayed: number;
  /** Records of the source that an import with `replace` removed, or would remove; null for other imports. */
  replacing: RemovalOfRecords | null;
  identities: number;
  records: number;
  rejectsFile: string | null;
  firstRejects: RejectedRecordOrValue[];
  seconds: { reading: number; linking: number };
}

/** Record or value that an import could not use: its location and the reason, without the value itself. */
export interface RejectedRecordOrValue {
  input: string;
  line: number;
  recordId: string | null;
  reason: string;
  /** True if the whole record was rejected. False if only one value of a record was left out. */
  whole: boolean;
  /** True if the row is not about a person, which is no fault of the file. */
  isLeftOut?: boolean;
}

export interface RejectsFileWriter {
  add(reject: RejectedRecordOrValue): void;
  /** Returns the path of the rejects file; null if nothing was written. */
  file(): string | null;
  first(): RejectedRecordOrValue[];
  end(): void;
}

const FIRST = 5;

/**
 * Opens a writer for rejected items; without a path it writes nothing. The first item creates the file (JSON Lines, mode 0600). Writes are
 * synchronous, because a stream would queue items without limit. Errors of `add`: `disk_full`, `read_only`.
 */
export function openRejectsFileWriter(path: string | undefined): RejectsFileWriter {
  let open: number | null = null;
  let isCreated = false;
  const first: RejectedRecordOrValue[] = [];
  return {
    first: () => first,
    add(reject) {
      if (first.length < FIRST && !reject.isLeftOut) first.push(reject);
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

/** Opens a file with mode 0600. An existing file also gets this mode. */
function openPrivately(path: string, flags: 'a' | 'w'): number {
  const open = openSync(path, flags, 0o600);
  if (fstatSync(open).isFile()) fchmodSync(open, 0o600);
  return open;
}

const toWriteError = (path: string, error: unknown): BonafideError =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? new BonafideError('disk_full', `The disk of ${path} is full. Free some space and run this again.`)
    : new BonafideError('read_only', `Cannot write rejects to ${path}. Choose another file with --rejects.`);
