// Settings of an import. The same object is passed from the command or route down to the reader of a single
// value.
import type { DateOrder } from './columns/dates.ts';

export interface RecordReadSettings {
  /** ISO country for phone numbers and addresses without a country. Default: `US`. */
  region?: string | undefined;
  /** Source of all records. By default, a record that names no source gets the base name of its file. */
  source?: string | undefined;
  /** Column map that corrects wrong guesses, with the header of each field: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  encoding?: string | undefined;
  /** Name of the workbook sheet to read. Default: the first visible sheet. */
  sheet?: string | undefined;
  /** Order of day, month and year in dates that consist of numbers. By default, it is detected from the values of each column. */
  dates?: DateOrder | undefined;
  /** True if rows of companies, guests and tests become records like all others. */
  keepCompanies?: boolean | undefined;
  /** Current time in milliseconds since 1970. Later dates are ignored. If it is missing, future dates are accepted. */
  now?: number | undefined;
}

export interface InputReadSettings extends RecordReadSettings {
  /** Path of the input, or `-` for stdin, for error messages. The extension determines the format, the base name the default source. */
  name: string;
  /** Computes the id of a record that has none, from its content. Without this function, such records are rejected. */
  makeId?: ((content: string) => string) | undefined;
  /** True if a table without any recognised column may be read. Each of its rows is then rejected. */
  mayBeUnknown?: boolean | undefined;
}

/** Number of first rows whose values are used to correct column guesses, wherever a table of people is read. */
export const SAMPLED_ROW_COUNT = 200;

/** Sheets of a workbook. */
export interface WorkbookSheets {
  /** Name of the sheet that is read. Null for other files, and before the first line is read. */
  sheet: string | null;
  /** Names of the other visible sheets with content. */
  otherSheets: string[];
  /** The sheet of `otherSheets` with the most cells in a row, and their number; null if there is none. */
  widestSheet: { name: string; columns: number } | null;
}

/** Settings for reading one table, in addition to those of all inputs. */
export interface TableReadSettings extends InputReadSettings {
  /** Lower-case headers of columns whose cells are returned unchanged. If there are such columns, rows need no record id. */
  labels?: readonly string[];
  /** Number of rows that are read before the columns are chosen. Default: 0. */
  sampled?: number;
  empty?: boolean;
  /** Sheets of the workbook that the table is in, for advice in errors. */
  sheets?: WorkbookSheets | undefined;
}
