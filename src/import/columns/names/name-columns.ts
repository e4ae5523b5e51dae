// Columns with names of people: which column holds whole names, given names or family names, by the headers and
// the cells.
import { findOnlyNameRole } from '../../../names/index.ts';
import { foldToAscii } from '../../../normalise/text.ts';
import {
  BIRTH_NAME_COLUMN_GROUP,
  type ColumnField,
  NAME_FIELDS,
  SECOND_FAMILY_NAME_COLUMN_GROUP,
  type TableColumn,
  toHeaderKey,
} from '../headers.ts';
import {
  headerWordHasMeaning,
  isColumnGroupOfGuarantor,
  isColumnGroupOfRelativeOrGuarantor,
} from '../words.ts';
import { arePersonNames, isKnownFullName } from '../values.ts';
import { hasSecondNameContacts } from './people-in-row.ts';

type Columns = (TableColumn | null)[];
type Rows = readonly (readonly string[])[];

/**
 * Changes a name column to the given or family name if another column contains the other half: `Name` next to `Vorname` is the family name. The
 * column stays unchanged if its values contain both names.
 */
export function chooseNameHalf(columns: Columns, samples: Rows, half: 'given' | 'family'): Columns {
  const other = half === 'given' ? 'family' : 'given';
  const find = (field: ColumnField, group: string) =>
    columns.findIndex((column) => column?.field === field && column.group === group);
  return columns.map((column, i) => {
    if (column?.field !== 'name') return column;
    const index = find(other, column.group);
    if (index < 0 || find(half, column.group) >= 0) return column;
    const both = samples.filter((row) => row[i]?.trim() && row[index]?.trim());
    const isWhole = both.filter((row) => row[i]?.includes(row[index]?.trim() ?? '')).length * 2 > both.length;
    return isWhole ? column : { ...column, field: half };
  });
}

/**
 * Uses two name columns with the same header, or with headers numbered 1 and 2, as the given and the family name. The order follows from the cells; if
 * they do not show it, numbered columns contain the family name first, as in SAP. In numbered columns, a first cell of several words and a second of
 * one are parts of one long name. Other cells of several words are whole names, which stay unchanged. Columns numbered 3 and higher are not used.
 */
export function splitRepeatedName(columns: Columns, headers: readonly string[], samples: Rows): Columns {
  const { indexes, isNumbered } = findRepeatedNames(columns, headers, samples);
  const cells = indexes.slice(0, 2).map((i) => samples.map((row) => row[i]?.trim() ?? ''));
  const filled = cells.flat().filter(Boolean);
  if (filled.length === 0) return columns;
  const areSingle = filled.filter((cell) => !cell.includes(' ')).length * 2 > filled.length;
  if (!areSingle && (!isNumbered || cells[1]?.some((cell) => cell.includes(' ')))) return columns;
  const [givenFirst, familyFirst] = [countInOrder(cells), countInOrder(cells.toReversed())];
  const isFamilyFirst = areSingle && (isNumbered ? familyFirst >= givenFirst : familyFirst > givenFirst);
  const fields = isFamilyFirst ? (['family', 'given'] as const) : (['given', 'family'] as const);
  return columns.map((column, i) => {
    if (!indexes.includes(i)) return column;
    const field = fields[indexes.indexOf(i)];
    return field === undefined ? null : { field, group: column?.group ?? '' };
  });
}

/**
 * Returns the indexes of the name columns if they are two with the same header (`Name`, `Name`), or have the same header with numbers (`Name 1`, `Name
 * 2`, `Name 3`). Returns no indexes for two people: numbered columns of a word for people (`Tenant 1`), columns with an e-mail or phone between
 * them, and a second name with contacts of its own. Returns no indexes if the table also has other name columns.
 */
