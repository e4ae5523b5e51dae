// What `--map` says of columns, and columns as it says them; and the headers of a table as they may be shown.
import { BonafideError } from '../../errors.ts';
import { foldToAscii } from '../../normalise/text.ts';
import { toPlainText } from './cells.ts';
import { isMadeOfKnownWords } from './by-words.ts';
import { guessColumn } from './guess.ts';
import { COLUMN_FIELDS, type Column, type ColumnField } from './headers.ts';

/** Columns that an error names. */
const MOST_SHOWN = 50;

/** The columns there are; but not where the first line may be data, which must not be repeated. */
export function describeColumns(headers: string[]): string {
  if (looksLikeData(headers))
    return 'The first line looks like data: put a line with the names of the columns above it.';
  if (!headers.some((header) => guessColumn(header)))
    return 'None of the columns has a known name; where the first line is a record, put a line with the names of the columns above it.';
  return `The columns are: ${headers.slice(0, MOST_SHOWN).map(toPlainText).join(', ')}${headers.length > MOST_SHOWN ? ' …' : '.'}`;
}

/** A stray quote may have joined the first line with others. */
const looksLikeData = (headers: string[]): boolean =>
  headers.some((header) => /@|\d{4}|[\r\n]/.test(header) || header.length > 60);

/** The headers as they may be shown: by their places where some of them look like data, but for those that have a field. */
export function displayHeaders(headers: string[], fields: readonly (ColumnField | null)[]): string[] {
  const suspect = looksLikeData(headers);
  return headers.map((header, i) =>
    suspect && !(fields[i] && isMadeOfKnownWords(header)) ? `column ${i + 1}` : toPlainText(header),
  );
}

/** What `--map` says of columns by their index; null where one is not to be used. */
export function parseColumnMap(
  headers: string[],
  { name, map }: { name: string; map: string },
): Map<number, Column | null> {
  const mapped = new Map<number, Column | null>();
  if (map.trim() === '') return mapped;
  // A header may hold a comma: only one that starts another `field=` ends it.
  for (const pair of map.trim().split(/(?:,|\r?\n)(?=\s*[\w.]+\s*=)/)) {
    const equals = pair.indexOf('=');
    const [said = '', group = ''] = pair.slice(0, Math.max(equals, 0)).trim().split('.');
    const field = fieldNamed(said);
    const header = pair.slice(equals + 1).trim();
    if (equals < 0 || field === undefined) {
      throw new BonafideError(
        'invalid_arguments',
        `--map takes pairs like email=Mail, with these fields: ${[...COLUMN_FIELDS, NO_FIELD].join(', ')}.`,
      );
    }
    const index = headers.findIndex(
      (one, i) => !mapped.has(i) && foldToAscii(toPlainText(one)) === foldToAscii(toPlainText(header)),
    );
    if (index < 0) {
      throw new BonafideError(
        'invalid_arguments',
        `${name}: --map says ${field}=${toPlainText(header)}, but there is no such column. ${describeColumns(headers)}`,
      );
    }
    mapped.set(index, field === NO_FIELD ? null : { field, group });
  }
  return mapped;
}

/** The columns as `--map` takes them, a line each, their headers without control characters. A header over several lines cannot be said. */
export function formatColumnMap(headers: string[], columns: (Column | null)[]): string {
  const lines = headers.flatMap((header, i) => {
    const column = columns[i];
    if (/[\r\n]/.test(header) || toPlainText(header) === '') return [];
    return `${column ? `${column.field}${column.group && `.${toPlainText(column.group)}`}` : NO_FIELD}=${toPlainText(header)}`;
  });
  return `${lines.join('\n')}\n`;
}

/** What `--map` calls a column that is not to be used. */
const NO_FIELD = 'none';

function fieldNamed(text: string): ColumnField | typeof NO_FIELD | undefined {
  const singular: Record<string, ColumnField> = {
    emails: 'email',
    phones: 'phone',
    names: 'name',
    addresses: 'address',
  };
  return text === NO_FIELD ? text : (COLUMN_FIELDS.find((field) => field === text) ?? singular[text]);
}
