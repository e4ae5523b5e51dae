// Plan of a table: the recognised field of each column, in a form for output.
import { decodeHtmlEntities, maskValue } from '../columns/cells.ts';
import { isHeaderOfOtherPersonOrThing, splitHeaderIntoWords } from '../columns/by-words.ts';
import { guessColumn } from '../columns/guess.ts';
import type { TableColumn, ColumnField } from '../columns/headers.ts';
import { hideHeadersThatMayBeData, shortenHeaderForOutput, formatColumnMap } from '../columns/map.ts';
import { isNameOfOtherPerson } from '../columns/names/people-in-row.ts';
import { areDates, arePersonNames } from '../columns/values.ts';
import {
  anyHeaderWordHasMeaning,
  isColumnGroupOfRelative,
  isColumnGroupOfRelativeOrGuarantor,
} from '../columns/words.ts';

interface PlannedColumn {
  header: string;
  /** Field of the column; null if the column is not used. */
  field: ColumnField | null;
  /** Group of the column: columns of one group belong together, for example those of one of several addresses. Empty without a group. */
  group: string;
  /** True if the field was guessed from the cells alone, because the header does not show it. */
  guessed: boolean;
  /** Masked values from the first rows, at most three. */
  examples: string[];
}

export interface ColumnMappingReport {
  input: string;
  columns: PlannedColumn[];
  /** Number of rows by source, among the first rows of the table; null if no column contains the source. */
  sources: { source: string; rows: number }[] | null;
  /** Headers of unused columns with names of people, in a table whose e-mails and phones are those of another person. */
  unusedNames: string[];
  /** Headers of unused columns with dates. */
  unusedDates: string[];
  /** Number of further unused columns. Their headers are not listed, because they may be values. */
  more: number;
  /** Columns in the format of the option `--map`. */
  map: string;
  /** Sentence about the sheet or encoding that was read. Empty for a plain UTF-8 file. */
  note: string;
}

interface PlannedTable {
  headers: string[];
  columns: (TableColumn | null)[];
  samples: readonly (readonly string[])[];
  more?: number;
  /** Headers for output, if the caller knows that they are not values. */
  shown?: string[];
  note?: string;
}

const MOST_EXAMPLES = 3;

export function createColumnMappingReport(
  input: string,
  { headers, columns, samples, shown, more = 0, note = '' }: PlannedTable,
): ColumnMappingReport {
  const fields = columns.map((column) => column?.field ?? null);
  const planned = (shown ?? hideHeadersThatMayBeData(headers, fields)).map((header, i) => ({
    header: shortenHeaderForOutput(header),
    field: fields[i] ?? null,
    group: shortenHeaderForOutput(columns[i]?.group ?? ''),
    guessed: columns[i]?.isGuess === true,
    examples: examplesOf(samples, i),
  }));
  const sources = countSources(columns, samples);
  const unusedNames = planned.filter((_, i) => isUnusedName({ headers, columns, samples }, i));
  return {
    input,
    columns: planned,
    sources,
    unusedNames: unusedNames.map(({ header }) => header),
    unusedDates: planned
      .filter((_, i) => isUnusedDate({ headers, columns, samples }, i))
      .map(({ header }) => header),
    more,
    map: formatColumnMap(headers, columns),
    note,
  };
}

/** True for an unused column with dates that are no birthdays, and not those of a relative. */
const isUnusedDate = ({ headers, columns, samples }: PlannedTable, index: number): boolean =>
  !columns[index] &&
  !anyHeaderWordHasMeaning(splitHeaderIntoWords(headers[index] ?? ''), 'birth', 'relative') &&
  areDates(samples.map((row) => row[index] ?? ''));

/** True for an unused column with names of people, or of relatives of the row's person, in a table with contacts of the row's person. */
function isUnusedName({ headers, columns, samples }: PlannedTable, index: number): boolean {
  const isContact = (column: TableColumn | null) =>
    (column?.field === 'email' || column?.field === 'phone') &&
    !isColumnGroupOfRelativeOrGuarantor(column.group);
  if (isNameOfOtherPerson(columns[index] ?? null)) return true;
  if (columns[index] || !columns.some(isContact)) return false;
  const [header, values] = [headers[index] ?? '', samples.map((row) => row[index] ?? '')];
  const { field, group = '' } = guessColumn(header) ?? {};
  // `Parent Customer` is a company.
  const isCustomer = anyHeaderWordHasMeaning(splitHeaderIntoWords(header), 'people');
  return field === 'name' && isColumnGroupOfRelative(group) && !isCustomer
    ? values.some((value) => /\p{L}\p{L}/u.test(value))
    : !isHeaderOfOtherPersonOrThing(header) && arePersonNames(values);
}

function countSources(
  columns: (TableColumn | null)[],
  samples: readonly (readonly string[])[],
): ColumnMappingReport['sources'] {
  const index = columns.findIndex((column) => column?.field === 'source');
  if (index < 0) return null;
  const named = samples.map((row) => row[index]?.trim() ?? '').filter((source) => source !== '');
  const rows = Map.groupBy(named, (source) => source);
  return Array.from(rows, ([source, { length }]) => ({ source, rows: length }));
}

function examplesOf(samples: readonly (readonly string[])[], index: number): string[] {
  const examples = new Set<string>();
  for (const row of samples) {
    const value = row[index]?.trim() ?? '';
    if (value !== '') examples.add(maskValue(decodeHtmlEntities(value)));
    if (examples.size === MOST_EXAMPLES) break;
  }
  return [...examples];
}
