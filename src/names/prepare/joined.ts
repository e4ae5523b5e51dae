// The parts of a name as one text, from which they can be read again.
import { foldLatin } from '../script.ts';
import { wordTables } from '../tables/words.ts';

/**
 * Given, middle and family name and suffix, joined by spaces; empty parts are left out. A suffix that is a name as well (Filho, Jun)
 * stands behind a comma, where it can be no name.
 */
export function joinNameParts([
  given = '',
  middle = '',
  family = '',
  suffix = '',
]: readonly string[]): string {
  const name = [given, middle, family].filter((part) => part !== '').join(' ');
  if (name === '' || suffix === '') return name + suffix;
  const isName = name.includes(' ') && wordTables().nameSuffixes.has(foldLatin(suffix));
  return `${name}${isName ? ',' : ''} ${suffix}`;
}
