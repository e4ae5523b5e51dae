// The user's map of columns (`--map`), and headers in the form for output.
import { BonafideError } from '../../errors.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import { toAsciiWords } from '../../normalise/identifier.ts';
import { foldToAscii } from '../../normalise/text.ts';
import { hasOnlyKnownHeaderWords } from './by-words.ts';
import { toPlainText } from './cells.ts';
import { guessColumn } from './guess.ts';
import {
  type TableColumn,
  COLUMN_FIELDS,
  type ColumnField,
  SECOND_FAMILY_NAME_COLUMN_GROUP,
} from './headers.ts';
import { isKnownFullName } from './values.ts';

const MOST_COLUMNS_IN_ERRORS = 50;

/** Lists the columns of a table in a sentence for error messages. If the headers may be values, says so instead of listing them. */
export function describeHeaders(headers: string[]): string {
  if (looksLikeData(headers))
    return 'The first line looks like data: add a line with the names of the columns above it.';
  if (!headers.some((header) => guessColumn(header)))
    return 'None of the columns has a known name. If the first line is a record, add a line with the names of the columns above it.';
  return `The columns are: ${headers.slice(0, MOST_COLUMNS_IN_ERRORS).map(toPlainText).join(', ')}${headers.length > MOST_COLUMNS_IN_ERRORS ? ' …' : '.'}`;
}

const FEWEST_DIGITS = 5;

/** True for a number such as a postcode or phone. Four digits may be the year of a column of amounts. */
const isNumber = (header: string): boolean =>
  !/\p{L}/u.test(header) && header.replace(/\D/g, '').length >= FEWEST_DIGITS;

/** True if the first line of a table is a record: a cell is an e-mail address, a number or a person's name, and none is a known header. */
export const isFirstLineRecord = (headers: string[]): boolean =>
  headers.some((header) => header.includes('@') || isNumber(header) || isKnownFullName(header)) &&
  !headers.some((header) => guessColumn(header) !== null && hasOnlyKnownHeaderWords(header));

/** True if headers may be values, for example because a stray quote joined the header with the following lines. */
const looksLikeData = (headers: string[]): boolean =>
  isFirstLineRecord(headers) ||
  headers.some((header) => /@|\d{4}|[\r\n]/.test(header) || isNumber(header) || header.length > 60);

const LONGEST_SHOWN = 60;

/** Returns a header for output, cut to `LONGEST_SHOWN` characters: a file can have a header of a megabyte. */
export function shortenHeaderForOutput(header: string): string {
  const text = toPlainText(header);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Returns the headers in the form for output. If some of them look like data, unknown headers are replaced by their positions. */
export function hideHeadersThatMayBeData(
  headers: string[],
  fields: readonly (ColumnField | null)[],
): string[] {
  const isSuspect = looksLikeData(headers);
  return headers.map((header, i) =>
    isSuspect && !(fields[i] && hasOnlyKnownHeaderWords(header))
      ? `column ${i + 1}`
      : shortenHeaderForOutput(header),
  );
}

const NO_FIELD = 'none';

const PLURALS = new Map(
  Object.entries<ColumnField>({ emails: 'email', phones: 'phone', names: 'name', addresses: 'address' }),
);

/**
 * Parses a column map (`name=Full Name,email=Mail`). Returns the column for each index; null for a column that is not used. Errors:
 * `invalid_arguments`.
 */
export function parseColumnMap(
  headers: string[],
  { name, map }: { name: string; map: string },
): Map<number, TableColumn | null> {
  const mapped = new Map<number, TableColumn | null>();
  if (map.trim() === '') return mapped;
  // A header may contain a comma: only a comma in front of another `field=` ends it.
  for (const pair of map.trim().split(/(?:,|\r?\n)(?=\s*[\w.]+\s*=)/)) {
    const equals = pair.indexOf('=');
    const [text = '', ...groups] = pair.slice(0, Math.max(equals, 0)).trim().split('.');
    const field = [...COLUMN_FIELDS, NO_FIELD].find((known) => known === text) ?? PLURALS.get(text);
    if (equals < 0 || field === undefined)
      throw new BonafideError(
        'invalid_arguments',
        `Invalid --map. Write pairs of field and header, such as email=Mail, separated by commas. Fields: ${[...COLUMN_FIELDS, NO_FIELD].join(', ')}.`,
      );
    const header = toPlainText(pair.slice(equals + 1));
    const isSame = (other: string) =>
      foldToAscii(toPlainText(other)) === foldToAscii(header) || shortenHeaderForOutput(other) === header;
    const index = headers.findIndex((other, i) => !mapped.has(i) && isSame(other));
    if (index < 0)
      throw new BonafideError(
        'invalid_arguments',
        `${name}: --map says ${field}=${shortenHeaderForOutput(header)}, but there is no such column. ${describeHeaders(headers)}`,
      );
    // An identifier without a type has that of its header.
    const group =
      groups.join('.') || (field === 'identifier' ? toAsciiWords(header).replaceAll(' ', '_') : '');
    const isSecond =
      field === 'family' && group === '' && [...mapped.values()].some((column) => column?.field === field);
    const ownGroup = isSecond ? SECOND_FAMILY_NAME_COLUMN_GROUP : group;
    mapped.set(index, field === NO_FIELD ? null : { field: field as ColumnField, group: ownGroup });
  }
  return mapped;
}

/** Formats columns as a column map, one entry per line. Columns that are not used, and headers of several lines or above `INPUT_LIMITS.fieldName`, are left out. */
export function formatColumnMap(headers: string[], columns: (TableColumn | null)[]): string {
  const lines = headers.flatMap((header, i) => {
    if (/[\r\n]/.test(header) || toPlainText(header) === '' || header.length > INPUT_LIMITS.fieldName)
      return [];
    const { field = NO_FIELD, group = '' } = columns[i] ?? {};
    return `${field}${group && `.${toPlainText(group)}`}=${toPlainText(header)}`;
  });
  return `${lines.join('\n')}\n`;
}
