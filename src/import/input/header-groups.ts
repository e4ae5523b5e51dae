// Headers over two rows: names of groups (`Billing Address`, `Tenant`) in the upper row, headers below them.
import { hasOnlyKnownHeaderWords, isHeaderOfOtherPersonOrThing } from '../columns/by-words.ts';
import { guessColumn } from '../columns/guess.ts';

/** Counts the cells that are known headers. A number beside an unknown word is a street: `2 Oak St`. */
export const countKnown = (cells: readonly string[]): number =>
  cells.filter((cell) => guessColumn(cell) && (!/\d/.test(cell) || hasOnlyKnownHeaderWords(cell))).length;

/** True if a row may contain group names: several cells, empty cells between them, no values. */
export function mayBeGroupNames(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 1 && filled.length < cells.length && !filled.some((cell) => /\d\d|@/.test(cell));
}

/** Minimum number of known headers in the line below a row of group names. If the line has fewer, the row of group names is used as the header. */
const FEWEST_BELOW_GROUPS = 3;

/**
 * True if the row after a row of group names is the header: known headers fill most of its cells, and with them more columns have a known header than
 * in the upper row.
 */
export function areHeadersBelowGroups(cells: readonly string[], groups: readonly string[]): boolean {
  const known = countKnown(cells);
  const filled = cells.filter((cell) => cell !== '').length;
  const whole = cells.map((cell, i) => cell || (groups[i] ?? ''));
  return known >= FEWEST_BELOW_GROUPS && known * 2 > filled && countKnown(whole) > countKnown(groups);
}

/**
 * Adds the name of its group to each header: `Street` → `Billing Address Street`. The group name is in the row above, in the group's first column.
 * A header whose meaning would change stays unchanged, unless the group is another person or a thing: `Guarantor`. An empty cell below a name is
 * part of a header that is merged over both rows.
 */
export function addGroups(headers: readonly string[], groups: readonly string[]): string[] {
  let group = '';
  return headers.map((header, i) => {
    const name = groups[i] ?? '';
    group = header === '' ? '' : name || group;
    if (group === '') return header || name;
    const whole = `${group} ${header}`;
    const field = guessColumn(header)?.field;
    const isSame = field === undefined || guessColumn(whole)?.field === field;
    return isSame || isHeaderOfOtherPersonOrThing(group) ? whole : header;
  });
}
