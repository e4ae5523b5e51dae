// Birth place, gender and identifiers of a record. Linking compares them; checks never use them.
import type { Gender } from '../link/stored-record.ts';
import { isTitleWord } from '../names/index.ts';
import {
  type Identifier,
  MAX_IDENTIFIER_LENGTH,
  normaliseIdentifier,
  getOriginalSpellingIfDifferent,
  toAsciiWords,
} from '../normalise/identifier.ts';
import { PRINTABLE_ASCII_PATTERN } from '../normalise/text.ts';
import { type RawRecord, toTrimmedText } from './columns/raw.ts';
import { readWordTable } from './columns/words.ts';

/** Fields of a person besides names, birth date and contacts. */
export interface PersonTraits {
  birthPlace: string | null;
  /** Birth place as written; undefined if it equals the normalised text. */
  birthPlaceWritten?: string | undefined;
  gender: Gender | null;
  identifiers: Identifier[];
}

const MOST_IDENTIFIERS = 20;
/** Maximum number of names of one record in which a title (Mrs, Herr) is searched. */
const MOST_NAMES = 5;

const TABLE = readWordTable('titles.txt');
/**
 * Returns the gender of each word in the table.
 *
 * @param key first part of the table's keys: `title` for `title_female` and `title_male`
 */
const gendersOf = <G extends Gender | 'unknown'>(key: string, genders: readonly G[]): Map<string, G> =>
  new Map(
    genders.flatMap((gender) => (TABLE.get(`${key}_${gender}`) ?? []).map((word) => [word, gender] as const)),
  );
/** Gender of each value in gender columns; `unknown` means that no gender is given. */
const GENDER_VALUES = gendersOf('gender', ['female', 'male', 'other', 'unknown']);
/** Gender of each title that can stand before a name. */
const TITLES_IN_FRONT = gendersOf('title', ['female', 'male']);
const FIRST_WORDS_OF_TITLES = new Set([...TITLES_IN_FRONT.keys()].map((title) => title.split(' ')[0]));
const TITLES_IN_COLUMN = new Map([...TITLES_IN_FRONT, ...gendersOf('title_column', ['female', 'male'])]);

/** Reads the personal traits of a raw record. Adds a reason to `dropped` for each unusable value. */
export function parsePersonTraits(raw: RawRecord, dropped: string[]): PersonTraits {
  const written = toTrimmedText(raw.birth_place);
  const birthPlace = toAsciiWords(written);
  const isTooLong = birthPlace.length > MAX_IDENTIFIER_LENGTH;
  if (isTooLong) dropped.push('birth_place cannot be used');
  const isUsable = birthPlace !== '' && !isTooLong;
  const birthPlaceWritten = isUsable ? getOriginalSpellingIfDifferent(written, birthPlace) : undefined;
  return {
    birthPlace: isUsable ? birthPlace : null,
    ...(birthPlaceWritten !== undefined && { birthPlaceWritten }),
    gender:
      parseGender(raw.gender, dropped) ??
      getGenderOfTitle(toAsciiWords(toTrimmedText(raw.title))) ??
      genderInNames(raw),
    identifiers: parseIdentifiers(raw.identifiers, dropped),
  };
}

function parseGender(value: unknown, dropped: string[]): Gender | null {
  const text = toTrimmedText(value);
  if (text === '') return null;
  const words = toAsciiWords(text);
  // Words in other scripts are compared without transliteration: 男 would become `nan`, which programs write
  // for an empty cell.
  const known = GENDER_VALUES.get(text.toLowerCase().replace(/\.$/, '')) ?? GENDER_VALUES.get(words);
  const gender = words === '' ? 'unknown' : (known ?? getGenderInWords(words.split(' ')));
  if (gender === null) dropped.push('gender cannot be used');
  return gender === 'unknown' ? null : gender;
}

/** Returns the gender of the titles in a cell (`Frau Dr.`); null if another word says another gender (`Frau divers`, `M/F`). */
function getGenderInWords(words: readonly string[]): Gender | null {
  const gender = onlyGenderIn(words, TITLES_IN_COLUMN);
  // In "Herr X", the letter begins a name.
  const others = words.flatMap((word) => (word === 'x' ? [] : (GENDER_VALUES.get(word) ?? [])));
  return others.every((other) => other === gender) ? gender : null;
}

