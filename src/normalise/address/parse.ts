import { foldToAscii, PRINTABLE_ASCII_PATTERN } from '../text.ts';
import { rewriteNumberSigns, separateMarks } from './marks.ts';
import {
  HOUSE_NUMBER_FRACTION,
  joinUnits,
  parseWordsAfterHouseNumber,
  removeAndCollectUnits,
  SHARED_UNIT_PART_PATTERN,
  takeUnitsWithoutMark,
  type WordsAfterHouseNumber,
} from './unit.ts';
import {
  hasNumber,
  isHouseNumber,
  isTurkishStreetType,
  normaliseStreetName,
  type StreetName,
  writeStreetNameNumbersAsOrdinals,
} from './street.ts';
import {
  DIRECTIONALS,
  UNAMBIGUOUS_HIGHWAY_WORDS,
  HIGHWAY_WORDS,
  MONTHS_IN_STREET_NAMES,
  STREET_TYPE_PREFIXES,
  STREET_TYPE_SUFFIXES,
  UNIT_WORDS_AFTER_NUMBER,
} from './words.ts';

/** Parts of a street line. A missing part is an empty text. */
export interface StreetParts {
  /** House number with its letter or fraction (`12A`, `123 1/2`), or the number of a post box. */
  number: string;
  street: StreetName;
  /** Normalised unit (flat), floor and building: `4B`, `FL3`, `BL2 4`. */
  unit: string;
  isPostBox: boolean;
}

const HAS_DIGIT = /\d/;
/** Largest difference between two numbers that are a range of houses (`12-30`), not a house and a flat. */
const LONGEST_RANGE = 20;
/** Words before a house number that mean "number" or "house". */
const NUMBER_MARKS = new Set([
  'NO',
  'NR',
  'N',
  'NUMBER',
  'NUM',
  'D',
  'DOM',
  'BUD',
  'BUDINOK',
  'HOUSE',
  'PLOT',
  '#',
]);
/** Words that mean "number" only between a street and its house number: Slovak `Obchodná č. 12`, Croatian `Ilica br. 15`. */
const MARKS_BEFORE_LAST = new Set(['C', 'CP', 'BR', 'AR']);
const NO_STREET: StreetName = { line: '', core: '' };
const POST_BOX =
  /(?:\b(?:P ?O|POST OFFICE|GPO)[ -]*(?:BOX|BX|B)|\bPOSTBOX|\bPOSTFACH|\bPOSTBUS|\bAPARTADO(?: DE CORREOS| POSTAL)?|\bCASILLA(?: POSTAL| DE CORREO)?|\b(?:BOITE|CAIXA|CASELLA) POSTALE?|\bBP|\b(?:LOCKED|PRIVATE|PMB) BAG|^BOX) *#? *([A-Z]?\d+[A-Z]?)\b/;
const RURAL_BOX =
  /\b(?:(RR|RURAL ROUTE|RURAL RTE|RFD|R R)|(?:HC|HIGHWAY CONTRACT|STAR ROUTE)) *#? *(\d+) *,? *(?:BOX|BX|#) *([A-Z]?\d+[A-Z]?)\b/;
const MAY_HAVE_BOX = /BOX|BX|POST|PO B|APARTADO|CASILLA|\bBP |BAG/;
const SEPARATOR = / *[,;|\n] */;
/** Matches a unit before the house number, as in Canada: `5-1234 rue Saint-Denis`. Elsewhere (`94-1042 Hiapo St` in Hawaii), both are the number. */
const UNIT_BEFORE_HOUSE = /(?<=^|[,;|\n] ?)(\d{1,4})-(\d{3,5})(?= )/;

/** Matches the place between a floor and its door in Denmark, which may be written together after the house number: `Vestergade 30 2tv`. */
const DANISH_DOOR = /(?<=\d[, ] ?\d{1,2})(?=(?:TV|TH|MF)\b)/;
/** Matches the number sign before a house number with a flat in Mexico: `Durango #215-4`. */
const NUMBER_SIGN_BEFORE_FLAT = /# (?=\d{1,5}-\d)/;

/**
 * Parses street lines into house number, street, unit and post box. Units and building names may come first; the number may precede or follow the
 * street.
 *
 * @param country ISO code, or empty if unknown
 */
