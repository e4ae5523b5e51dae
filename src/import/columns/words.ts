// The words that headers consist of, by their meaning: data/import/words.txt.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT_TABLES } from '../../platform/assets.ts';

/** Reads a table of data/import: the words of each key. A line is `key: word word …`; an underscore in a word stands for a space. */
export function readWordTable(file: string): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const line of readFileSync(join(IMPORT_TABLES, file), 'utf8').split('\n')) {
    const [, key, words] = /^(\w+): (.+)$/.exec(line) ?? [];
    if (key === undefined || words === undefined) continue;
    const more = words.split(' ').map((word) => word.replaceAll('_', ' '));
    table.set(key, [...(table.get(key) ?? []), ...more]);
  }
  return table;
}

type ContactWord = 'email' | 'phone' | 'address' | 'street' | 'house' | 'place' | 'number';
type DateWord = 'birth' | 'date' | 'last' | 'begun' | 'event' | 'change';
type NameWord = 'given' | 'family' | 'name' | 'whole' | 'login' | 'people' | 'person';
type OwnerWord = 'billing' | 'shipping' | 'whose' | 'relative' | 'resident' | 'seller';
type ThingWord = 'company' | 'account' | 'property' | 'site' | 'noise' | 'veto';
/** A meaning that words of headers have. */
export type WordClass = ContactWord | DateWord | NameWord | OwnerWord | ThingWord;

const CLASSES = new Map<string, Set<WordClass>>();
for (const [name, words] of readWordTable('words.txt'))
  for (const word of words) CLASSES.set(word, (CLASSES.get(word) ?? new Set()).add(name as WordClass));

/** True if a word has one of the meanings, or any meaning if none is named. */
export function hasMeaning(word: string, ...classes: WordClass[]): boolean {
  const known = CLASSES.get(word);
  return known !== undefined && (classes.length === 0 || classes.some((name) => known.has(name)));
}

/** True if any of the words has one of the meanings. */
export const anyHasMeaning = (words: readonly string[], ...classes: WordClass[]): boolean =>
  words.some((word) => hasMeaning(word, ...classes));

/** True if all of the words have one of the meanings. */
export const allHaveMeaning = (words: readonly string[], ...classes: WordClass[]): boolean =>
  words.every((word) => hasMeaning(word, ...classes));

/** True if a group of columns is about a relative, who gets a record: `parent1`, `mutter`. */
export const isRelativeGroup = (group: string): boolean => hasMeaning(group.replace(/\d+$/, ''), 'relative');

/** True if a compound word ends in an event, whatever its beginning means: `Werkstattbesuch`. */
export const endsInEvent = (word: string): boolean =>
  [...CLASSES].some(([end, known]) => end.length > 4 && known.has('event') && word.endsWith(end));

const SHORTEST = 3;
const LONGEST = 60;
/** Letters that join two German words. */
const JOINTS = ['', 's', 'n', 'en', 'es'];

/** Splits a word into known words if it consists of them only, else returns it unchanged: `rechnungsanschrift`, `kundennummer`. */
export function splitCompound(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length > LONGEST || isKnown(word)) return [word];
  for (let end = word.length - 2; end >= SHORTEST; end--) {
    const first = word.slice(0, end);
    if (!isKnown(first)) continue;
    for (const joint of JOINTS) {
      if (!word.startsWith(joint, end)) continue;
      const rest = word.slice(end + joint.length);
      if (rest.length < SHORTEST && !hasMeaning(rest, 'number')) continue;
      const others = splitCompound(rest, isKnown);
      if (others.every(isKnown)) return [first, ...others];
    }
  }
  return [word];
}