/** Returns the gender of the first name with a gendered title (`Mrs. J. Doe`), else null. */
function genderInNames({ name, names }: RawRecord): Gender | null {
  for (const value of [name, ...(Array.isArray(names) ? names.slice(0, MOST_NAMES) : [])]) {
    const whole = toTrimmedText(
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>).full : value,
    );
    const gender = mayBeginWithTitle(whole) ? getGenderOfLeadingTitle(toAsciiWords(whole)) : null;
    if (gender !== null) return gender;
  }
  return null;
}

/** False if a name certainly begins with no title. Faster than folding the name: nearly all names have no title. */
const mayBeginWithTitle = (name: string): boolean =>
  !PRINTABLE_ASCII_PATTERN.test(name) ||
  FIRST_WORDS_OF_TITLES.has(/[a-z\d]+/i.exec(name)?.[0].toLowerCase() ?? '');

function parseIdentifiers(value: unknown, dropped: string[]): Identifier[] {
  const rawValues = value === undefined || value === null ? [] : [value].flat();
  const usable = new Map<string, Identifier>();
  for (const [index, element] of rawValues.slice(0, MOST_IDENTIFIERS).entries()) {
    const identifier = parseIdentifier(element);
    if (identifier) usable.set([identifier.type, identifier.country, identifier.value].join('|'), identifier);
    else dropped.push(`identifiers[${index}] cannot be used`);
  }
  if (rawValues.length > MOST_IDENTIFIERS)
    dropped.push(`identifiers has more than ${MOST_IDENTIFIERS} values`);
  return [...usable.values()];
}

function parseIdentifier(element: unknown): Identifier | null {
  if (typeof element !== 'object' || element === null) return null;
  const { type, value, country } = element as Record<string, unknown>;
  return normaliseIdentifier({
    type: toTrimmedText(type),
    value: toTrimmedText(value),
    country: toTrimmedText(country),
  });
}

/** Words that connect two titles: `Mr and Mrs`. */
const AND = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'og', 'och', 'ja', 'i', 'a']);

/**
 * Returns the gender of a title (`Mrs`, `Herr Dr.`, `Sig.ra`). Null if the title shows no gender, or two, or if a word is no title (`Sr. Engineer`).
 *
 * @param text lower-case ASCII words, separated by one space
 */
function getGenderOfTitle(text: string): Gender | null {
  if (text === '') return null;
  const words = text.split(' ');
  const isTitle = (word: string, i: number) =>
    [word, `${word} ${words[i + 1]}`, `${words[i - 1]} ${word}`].some((title) =>
      TITLES_IN_COLUMN.has(title),
    ) ||
    isTitleWord(word) ||
    AND.has(word);
  return words.every(isTitle) ? onlyGenderIn(words, TITLES_IN_COLUMN) : null;
}

/**
 * Returns the gender of the title before a name (`Mrs. J. Doe`, `de heer Jansen`). Null without a title, or for two titles (`Mr and Mrs Doe`).
 */
function getGenderOfLeadingTitle(words: string): Gender | null {
  const [first = '', second = '', ...others] = words.split(' ');
  if (TITLES_IN_FRONT.has(`${first} ${second}`))
    return others.length > 0 ? onlyGenderIn([first, second], TITLES_IN_FRONT) : null;
  if (second === '' || !TITLES_IN_FRONT.has(first)) return null;
  const next = AND.has(second) ? others.slice(0, -1) : others.length > 0 ? [second] : [];
  return onlyGenderIn([first, ...next.slice(0, 1)], TITLES_IN_FRONT);
}

/** Returns the gender of the titles among the words; null if they show no gender, or two. Titles of two words are tried first. */
function onlyGenderIn(words: readonly string[], titles: ReadonlyMap<string, Gender>): Gender | null {
  const genders = new Set<Gender>();
  for (let at = 0; at < words.length; at++) {
    const pair = titles.get(`${words[at]} ${words[at + 1]}`);
    const gender = pair ?? titles.get(words[at] ?? '');
    if (gender) genders.add(gender);
    if (pair) at++;
  }
  const [only = null] = genders;
  return genders.size === 1 ? only : null;
}