export function parseStreet(text: string, country = ''): StreetParts {
  const upper = PRINTABLE_ASCII_PATTERN.test(text)
    ? text.toUpperCase()
    : foldToAscii(rewriteNumberSigns(text)).toUpperCase();
  let line = separateMarks(upper);
  if (country === 'CA') line = line.replace(UNIT_BEFORE_HOUSE, separateUnitBeforeHouse);
  if (country === 'DK') line = line.replace(DANISH_DOOR, ' ');
  // In Colombia, both numbers after the sign belong to the house: `Carrera 7 # 71-21`.
  if (country === 'MX') line = line.replace(NUMBER_SIGN_BEFORE_FLAT, '');
  let box: StreetParts | undefined;
  if (MAY_HAVE_BOX.test(line)) {
    const match = RURAL_BOX.exec(line) ?? POST_BOX.exec(line);
    if (match !== null) {
      box = toPostBox(match);
      line = line.replace(match[0], ' , ');
    }
  }
  const parts = parseSegments(line);
  return box !== undefined && parts.number === '' ? box : parts;
}

const separateUnitBeforeHouse = (all: string, unit: string, house: string): string => {
  const distance = Number(house) - Number(unit);
  return distance > 0 && distance <= LONGEST_RANGE ? all : `${unit}/${house}`;
};

function toPostBox(match: RegExpExecArray): StreetParts {
  const rural = match.length > 2;
  const number = rural ? (match[3] ?? '') : (match[1] ?? '');
  const kind = rural ? `${match[1] === undefined ? 'HC' : 'RR'} ${Number(match[2])} BOX` : 'PO BOX';
  return {
    number: number.replace(/^0+(?=\d)/, ''),
    street: { line: kind, core: kind.replaceAll(' ', '') },
    unit: '',
    isPostBox: true,
  };
}

function parseSegments(line: string): StreetParts {
  const units: string[] = [];
  const segments: string[][] = [];
  const written = SEPARATOR.test(line) ? line.split(SEPARATOR) : [line];
  for (const [index, segment] of written.entries()) {
    if (segment === '') continue;
    const named = writeStreetNameNumbersAsOrdinals(splitPrefix(segment.split(' ')), written[index + 1]);
    const words = removeAndCollectUnits(joinNumberSuffix(named), units, segments.at(-1) ?? []);
    if (words.length > 0) segments.push(words);
  }
  joinLoneNumber(segments, units);
  for (let index = 0; index < segments.length; index += 1) {
    const match = findNumber(segments[index] ?? []);
    if (match === undefined) continue;
    // "4B, 12 Oak St"
    for (const earlier of segments.slice(0, index)) {
      const { units: found, rest } = takeUnitsWithoutMark(earlier);
      if (rest.length === 0) units.push(...found);
    }
    for (let later = index + 1; later < segments.length; later += 1)
      takeLoneUnit(segments[later] ?? [], units);
    units.push(...match.units);
    return { number: match.number, street: match.street, unit: joinUnits(units), isPostBox: false };
  }
  const [words = [], ...dropped] = segments;
  const hasUnreadNumber = !words.some(hasNumber) && dropped.some(([first = '']) => /^\d/.test(first));
  const isStreet = !hasUnreadNumber && words.some((word) => /[A-Z]{2}/.test(word));
  const street = isStreet ? normaliseStreetName(words, false) : NO_STREET;
  return { number: '', street, unit: joinUnits(units), isPostBox: false };
}

/** Splits a street type with a slash from the name of the street: `C/ Mayor`, `Avda/Mayor`. */
function splitPrefix(words: string[]): string[] {
  if (words[0]?.includes('/') !== true) return words;
  const [type = '', name = ''] = words[0].split('/', 2);
  if (!STREET_TYPE_PREFIXES.has(type) || /^\d|^[A-Z]$/.test(name)) return words;
  return [type, ...(name === '' ? [] : [name]), ...words.slice(1)];
}

/**
 * Joins `BIS` and `TER` to the house number before it: `12 bis rue de Rivoli`. TER is joined only before a street type, because it may also be a
 * terrace. BIS is not joined before a number, because it means "to" in German.
 */
