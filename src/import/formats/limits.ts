// Limits of input files of all formats, in one place. They limit memory and time, whatever a file contains.
import { BonafideError } from '../../errors.ts';

const MIB = 1024 * 1024;

/** Limits of input files. The table in `data/docs/importing.md` lists them. */
export const INPUT_LIMITS = {
  /** Maximum size in bytes of a line, and of a record with several lines: a CSV row, a card, an object, a row of a workbook or Parquet file. */
  recordBytes: MIB,
  /** Maximum number of lines of one CSV row. After a stray quote, only these lines are searched for the end of the cell. */
  rowLines: 1000,
  /** Number of first lines of a CSV file that are searched for the header, which may be below a title. */
  headerLines: 15,
  /** Maximum number of lines of one vCard. Lines of pictures do not count. */
  cardLines: 5000,
  /** Maximum number of columns of a table, and of different fields in a file of objects. */
  columns: 1000,
  /** Maximum length in characters of a cell with names, contacts or other values of a person. Cells of unused columns may be longer. */
  cellLength: 10_000,
  /** Maximum number of names, e-mails, phones or addresses of a record. */
  values: 100,
  /** Maximum length in characters of a property name. Properties with longer names are ignored. */
  fieldName: 1000,
  /** Maximum number of sheets of a workbook, hidden sheets included. */
  sheets: 1000,
  /** Maximum nesting depth of lists and objects in a JSON record, and of elements in a workbook. */
  nesting: 64,
  /** Maximum size in bytes of a workbook or Parquet file. Such a file is kept in memory, because reading starts at its end. */
  wholeFileBytes: 256 * MIB,
  /** Maximum ratio of the decompressed size to the size of the file. It is not applied up to `alwaysExpandedBytes` decompressed bytes. */
  expansion: 250,
  alwaysExpandedBytes: 64 * MIB,
  /** Replaces `alwaysExpandedBytes` for a file in a workbook and for the rows of a sheet, which take far longer to read than to decompress. */
  workbookExpandedBytes: 4 * MIB,
  /** Maximum number of characters in the shared texts of a workbook, to which its cells refer. */
  sharedTexts: 128 * MIB,
  /** Maximum number of files in a workbook, which is a zip archive. */
  zipEntries: 10_000,
  /** Maximum number of rejected rows before the first record of an input. Such an input probably has no records, and reading it can take minutes. */
  rejectedRows: 1_000_000,
  /** Maximum number of rows, and of their characters, that are kept in memory until a date shows the order of day and month. */
  waitingRows: 50_000,
  waitingLength: 16 * MIB,
  /** Maximum sizes in a Parquet file: bytes of a page, and bytes, rows and cells of a row group, which is decoded at once. */
  pageBytes: 64 * MIB,
  groupBytes: 512 * MIB,
  groupRows: 2_000_000,
  groupCells: 20_000_000,
  /** Maximum number of cells in a row group of a Parquet file, for each byte of the file. It is not applied up to a million cells. */
  cellsPerByte: 16,
  /** Maximum number of values per row in one column of a Parquet file, on average over a row group. */
  valuesPerRow: 100,
  /**
   * Maximum memory of the thread that reads a Parquet file, in addition to the file, and its maximum time for one row group. Small files have
   * lower limits.
   */
  parquetMemory: 1024 * MIB,
  parquetSeconds: 30,
} as const;

/** Creates the error for a file that exceeds a limit. `problem` is a clause without its subject, such as "has more than 1000 columns". */
export const createExceededLimitError = (problem: string) => new BonafideError('unreadable_file', problem);

/** True if `written` decompressed bytes or characters are too many for a file of `read` bytes. `always` of them are never too many. */
export const isDecompressedSizeTooLarge = (
  written: number,
  read: number,
  always: number = INPUT_LIMITS.alwaysExpandedBytes,
): boolean => written > always && written > INPUT_LIMITS.expansion * read;

/** True if lists and objects in a JSON text are nested deeper than allowed. Uses no recursion, and accepts invalid JSON. */
export function isJsonNestedTooDeep(text: string): boolean {
  if (!hasManyBrackets(text)) return false;
  let [depth, isString] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (isString && sign === '\\') i++;
    else if (sign === '"') isString = !isString;
    else if (isString) continue;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > INPUT_LIMITS.nesting) return true;
  }
  return false;
}

/** True if a text has many brackets. Most records have too few for deep nesting, so that the exact test is not necessary. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > INPUT_LIMITS.nesting) return true;
  return false;
}
