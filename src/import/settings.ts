// Settings of an import. The same object is passed from the command or route down to the reader of a single
// value.
import type { DateOrder } from './columns/dates.ts';

export interface RecordReadSettings {
  /** ISO country of phone numbers and addresses that name none; `US` by default. */
  region?: string | undefined;
  /** Source of all records. Without it, a record without a source gets the base name of its file. */
  source?: string | undefined;
  /** Column map for headers whose guess is wrong, with a header for each field: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  encoding?: string | undefined;
  /** Name of the sheet to read from a workbook; the first visible one by default. */
  sheet?: string | undefined;
  /** Order of day, month and year in dates that consist of numbers. By default, the values of each column show it. */
  dates?: DateOrder | undefined;
  /** True if rows of companies, guests and tests become records like others. */
  keepCompanies?: boolean | undefined;
  /** Current time in milliseconds since 1970. Later dates are left out; without it, no date is checked. */
  now?: number | undefined;
}

export interface InputReadSettings extends RecordReadSettings {
  /** Path of the input, or `-` for stdin. It occurs in errors; its extension determines the format, its base name the default source. */
  name: string;
  /** Computes the record id of a record without one from its content. Without this function, such records are rejected. */
  makeId?: ((content: string) => string) | undefined;
  /** True if a table may be read although no column is recognised; then each of its rows is rejected. */
  mayBeUnknown?: boolean | undefined;
}

/** Number of first rows whose values correct what the headers suggest, wherever a table of people is read. */
export const SAMPLED_ROWS = 200;

/** Settings for reading one table, in addition to those of any input. */
export interface TableReadSettings extends InputReadSettings {
  /** Headers, in lower case, of columns whose cells are returned unchanged. Rows of a table with labels need no record id. */
  labels?: readonly string[];
  /** Number of rows that are read before the columns are chosen; 0 by default. */
  sampled?: number;
  empty?: boolean;
}