function joinNumberSuffix(words: string[]): string[] {
  if (!words.includes('BIS') && !words.includes('TER')) return words;
  const at = words.findIndex((word, index) => {
    const isSuffix = word === 'BIS' || (word === 'TER' && STREET_TYPE_PREFIXES.has(words[index + 1] ?? ''));
    return isSuffix && /^\d{1,5}$/.test(words[index - 1] ?? '') && !HAS_DIGIT.test(words[index + 1] ?? '');
  });
  return at < 0 ? words : words.toSpliced(at - 1, 2, `${words[at - 1]}${words[at]}`);
}

/**
 * Joins a house number with the street beside it, from which a comma separates it: `12, Main Street`, `Calle Mayor, 5`, `ul. Lenina, d. 12`, `Calle
 * Mayor, 5 3º B`.
 */
function joinLoneNumber(segments: string[][], units: string[]): void {
  for (let index = 0; index + 1 < segments.length; index += 1) {
    const joined = joinSegments(segments[index] ?? [], segments[index + 1] ?? [], units);
    if (joined === null) continue;
    segments.splice(index, 2, joined);
    return;
  }
}

/**
 * Joins two segments of a line if one is the house number of the other. Adds the words after the number to `units`. Null if they do not belong
 * together.
 */
function joinSegments(current: string[], next: string[], units: string[]): string[] | null {
  if (isLoneNumber(current)) return hasNumber(next[0] ?? '') ? null : [current.at(-1) ?? '', ...next];
  const isNumbered = current.some(hasNumber);
  if (isLoneNumber(next))
    return isNumbered && !isNumberedStreet(current) ? null : [...current, next.at(-1) ?? ''];
  const [number = '', ...words] = next.slice(NUMBER_MARKS.has(next[0] ?? '') ? 1 : 0);
  if (isNumbered || !isNumberOfStreet(number, words, current)) return null;
  const { suffix, units: found, rest } = parseWordsAfterHouseNumber(words);
  units.push(...found, ...(rest.some((word) => HAS_DIGIT.test(word)) ? [rest.join(' ')] : []));
  return [...current, ...`${number}${suffix}`.split(' ')];
}

function isLoneNumber(words: string[]): boolean {
  return (
    isHouseNumber(words.at(-1) ?? '') &&
    words.every((word, index) => index === words.length - 1 || NUMBER_MARKS.has(word))
  );
}

/** Matches street types at the end of a word: `HAUPTSTRASSE`. */
const JOINED_TYPE =
  /(?:STRASSE|STR|STRAAT|GRACHT|KADE|LAAN|PLEIN|WEG|GASSE|PLATZ|ALLEE|GATAN|GATA|GADE|VEJ|VEIEN|VAGEN|KATU|TIE|UTCA)$/;

/**
 * True for a street whose house number follows the name: the street begins with a street type or a date, or one of its words ends in a street type.
 */
const isStreetBeforeNumber = (words: readonly string[]): boolean =>
  STREET_TYPE_PREFIXES.has(words[0] ?? '') ||
  words.some((word) => JOINED_TYPE.test(word)) ||
  (/^\d+ST$/.test(words[0] ?? '') && words.slice(1).some((word) => MONTHS_IN_STREET_NAMES.has(word)));

/** True for a street whose name is a number: `Calle 100`. */
const isNumberedStreet = ([type = '', name = '', ...others]: readonly string[]): boolean =>
  others.length === 0 && STREET_TYPE_PREFIXES.has(type) && isHouseNumber(name);

/**
 * True if a segment, split into its first word `number` and `rest`, is the house number of the street before it, with or without a unit. False for a
 * street with its own number: `12 High St`.
 */
function isNumberOfStreet(number: string, rest: readonly string[], street: readonly string[]): boolean {
  if (!isHouseNumber(number) || !isStreetBeforeNumber(street)) return false;
  // A number of five digits may be a postcode before a city.
  if (/^\d{5}/.test(number)) return takeUnitsWithoutMark(rest).units.length > 0;
  const [first = ''] = rest;
  const isStreet =
    rest.length > 1 && (STREET_TYPE_PREFIXES.has(first) || STREET_TYPE_SUFFIXES.has(rest.at(-1) ?? ''));
  return !isStreet || UNIT_WORDS_AFTER_NUMBER.has(first) || HAS_DIGIT.test(first);
}

