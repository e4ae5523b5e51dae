// Limits of input files of all formats, in one place. They limit memory and time, whatever a file contains.

const MIB = 1024 * 1024;

/** Limits of input files. The table in `data/docs/importing.md` lists them. */
export const INPUT_BOUNDS = {
  /** Bytes of a line, and of a record that has several lines: a row, a card, an object, a row of a workbook or Parquet file. */
  recordBytes: MIB,
  /** Lines of one CSV row: after a stray quote, only this number of lines is searched for its end. */
  rowLines: 1000,
  /** First lines of a CSV file among which the header is searched, below a title. */
  headerLines: 15,
  /** Lines of one vCard that are read. Pictures are not read, and do not count. */
  cardLines: 5000,
  /** Columns of a table; also the different fields in a file of objects of another program. */
  columns: 1000,
  /** Characters of the name of a property; a property with a longer name is not read. */
  fieldName: 1000,
  /** Columns of a workbook that are read, as in Excel. */
  workbookColumns: 16_384,
  /** Levels of lists and objects in a JSON record, and of elements in a workbook. */
  nesting: 64,
  /** Bytes of a file that is read from its end, and therefore kept in memory: a workbook or Parquet file. */
  wholeFileBytes: 256 * MIB,
  /** Maximum factor by which a file may expand. A file that expands to `alwaysExpandedBytes` or less may have any factor. */
  expansion: 250,
  alwaysExpandedBytes: 64 * MIB,
  /** Characters of the shared texts of a workbook, to which its cells refer. */
  sharedTexts: 128 * MIB,
  /** Files in a workbook, which is a zip archive. */
  zipEntries: 10_000,
  /** Rows, and their characters, that wait in memory for a date that shows the order of day and month. */
  waitingRows: 50_000,
  waitingLength: 16 * MIB,
  /** Limits of a Parquet file: bytes of a page, and bytes, rows and cells of a group of rows, which is decoded at once. */
  pageBytes: 64 * MIB,
  groupBytes: 512 * MIB,
  groupRows: 2_000_000,
  groupCells: 20_000_000,
  /** Values that one column of a Parquet file has for a row, on average over a group. */
  valuesPerRow: 100,
  /**
   * Memory of the thread that reads a Parquet file, in addition to the file, and its time for one group of rows. The limits are lower for a
   * small file.
   */
  parquetMemory: 1024 * MIB,
  parquetSeconds: 30,
} as const;

/** True if `written` bytes or characters are more than a file of `read` bytes may expand to. */
export const isExpandedTooFar = (written: number, read: number): boolean =>
  written > INPUT_BOUNDS.alwaysExpandedBytes && written > INPUT_BOUNDS.expansion * read;

/** True if lists and objects of a JSON text are nested deeper than any record. Works without recursion; the text may be invalid JSON. */
export function isNestedTooDeep(text: string): boolean {
  if (!hasManyBrackets(text)) return false;
  let [depth, isString] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (isString && sign === '\\') i++;
    else if (sign === '"') isString = !isString;
    else if (isString) continue;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > INPUT_BOUNDS.nesting) return true;
  }
  return false;
}

/** True if a text has many brackets. Nearly all records have too few for deep nesting, and need no examination by character. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > INPUT_BOUNDS.nesting) return true;
  return false;
}
