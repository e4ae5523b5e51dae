// The words that headers of columns are made of, by what they mean: data/import/words.txt.
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

/** Whether a word has one of these meanings; any, where none is named. */
export const hasMeaning = (word: string, ...classes: WordClass[]): boolean => {
  const its = CLASSES.get(word);
  return its !== undefined && (classes.length === 0 || classes.some((one) => its.has(one)));
};

const SHORTEST = 3;
/** What joins two German words. */
const JOINTS = ['', 's', 'n', 'en', 'es'];

/** Whether a group is of somebody else of the row who is a person of their own: `parent1`, `mutter`. */
export const isRelativeGroup = (group: string): boolean => hasMeaning(group.replace(/\d+$/, ''), 'relative');

/** Whether a compound is about something that happens, whatever stands in front: `Werkstattbesuch`. */
export const endsInEventWord = (word: string): boolean =>
  [...CLASSES].some(([end, its]) => end.length > 4 && its.has('event') && word.endsWith(end));

/** A word as those that it is made of, where all of it is made of known ones: `rechnungsanschrift`, `kundennummer`. */
export function splitCompound(word: string, isKnown: (word: string) => boolean): string[] {
  if (word.length > 60 || isKnown(word)) return [word];
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