/**
 * Adds a segment after the first one of the line to `units`, unless `units` already has a flat. A segment that consists of units (`4B`, `3º B`) adds
 * them. Any other segment with a digit may be a flat in another language: it is added as one text with the mark `?` before it. It is left out if it
 * has four digits in a row, because these may be a postcode.
 */
function takeLoneUnit(words: string[], units: string[]): void {
  if (units.some((unit) => !SHARED_UNIT_PART_PATTERN.test(unit))) return;
  const found = takeUnitsWithoutMark(words[0] === '#' ? words.slice(1) : words);
  if (found.rest.length === 0) units.push(...found.units);
  else if (words.some((word) => HAS_DIGIT.test(word)) && !words.some((word) => /\d{4}/.test(word)))
    units.push(`?${words.join('')}`);
}

type NumberedStreet = { number: string; street: StreetName; units: string[] };

/** Finds the house number of a line, and parses the street and units beside it. Undefined if the line has no house number. */
function findNumber(words: string[]): NumberedStreet | undefined {
  if (words.length < 2 || (words.length === 2 && /^N[OR]$/.test(words[0] ?? ''))) return undefined;
  const start = NUMBER_MARKS.has(words[0] ?? '') ? 1 : 0;
  if (isHouseNumber(words[start] ?? '') && words.length > start + 1)
    return parseNumberFirst(words[start] ?? '', words.slice(start + 1));
  if (UNAMBIGUOUS_HIGHWAY_WORDS.has(words[0] ?? '')) return undefined;
  for (let index = words.length - 1; index > 0; index -= 1) {
    if (!isHouseNumber(words[index] ?? '') || isDoor(words, index)) continue;
    const isTyped = isStreetBeforeNumber(words.slice(0, index)) || isTurkishNumber(words, index);
    if (index < words.length - 1 && !isTyped && !isLastLetter(words, index))
      return parseNumberFirst(words[index] ?? '', words.slice(index + 1));
    const at = isTyped ? findFirstOfNumbers(words, index) : index;
    const tail = parseWordsAfterHouseNumber(words.slice(at + 1));
    // A number after the house number shows that it may be none: `Carretera 340 km 12,3`.
    if (tail.rest.some((word) => HAS_DIGIT.test(word))) return undefined;
    return parseNumberLast(words.slice(0, at), words[at] ?? '', tail);
  }
  return undefined;
}

/** True for a house number after a Turkish street type: `Lale Sok. No:12 Kadıköy`. */
const isTurkishNumber = (words: readonly string[], index: number): boolean =>
  index > 1 && isTurkishStreetType(words[index - (NUMBER_MARKS.has(words[index - 1] ?? '') ? 2 : 1)] ?? '');

/** True for the number of a door that follows a house number and a floor: `Calle Mayor 5 2º 1ª`. */
const isDoor = (words: readonly string[], index: number): boolean =>
  /^\d+ST$/.test(words[index - 1] ?? '') && isHouseNumber(words[index - 2] ?? '');

/**
 * Returns the index of the house number among adjacent numbers: the first one, because the others are units (`Calle Mayor 5 3`). A number right after
 * the street type is the name of the street (`Calle 7 12`).
 */
function findFirstOfNumbers(words: readonly string[], last: number): number {
  const least = STREET_TYPE_PREFIXES.has(words[0] ?? '') ? 2 : 1;
  let index = last;
  while (index > least && isHouseNumber(words[index - 1] ?? '')) index -= 1;
  // In Finnish "Mannerheimintie 12 A 5", A is the staircase.
  return index > least + 1 && isLetter(words[index - 1]) && isHouseNumber(words[index - 2] ?? '')
    ? index - 2
    : index;
}

const isLetter = (word = ''): boolean => /^[A-Z]$/.test(word);

const isLastLetter = (words: string[], index: number): boolean =>
  index === words.length - 2 && isLetter(words[index + 1]);

/**
 * Parses a line that begins with the house number: `12A Main St`, `123 1/2 Main St`, `4/12 Main St` (unit 4), `12 A Main St`, `12 Main St 4B`.
 */