function findRepeatedNames(
  columns: Columns,
  headers: readonly string[],
  samples: Rows,
): { indexes: number[]; isNumbered: boolean } {
  const indexes = columns.flatMap((column, i) =>
    column?.field === 'name' && !isColumnGroupOfRelativeOrGuarantor(column.group) ? [i] : [],
  );
  const [first = '', second = '', ...others] = indexes.map((i) => toHeaderKey(headers[i] ?? ''));
  const bare = first.replace(/\d+$/, '');
  const isNumbered = [bare, `${bare}1`].includes(first) && second === `${bare}2`;
  const isRepeated = isNumbered
    ? others.every((key) => key.replace(/\d+$/, '') === bare)
    : first === second && others.length === 0;
  const groups = new Set(indexes.map((i) => columns[i]?.group));
  const arePeople =
    (isNumbered &&
      (headerWordHasMeaning(bare, 'people', 'person') ||
        hasSecondNameContacts(columns, headers, samples, indexes[1] ?? -1))) ||
    columns
      .slice(indexes[0], indexes[1])
      .some((column) => column?.field === 'email' || column?.field === 'phone');
  const areHalves = isRepeated && indexes.length > 1 && groups.size === 1 && !arePeople;
  return { indexes: areHalves ? indexes : [], isNumbered };
}

/** Counts the cells that are certainly a given name in the first column, or certainly a family name in the second, by the name tables. */
function countInOrder([first = [], second = []]: readonly (readonly string[])[]): number {
  const count = (cells: readonly string[], role: 'given' | 'family') =>
    cells.filter((cell) => findOnlyNameRole(foldToAscii(cell)) === role).length;
  return count(first, 'given') + count(second, 'family');
}

/**
 * Uses the second of two numbered columns of family names (`Apellido 1`, `Apellido 2`) as the second family name. With two columns of given names, the
 * numbers stand for two people.
 */
export function useSecondFamilyName(columns: Columns, keys: readonly string[]): Columns {
  const indexesOf = (field: ColumnField) =>
    columns.flatMap((column, i) => (column?.field === field && column.group === '' ? [i] : []));
  const names = indexesOf('family').toSorted((a, b) => ((keys[a] ?? '') < (keys[b] ?? '') ? -1 : 1));
  const [first = -1, second = -1] = names;
  const isPair = names.length === 2 && keys[second] === `${keys[first]?.replace(/1$/, '')}2`;
  if (!isPair || indexesOf('given').length > 1) return columns;
  return columns.with(second, { field: 'family', group: SECOND_FAMILY_NAME_COLUMN_GROUP });
}

/** Uses a column of initials as the given name if the table has family names, but neither given names nor full names. */
export function useInitials(columns: Columns, hasInitials: (index: number) => boolean): Columns {
  const has = (field: ColumnField) => columns.some((column) => column?.field === field);
  if (!has('family') || has('given') || has('name')) return columns;
  return columns.map((column, i) =>
    column === null && hasInitials(i) ? { field: 'given', group: '' } : column,
  );
}

/** Uses columns of family names at birth in a table with given names. They count only in rows without another family name. */
export function useBirthNames(columns: Columns, hasBirthNames: (index: number) => boolean): Columns {
  if (!columns.some((column) => column?.field === 'given' && column.group === '')) return columns;
  return columns.map((column, i) =>
    column === null && hasBirthNames(i) ? { field: 'family', group: BIRTH_NAME_COLUMN_GROUP } : column,
  );
}

/** Uses the first column whose cells are names of people as the name column, if no header suggests one. */
export function proposeName(
  columns: Columns,
  samples: Rows,
  isExcluded: (index: number) => boolean,
): Columns {
  const isName = (column: TableColumn | null) =>
    column && NAME_FIELDS.has(column.field) && !isColumnGroupOfGuarantor(column.group);
  if (columns.some(isName)) return columns;
  const index = columns.findIndex(
    (column, i) => column === null && !isExcluded(i) && arePersonNames(samples.map((row) => row[i] ?? '')),
  );
  return index < 0 ? columns : columns.with(index, { field: 'name', group: '', isGuess: true });
}

/** Uses a column of given names as whole names if the table has no family names and most cells are known whole names: `Nome` means either. */
export function useWholeNames(columns: Columns, samples: Rows): Columns {
  return columns.map((column, i) => {
    const isFamily = (other: TableColumn | null) =>
      other?.field === 'family' && other.group === column?.group;
    if (column?.field !== 'given' || columns.some(isFamily)) return column;
    const cells = samples.map((row) => row[i]?.trim() ?? '').filter(Boolean);
    return cells.filter(isKnownFullName).length * 2 > cells.length ? { ...column, field: 'name' } : column;
  });
}
