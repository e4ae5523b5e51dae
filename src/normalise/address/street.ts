import {
  DIRECTIONALS,
  UNAMBIGUOUS_HIGHWAY_WORDS,
  HIGHWAY_WORDS,
  FLOORS_AND_BUILDINGS,
  correctStreetType,
  STREET_NAME_WORD_SPELLINGS,
  DIGITS_BY_ORDINAL_WORD,
  MONTHS_IN_STREET_NAMES,
  STREET_NAME_ARTICLES,
  STREET_NAME_PARTICLES,
  STREET_TYPE_PREFIXES,
  STREET_TYPE_SUFFIXES,
  UNIT_MARKS,
  UNIT_WORDS_AFTER_NUMBER,
  USUAL_STREET_TYPES,
} from './words.ts';
import { normaliseDate } from '../date.ts';

export interface StreetName {
  /** Street name with directionals and street type: `N 37 PL`, `VALLEYDALE LN`. */
  line: string;
  /** Street name without directionals, street type and spaces: `37`, `VALLEYDALE`. */
  core: string;
}

const LETTER_OR_DIGIT = /[A-Z0-9]/;
const HOUSE_NUMBER =
  /^(?:\d{1,6}(?:-?[A-Z])?|\d+(?:-\d+)+[A-Z]?|\d+[A-Z]-\d+|\d+[A-Z]?(?:\/\d+[A-Z]?){1,2}|\d{1,6}\/?(?:BIS|TER|QUATER)|\d{1,6}\/[A-Z]|[NSEW]\d+[NSEW]\d+)$/;
/** Canonical spellings of words in street names: `FIRST` becomes `1`, `AVENUE` becomes `AVE`. */
const CANONICAL_WORDS = new Map([
  ...STREET_TYPE_SUFFIXES,
  ...DIGITS_BY_ORDINAL_WORD,
  ...STREET_NAME_WORD_SPELLINGS,
]);
/** Matches the hyphen between words of a name: `KARL-MARX`. */
const HYPHEN_IN_NAME = /(?<=[A-Z])-(?=[A-Z])/;
/** Matches ä, ö, ü and ø in their spelling with two letters. The letters are no umlaut in `JACQUES`, `BAUER`, `NEUE` and `DUE`. */
const UMLAUT_IN_TWO_LETTERS = /(?<![AEQ])([AO]|U(?=E.))E/g;
const ORDINAL = /^0*(\d+)(?:ST|ND|RD|TH)$/;
/** Matches German and Dutch street names that end in the street type: `HAUPTSTRASSE`, `HAUPTSTR`, `KERKSTRAAT`. */
const COMPOUND_STREET = /^(.{3,})(?:STRASSE|STRASZE|STR|STRAAT)$/;
/** Street types at the end of a word that are abbreviated to the same letter, with their canonical spelling. */
const COMPOUND_TYPES: readonly (readonly [RegExp, string])[] = [
  [/(?:GATAN|GATA|GATE|GT)$/, 'GASSE'],
  [/(?:VAGEN|VEIEN|VEI)$/, 'VEJ'],
];
/** Maximum length of street types that count as such at the start of a name only if the house number follows the street (`C Mayor 5`). */
const SHORT_PREFIX_LENGTH = 2;
/** Street types of at most `SHORT_PREFIX_LENGTH` letters that are also recognised after a house number: `12 av. Foch`. */
const FRENCH_PREFIXES = new Set(['AV', 'BD', 'PL', 'CH']);

/** Street types that are written between the name of a street and a house number, never after the number: `19 Mayıs Cad. No: 12`. */
const TYPES_BEFORE_NUMBER = new Set(['CADDESI', 'SOKAK']);
/** Matches the text after a street type if it begins with a house number, not with a floor (`3 KAT`) or a postcode. */
const HOUSE_NUMBER_AFTER_TYPE = /^(?:N[OR] \d|\d{1,4}(?!\d| KAT\b))/;
const DUTCH_ORDINAL = /^(\d{1,2})(?:E|DE|STE)$/;
const DUTCH_STREET = /(?:STRAAT|STR|WEG|LAAN|GRACHT|PLEIN|KADE)$/;
const ONLY_LETTERS = /^[A-Z]{2,}$/;

/** True for a Turkish street type, which is written before the house number (CAD, SOK). */
export const isTurkishStreetType = (word: string): boolean =>
  TYPES_BEFORE_NUMBER.has(STREET_TYPE_SUFFIXES.get(word) ?? '');

/**
 * Writes numbers in street names as ordinals, so that they are not taken for house numbers: the day in `Calle 25 de Mayo`, day and year in `Rue du 8
 * Mai 1945`, the first number in `19 Mayıs Cad. No: 12`, `25 de Mayo 100` and `2e Helmersstraat 10`. A year is recognised only if another number
 * follows.
 * @param next segment of the address after `words`
 */