function parseNumberFirst(first: string, words: string[]): NumberedStreet {
  let number = first;
  let rest = words;
  const units: string[] = [];
  if (rest.length > 1 && HOUSE_NUMBER_FRACTION.test(rest[0] ?? '')) number += ` ${rest.shift()}`;
  if (number.includes('/') && !number.includes(' ')) {
    const [unit, house] = number.split('/') as [string, string];
    if (HAS_DIGIT.test(house)) units.push(unit);
    number = HAS_DIGIT.test(house) ? house : unit + house;
  }
  if (
    rest.length > 2 &&
    (rest[0] ?? '').length === 1 &&
    /^[A-DF-MO-RT-VX-Z]$/.test(rest[0] ?? '') &&
    !UNAMBIGUOUS_HIGHWAY_WORDS.has(rest[0] ?? '')
  )
    number += rest.shift();
  if (endsWithUnit(rest)) {
    units.push(rest.at(-1) ?? '');
    rest = rest.slice(0, -1);
  }
  return { number: normaliseHouseNumber(number), street: normaliseStreetName(rest, false), units };
}

/** True if the last word is a unit, as in `Main St 4B`. False for the highway `County Road 4B`. */
function endsWithUnit(words: string[]): boolean {
  if (words.length < 3 || !STREET_TYPE_SUFFIXES.has(words.at(-2) ?? '')) return false;
  if (!/^(?:\d{1,4}[A-Z]?|[A-Z]\d{1,4}|[A-DF-MO-RT-VX-Z])$/.test(words.at(-1) ?? '')) return false;
  const titles = words.slice(DIRECTIONALS.has(words[0] ?? '') ? 1 : 0, -1);
  return !titles.every((word) => HIGHWAY_WORDS.has(word));
}

/**
 * Parses a line that ends with the house number: `Hauptstrasse 12`, `Calle Mayor 5`, `Lindengasse 12/4` (unit 4), `12/2/4` (staircase 2), `Via Roma
 * 1/a` (number 1A), `Hauptstrasse 12 a`.
 */
function parseNumberLast(
  before: string[],
  written: string,
  { suffix, units }: WordsAfterHouseNumber,
): NumberedStreet {
  const [number = '', ...inside] = splitFlat(written, before).split('/');
  const letter = inside.length === 1 && !HAS_DIGIT.test(inside[0] ?? '') ? (inside.pop() ?? '') : '';
  const [unit, stairs] = inside.toReversed();
  const last = before.at(-1) ?? '';
  // "Rua C 12" and "Avenue D 12": a letter after nothing but a street type is the name of the street.
  const isName = before.length === 2 && isLetter(last) && STREET_TYPE_PREFIXES.has(before[0] ?? '');
  const isMark = !isName && (NUMBER_MARKS.has(last) || MARKS_BEFORE_LAST.has(last));
  const words = isMark ? before.slice(0, -1) : before;
  return {
    number: normaliseHouseNumber(number + letter) + suffix,
    street: normaliseStreetName(words.length > 0 ? words : before, true),
    units: [
      ...(stairs === undefined ? [] : [`FL${stairs}`]),
      ...(unit === undefined ? [] : [unit]),
      ...units,
    ],
  };
}

/**
 * Replaces the hyphen between a house number and a flat by a slash: Russian `Ленина 12-3`, Dutch `Kerkstraat 12-2`. A second number that is slightly
 * larger makes a range of houses (`12-14`), which stays. After a street with a number as its name, both numbers belong to the house: `Calle 100 #
 * 19-61`.
 */
function splitFlat(number: string, street: readonly string[]): string {
  const [, house, flat] = /^(\d{1,4})-(\d{1,4})$/.exec(number) ?? [];
  if (house === undefined || street.some(hasNumber) || street.includes('#')) return number;
  const distance = Number(flat) - Number(house);
  return distance > 0 && distance <= LONGEST_RANGE ? number : `${house}/${flat}`;
}

/** Removes hyphens and leading zeros from a house number: in Queens, `12-34` and `1234` are the same house. */
function normaliseHouseNumber(number: string): string {
  const joined = number.includes('-') ? number.replaceAll('-', '') : number;
  return joined.startsWith('0') ? joined.replace(/^0+(?=\d)/, '') : joined;
}
