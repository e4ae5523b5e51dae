// Settings of an import: the same object goes from the command or route down to the reader of a single value.
import type { DateOrder } from './columns/dates.ts';

/** Settings that decide how records are read. */
export interface RecordReadSettings {
  /** ISO country in which phone numbers and addresses without a country are read; `US` by default. */
  region?: string | undefined;
  /** Source of all records. Without it, a record that names no source gets the base name of its file. */
  source?: string | undefined;
  /** Fields of table columns by their headers, where the guess is wrong: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  /** Name of the encoding of all inputs. Without it, the encoding of each input is detected. */
  encoding?: string | undefined;
  /** Name of the sheet that is read of a workbook; the first visible one by default. */
  sheet?: string | undefined;
  /** Order of day, month and year in dates that consist of numbers. By default, the values of each column show it. */
  dates?: DateOrder | undefined;
  /** True if rows of companies, guests and tests become records like others. */
  keepCompanies?: boolean | undefined;
  /** Current time in milliseconds since 1970: later dates are left out. Without it, no date is left out for that. */
  now?: number | undefined;
}

/** Settings for reading one table. */
export interface InputReadSettings extends RecordReadSettings {
  /**
   * Path of the input, or `-` for stdin. Errors name it; its extension determines the format, its base name
   * the default source.
   */
  name: string;
  /** Returns the record id of a record that has none, made from the record's content. Without it, such records are rejected. */
  makeId?: ((content: string) => string) | undefined;
  /** True if a table is read although no column is known: each of its rows is rejected. */
  mayBeUnknown?: boolean | undefined;
}

/** Settings for reading one table. */
export interface TableReadSettings extends InputReadSettings {
  /** Headers, in lower case, of columns whose cells are returned unchanged. Rows of a table with labels need no record id. */
  labels?: readonly string[];
  /** Number of rows that are read before the columns are chosen; 0 by default. */
  sampled?: number;
  /** True if rows without any value below the header are returned too. */
  empty?: boolean;
}