export function writeStreetNameNumbersAsOrdinals(words: string[], next = ''): string[] {
  const [first = ''] = words;
  if (!/^\d/.test(first) && !STREET_TYPE_PREFIXES.has(first)) return words;
  const at = words.findIndex((word, index) => index > 0 && !STREET_NAME_PARTICLES.has(word));
  const [number = '', name = ''] = [words[at], words[at + 1]];
  const isUnit = (index: number) => UNIT_MARKS.has(words[index - 1] ?? '') && words[index - 1] !== 'NO';
  const isNumberAfter = (from: number) =>
    words.some((word, index) => index >= from && hasNumber(word) && !isUnit(index)) ||
    /^(?:N[OR] )?\d/.test(next);
  if (/^\d{1,4}$/.test(first)) {
    if (!isNumberAfter(1)) return words;
    const type = words.findIndex(isTurkishStreetType);
    const isBeforeNumber = () =>
      HOUSE_NUMBER_AFTER_TYPE.test(type === words.length - 1 ? next : words.slice(type + 1).join(' '));
    // The house number follows the month: "12 May Street" is house 12.
    const isDate =
      MONTHS_IN_STREET_NAMES.has(number) &&
      (name === '' ? /^(?:N[OR]? )?\d/.test(next) : hasNumber(name) || /^N[OR]?$/.test(name));
    return isDate || (type > 0 && isBeforeNumber()) ? words.with(0, `${first}ST`) : words;
  }
  const dutch = DUTCH_ORDINAL.exec(first);
  if (dutch !== null && DUTCH_STREET.test(number) && isNumberAfter(at + 1))
    return words.with(0, `${dutch[1]}ST`);
  if (!STREET_TYPE_PREFIXES.has(first) || !/^\d{1,2}$/.test(number) || !isNameWord(name)) return words;
  if (STREET_TYPE_SUFFIXES.has(words.at(-1) ?? '') || UNAMBIGUOUS_HIGHWAY_WORDS.has(first)) return words;
  const marked = words.with(at, `${number}ST`);
  const date = words.slice(at, at + 3);
  const hasYear =
    /^\d{4}$/.test(date[2] ?? '') &&
    isNumberAfter(at + 3) &&
    normaliseDate(date.join(' ').toLowerCase()) !== null;
  return hasYear ? marked.with(at + 2, `${date[2]}ST`) : marked;
}

const isNameWord = (word: string): boolean =>
  ONLY_LETTERS.test(word) &&
  !STREET_TYPE_PREFIXES.has(word) &&
  !STREET_TYPE_SUFFIXES.has(word) &&
  !UNIT_MARKS.has(word) &&
  !FLOORS_AND_BUILDINGS.has(word) &&
  !UNIT_WORDS_AFTER_NUMBER.has(word);

/** True for a word with a digit that is no ordinal. An ordinal (`1ST`) belongs to the street name. */
export const hasNumber = (word: string): boolean => /\d/.test(word) && !ORDINAL.test(word);

/** True for a word that can be a house number. An ordinal (`5TH`) is a street name. */
export function isHouseNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return (first < 58 || word.length > 3) && HOUSE_NUMBER.test(word);
}

/**
 * Normalises the words of a street without house number and unit.
 * @param trailingNumber true if the house number follows the street, as in most of Europe and Latin America
 */
export function normaliseStreetName(words: string[], trailingNumber: boolean): StreetName {
  const name = words.flatMap((word) => {
    if (!LETTER_OR_DIGIT.test(word)) return [];
    return word.includes('-') && !CANONICAL_WORDS.has(word) && !STREET_TYPE_PREFIXES.has(word)
      ? word.split(HYPHEN_IN_NAME)
      : word;
  });
  const pre = takeDirectional(name, true);
  const highway = highwayNumber(name);
  if (highway !== undefined) return { line: joinWords(pre, `HWY ${highway}`), core: highway };
  let post = takeDirectional(name, false);
  const prefixType = takePrefixType(name, trailingNumber);
  let type = prefixType || takeSuffix(name);
  // The street type may also come before the directional, as in "Main St N".
  if (type !== '' && post === '') post = takeDirectional(name, false);
  if (USUAL_STREET_TYPES.has(prefixType) || type === 'UL') type = '';
  const isArticleOptional = prefixType !== '' || trailingNumber;
  let line = pre;
  let core = '';
  let particles = '';
  for (const word of name) {
    if (word === 'THE' && name.length > 1) continue;
    const canonical = trailingNumber ? toCanonicalEuropeanWord(word) : toCanonicalWord(word);
    if (!isArticleOptional || !STREET_NAME_ARTICLES.has(canonical)) line = joinWords(line, canonical);
    if (STREET_NAME_PARTICLES.has(canonical)) particles += canonical;
    else core += canonical;
  }
  if (line === pre) line = joinWords(pre, particles);
  return { line: joinWords(joinWords(line, type), post), core: (core || particles).replaceAll('-', '') };
}

