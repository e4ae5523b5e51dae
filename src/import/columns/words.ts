// The words that headers consist of, by their meaning: data/import/words.txt.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELATIVE_WORDS } from '../../names/index.ts';
import { foldToAscii, toUnicodeNormalForm } from '../../normalise/text.ts';
import { getTypoDistance } from '../../normalise/typo.ts';
import { IMPORT_WORD_LISTS_FOLDER } from '../../platform/assets.ts';

/**
 * Marks that are ignored when header words are compared: accents of Latin, Greek and Cyrillic, vowel signs of Hebrew and Arabic, the nukta of
 * Hindi.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u093c\u200b-\u200f]/g;
const LATIN_WORD = /[\p{Script=Latin}]+/gu;
/** Abbreviation signs inside a Hebrew word: `דוא"ל`. */
const GERSHAYIM = /(?<=\p{Script=Hebrew})["'\u05f3\u05f4\u2019](?=\p{Script=Hebrew})/gu;
const ARABIC_ARTICLE = /(?<!\p{L})ال(?=\p{L}{3})/gu;

/** Converts a header to the form for comparison: lower case, Latin letters as ASCII, other scripts without marks. */
export function toComparableHeader(text: string): string {
  const latin = toUnicodeNormalForm(text, 'NFKC').replace(LATIN_WORD, foldToAscii);
  const plain = toUnicodeNormalForm(
    toUnicodeNormalForm(latin, 'NFKD').replace(MARKS, ''),
    'NFC',
  ).toLowerCase();
  return plain
    .replace(GERSHAYIM, '')
    .replaceAll('ς', 'σ')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .replace(ARABIC_ARTICLE, '');
}

/** Reads a table of data/import and returns the words of each key. A line is `key: word word …`; an underscore in a word represents a space. */
export function readWordTable(file: string): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const line of readFileSync(join(IMPORT_WORD_LISTS_FOLDER, file), 'utf8').split('\n')) {
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
type OwnerWord = 'billing' | 'shipping' | 'whose' | 'relative' | 'guarantor' | 'resident' | 'seller';
type ThingWord = 'company' | 'account' | 'property' | 'site' | 'noise' | 'veto';
export type HeaderWordMeaning = ContactWord | DateWord | NameWord | OwnerWord | ThingWord;

let table: { meanings: Map<string, Set<HeaderWordMeaning>>; wordsToSpell: string[] } | undefined;

/** Returns the table of words. It is read at its first use, because most processes and threads read no headers. */
function getWords() {
  if (table) return table;
  const meanings = new Map<string, Set<HeaderWordMeaning>>();
  const { spelling: wordsToSpell = [], ...classes } = Object.fromEntries(readWordTable('words.txt'));
  for (const [name, words] of Object.entries(classes))
    for (const word of words.map(toComparableHeader))
      meanings.set(word, (meanings.get(word) ?? new Set()).add(name as HeaderWordMeaning));
  for (const word of RELATIVE_WORDS.map(toComparableHeader))
    if (!meanings.has(word)) meanings.set(word, new Set(['relative']));
  return (table = { meanings, wordsToSpell });
}

/** True if a word has one of the given meanings. If no meaning is given: true if the word has any meaning. */
export function headerWordHasMeaning(word: string, ...classes: HeaderWordMeaning[]): boolean {
  const known = getWords().meanings.get(word);
  return known !== undefined && (classes.length === 0 || classes.some((name) => known.has(name)));
}

export const anyHeaderWordHasMeaning = (words: readonly string[], ...classes: HeaderWordMeaning[]): boolean =>
  words.some((word) => headerWordHasMeaning(word, ...classes));

export const allHeaderWordsHaveMeaning = (
  words: readonly string[],
  ...classes: HeaderWordMeaning[]
): boolean => words.every((word) => headerWordHasMeaning(word, ...classes));

/** True if a group of columns is about a second person of the row, or a further one: `tenant2`. */
export function isColumnGroupOfNumberedPerson(group: string): boolean {
  const [, word = ''] = /^(\p{L}+)(?:0|[2-9]|[1-9]\d)$/u.exec(group) ?? [];
  return word !== '' && (headerWordHasMeaning(word, 'people', 'person') || !headerWordHasMeaning(word));
}

/** True if a group of columns is about a relative or a numbered person, who becomes a separate record: `parent1`, `mutter`, `tenant2`. */
export const isColumnGroupOfRelative = (group: string): boolean =>
  headerWordHasMeaning(group.replace(/\d+$/, ''), 'relative') || isColumnGroupOfNumberedPerson(group);

/** Column group of a person who is left out: a second one with the same headers, or one to whom contacts may belong. */
export const OTHER_PERSON_COLUMN_GROUP = 'otherperson';

/** True if a group of columns is about a guarantor or another person who is never the person of the record. */
export const isColumnGroupOfGuarantor = (group: string): boolean =>
  group === OTHER_PERSON_COLUMN_GROUP || headerWordHasMeaning(group.replace(/\d+$/, ''), 'guarantor');

/** True if a group of columns is about a relative or a guarantor. */
export const isColumnGroupOfRelativeOrGuarantor = (group: string): boolean =>
  isColumnGroupOfRelative(group) || isColumnGroupOfGuarantor(group);

/** True if the last part of a compound word means an event: `Werkstattbesuch`. */
export const endsInWordMeaningEvent = (word: string): boolean =>
  [...getWords().meanings].some(([end, known]) => end.length > 4 && known.has('event') && word.endsWith(end));

/**
 * Returns the common header words that an unknown word of four letters or more may be a misspelling of (`adress`, `frist`). Words of four letters
 * are recognised only by exchanged letters, because many other words differ from them by one.
 */
export function findHeaderWordCorrections(word: string): string[] {
  if (word.length < 4 || word.length > LONGEST) return [];
  const letters = (text: string) => [...text].toSorted().join('');
  return getWords().wordsToSpell.filter(
    (known) =>
      known[0] === word[0] &&
      getTypoDistance(word, known, 1) === 1 &&
      (Math.max(word.length, known.length) > 4 || letters(word) === letters(known)),
  );
}

const SHORTEST = 3;
const LONGEST = 60;
/**
 * Maximum length of a text without spaces that is split into words. If words may be single letters, a longer text has too many possible splits.
 */
const LONGEST_WITHOUT_SPACES = 24;
/** Letters that connect the two words of a German compound. */
const JOINTS = ['', 's', 'n', 'en', 'es'];

/** Splits a compound into words if it consists only of known words: `rechnungsanschrift`, `kundennummer`. Otherwise returns the whole word. */
export function splitCompoundWord(word: string, isKnown: (word: string) => boolean): string[] {
  const isLatin = /^[a-z\d]*$/.test(word);
  const shortest = isLatin ? SHORTEST : 1;
  if (word.length > (isLatin ? LONGEST : LONGEST_WITHOUT_SPACES) || isKnown(word)) return [word];
  for (let end = word.length - (isLatin ? 2 : 1); end >= shortest; end--) {
    const first = word.slice(0, end);
    if (!isKnown(first)) continue;
    for (const joint of isLatin ? JOINTS : ['']) {
      if (!word.startsWith(joint, end)) continue;
      const rest = word.slice(end + joint.length);
      if (rest.length < shortest && !headerWordHasMeaning(rest, 'number')) continue;
      const others = splitCompoundWord(rest, isKnown);
      if (others.every(isKnown)) return [first, ...others];
    }
  }
  return [word];
}