function joinWords(line: string, word: string): string {
  if (line === '' || word === '') return line || word;
  return `${line} ${word}`;
}

function toCanonicalWord(word: string): string {
  return CANONICAL_WORDS.get(word) ?? ORDINAL.exec(word)?.[1] ?? word;
}

/** Like `toCanonicalWord`, for a street before its house number: also writes `KOENIG` as `KONIG`, and joined street types in one spelling. */
function toCanonicalEuropeanWord(word: string): string {
  const found = COMPOUND_TYPES.find(([pattern]) => word.length > 5 && pattern.test(word));
  const named = found === undefined ? word : word.replace(found[0], found[1]);
  return toCanonicalWord(named).replace(UMLAUT_IN_TWO_LETTERS, '$1');
}

/**
 * Removes a directional (`N`, `North`, `N W`, `Northwest`) from the front or the end of the name, and returns it; empty if there is none. A
 * directional stays if it is the whole name (`North Ave`, `Avenue E`).
 */
function takeDirectional(name: string[], front: boolean): string {
  const direction = DIRECTIONALS.get(name.at(front ? 0 : -1) ?? '');
  if (direction === undefined || name.length < 2) return '';
  if (front && name.length === 2 && isStreetType(name[1] ?? '')) return '';
  if (!front && name.length === 2 && STREET_TYPE_SUFFIXES.has(name[0] ?? '')) return '';
  const neighbour = DIRECTIONALS.get(name.at(front ? 1 : -2) ?? '');
  const pair = neighbour === undefined ? undefined : front ? direction + neighbour : neighbour + direction;
  if (pair !== undefined && pair.length === 2 && DIRECTIONALS.has(pair) && name.length > 3) {
    name.splice(front ? 0 : -2, 2);
    return pair;
  }
  name.splice(front ? 0 : -1, 1);
  return direction;
}

const isStreetType = (word: string): boolean =>
  STREET_TYPE_SUFFIXES.has(word) || correctStreetType(word) !== undefined;

function takePrefixType(name: string[], trailingNumber: boolean): string {
  const first = name[0] ?? '';
  const type = STREET_TYPE_PREFIXES.get(first);
  if (type === undefined || name.length < 2) return '';
  const isShort = first.length <= SHORT_PREFIX_LENGTH && !FRENCH_PREFIXES.has(first);
  if (!trailingNumber && (isShort || STREET_TYPE_SUFFIXES.has(name.at(-1) ?? ''))) return '';
  name.shift();
  return type;
}

/**
 * Removes the street type from the end of the name, and returns it; empty if there is none. It may be joined to the name (`HAUPTSTR`), truncated or
 * misspelt. At least one word stays in the name.
 */
function takeSuffix(name: string[]): string {
  const last = name.at(-1) ?? '';
  const compound = COMPOUND_STREET.exec(last);
  if (compound !== null) {
    name[name.length - 1] = compound[1] ?? '';
    return 'ST';
  }
  if (name.length < 2) return '';
  let type = STREET_TYPE_SUFFIXES.get(last);
  if (
    type === undefined &&
    !name.slice(0, -1).some((word) => STREET_TYPE_SUFFIXES.has(word) && word !== 'ST')
  )
    type = correctStreetType(last);
  // In "The Green", GREEN is the name of the street, so more than an article must remain.
  if (
    type === undefined ||
    (STREET_NAME_PARTICLES.has(name.at(-2) ?? '') &&
      name.slice(0, -1).every((word) => STREET_NAME_PARTICLES.has(word) && word.length > 1))
  )
    return '';
  name.pop();
  return type;
}

/** Returns the number of a highway, whatever its type: `US HWY 701`, `County Road 12`, `State Rte 9`, `FM 1960`. Undefined for other streets. */
function highwayNumber(name: string[]): string | undefined {
  if (name.length < 2 || !HIGHWAY_WORDS.has(name[0] ?? '')) return undefined;
  const at = name.findIndex((word) => /^\d+[A-Z]?$/.test(word));
  if (at >= 1) {
    const titles = name.slice(0, at);
    const marked =
      titles.length > 1 ||
      UNAMBIGUOUS_HIGHWAY_WORDS.has(titles[0] ?? '') ||
      titles[0] === 'US' ||
      titles[0] === 'I';
    return marked && titles.every((word) => HIGHWAY_WORDS.has(word)) ? name[at] : undefined;
  }
  const letters =
    name.length === 3 && /^(?:COUNTY|CNTY|CO)$/.test(name[0] ?? '') && /^[A-Z]{1,2}$/.test(name[2] ?? '');
  return letters && HIGHWAY_WORDS.has(name[1] ?? '') ? name[2] : undefined;
}
