import { toAsciiDigits, foldToAscii, toUnicodeNormalForm, PRINTABLE_ASCII_PATTERN } from '../text.ts';
import { removeAndCollectUnits } from './unit.ts';
import { isHouseNumber, normaliseStreetName, type StreetName } from './street.ts';
import {
  DIRECTIONALS,
  UNAMBIGUOUS_HIGHWAY_WORDS,
  HIGHWAY_WORDS,
  STREET_TYPE_PREFIXES,
  STREET_TYPE_SUFFIXES,
} from './words.ts';

/** Parts of a street line. A missing part is an empty text. */
export interface StreetParts {
  /** House number with letter and fraction (`12A`, `123 1/2`), or number of a post box. */
  number: string;
  street: StreetName;
  /** Normalised unit, floor and building: `4B`, `FL3`, `BL2 4`. */
  unit: string;
  isPostBox: boolean;
}

const HAS_DIGIT = /\d/;
/** Words before a house number that mean "number" or "house". */
const NUMBER_MARKS = new Set(['NO', 'NR', 'NUMBER', 'NUM', 'D', 'DOM', 'HOUSE', 'PLOT', '#']);
const NO_STREET: StreetName = { line: '', core: '' };
const POST_BOX =
  /(?:\b(?:P ?O|POST OFFICE|GPO)[ -]*(?:BOX|BX|B)|\bPOSTBOX|\bPOSTFACH|\bPOSTBUS|\bAPARTADO(?: DE CORREOS| POSTAL)?|\bCASILLA(?: POSTAL| DE CORREO)?|\b(?:BOITE|CAIXA|CASELLA) POSTALE?|\bBP|\b(?:LOCKED|PRIVATE|PMB) BAG|^BOX) *#? *([A-Z]?\d+[A-Z]?)\b/;
const RURAL_BOX =
  /\b(?:(RR|RURAL ROUTE|RURAL RTE|RFD|R R)|(?:HC|HIGHWAY CONTRACT|STAR ROUTE)) *#? *(\d+) *,? *(?:BOX|BX|#) *([A-Z]?\d+[A-Z]?)\b/;
const MAY_HAVE_BOX = /BOX|BX|POST|PO B|APARTADO|CASILLA|\bBP |BAG/;
/** Words that are written together with their number: `APT4B`, `#4`, `HWY701`. */
const ATTACHED_NUMBER = /\b(APT|UNIT|STE|SUITE|RM|LOT|HWY|RTE|CR|SR|FM|US|NO|NR|I)-?(\d+[A-Z]?)\b/g;
/** Matches lines that `withoutMarks` must change. Most lines do not match. */
const HAS_MARK = /['"`.#()&:]| -|[A-Z]-?\d|  /;
const NUMBER_SIGN = /#/g;
const SEPARATOR = / *[,;|\n] */;
const QUOTES = /['"`]/g;
const STOPS = /[.()&:]/g;
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Parses street lines into house number, street, unit and post box. Units and building names may come first, and the number may be before or
 * after the street.
 */
export function parseStreet(text: string): StreetParts {
  const upper = PRINTABLE_ASCII_PATTERN.test(text)
    ? text.toUpperCase()
    : foldToAscii(rewriteNumberSigns(text)).toUpperCase();
  let line = HAS_MARK.test(upper) ? separateMarks(upper) : upper;
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

function separateMarks(line: string): string {
  const spaced = line
    .replace(QUOTES, '')
    .replace(STOPS, ' ')
    .replace(NUMBER_SIGN, ' # ')
    .replace(/ -+ /g, ' , ');
  return spaced.replace(ATTACHED_NUMBER, '$1 $2').replace(/ {2,}/g, ' ').trim();
}

/**
 * Rewrites fractions (½) and East Asian block numbers in house numbers. They would be lost when other scripts are converted to Latin letters.
 */
function rewriteNumberSigns(text: string): string {
  if (PRINTABLE_ASCII_PATTERN.test(text)) return text;
  const halves = text.replace(/(\d?) ?½/g, '$1 1/2');
  if (!EAST_ASIAN.test(halves)) return halves;
  return toAsciiDigits(toUnicodeNormalForm(halves, 'NFKC'))
    .replace(/(\d)\s*(?:丁目|番地の?|番|の|條|条)\s*(?=\d)/gu, '$1-')
    .replace(/(\d)\s*(?:号|號|番地|番|호|번지)/gu, '$1 ')
    .replace(/(?<=[^\d\s-])(?=\d)|(?<=\d)(?=[^\d\s-])/gu, ' ');
}

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
  for (const segment of SEPARATOR.test(line) ? line.split(SEPARATOR) : [line]) {
    if (segment === '') continue;
    const words = removeAndCollectUnits(segment.split(' '), units);
    if (words.length > 0) segments.push(words);
  }
  joinLoneNumber(segments);
  for (let index = 0; index < segments.length; index += 1) {
    const match = findNumber(segments[index] ?? []);
    if (match === undefined) continue;
    for (let later = index + 1; later < segments.length; later += 1)
      takeLoneUnit(segments[later] ?? [], units);
    units.push(...match.units);
    const unit = units.length > 1 ? [...new Set(units)].join(' ') : (units[0] ?? '');
    return { number: match.number, street: match.street, unit, isPostBox: false };
  }
  const words = segments[0] ?? [];
  const street = words.some((word) => /[A-Z]{2}/.test(word)) ? normaliseStreetName(words, false) : NO_STREET;
  return { number: '', street, unit: units.join(' '), isPostBox: false };
}

/** Joins a house number that is a separate segment with the street next to it: `12, Main Street`, `Calle Mayor, 5`, `ul. Lenina, d. 12`. */
function joinLoneNumber(segments: string[][]): void {
  for (let index = 0; index + 1 < segments.length; index += 1) {
    const current = segments[index] ?? [];
    const next = segments[index + 1] ?? [];
    const joins = isLoneNumber(current)
      ? !HAS_DIGIT.test(next[0] ?? '')
      : isLoneNumber(next) && !current.some((word) => HAS_DIGIT.test(word));
    if (!joins) continue;
    segments.splice(
      index,
      2,
      isLoneNumber(current) ? [current.at(-1) ?? '', ...next] : [...current, next.at(-1) ?? ''],
    );
    return;
  }
}

function isLoneNumber(words: string[]): boolean {
  return (
    isHouseNumber(words.at(-1) ?? '') &&
    words.every((word, index) => index === words.length - 1 || NUMBER_MARKS.has(word))
  );
}

/** Adds a line to the units if it is not the first and consists only of a letter or a unit such as `4B`. */
function takeLoneUnit(words: string[], units: string[]): void {
  const own = words[0] === '#' ? words.slice(1) : words;
  const only = own.length === 1 ? (own[0] ?? '') : '';
  if (units.length === 0 && /^(?:[A-Z]?-?\d{1,4}[A-Z]?|[A-Z])$/.test(only))
    units.push(only.replace(/-/g, ''));
}

type NumberedStreet = { number: string; street: StreetName; units: string[] };

/** Returns the house number of one line, with its street and units. Undefined if the line has no number. */
function findNumber(words: string[]): NumberedStreet | undefined {
  if (words.length < 2) return undefined;
  const start = NUMBER_MARKS.has(words[0] ?? '') ? 1 : 0;
  if (isHouseNumber(words[start] ?? '') && words.length > start + 1)
    return parseNumberFirst(words[start] ?? '', words.slice(start + 1));
  if (UNAMBIGUOUS_HIGHWAY_WORDS.has(words[0] ?? '')) return undefined;
  for (let index = words.length - 1; index > 0; index -= 1) {
    if (!isHouseNumber(words[index] ?? '')) continue;
    const before = words.slice(0, index);
    const typed =
      STREET_TYPE_PREFIXES.has(before[0] ?? '') ||
      before.some((word) => /(?:STRASSE|STR|STRAAT|WEG|GASSE|PLATZ|ALLEE|GATAN|VEJ)$/.test(word));
    if (index < words.length - 1 && !typed && !isLastLetter(words, index))
      return parseNumberFirst(words[index] ?? '', words.slice(index + 1));
    return parseNumberLast(
      before,
      words[index] ?? '',
      isLastLetter(words, index) ? (words[index + 1] ?? '') : '',
    );
  }
  return undefined;
}

const isLastLetter = (words: string[], index: number): boolean =>
  index === words.length - 2 && /^[A-Z]$/.test(words[index + 1] ?? '');

/**
 * Parses a line that begins with the house number: `12A Main St`, `123 1/2 Main St`, `4/12 Main St` (unit 4), `12 A Main St`, `12 Main St 4B`.
 */
function parseNumberFirst(first: string, words: string[]): NumberedStreet {
  let number = first;
  let rest = words;
  const units: string[] = [];
  if (rest.length > 1 && /^[123]\/[2348]$/.test(rest[0] ?? '')) number += ` ${rest.shift()}`;
  if (number.includes('/') && !number.includes(' ')) {
    const [unit, house] = number.split('/') as [string, string];
    units.push(unit);
    number = house;
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

/** Parses a line that ends with the house number: `Hauptstrasse 12`, `Calle Mayor 5`, `Lindengasse 12/4` (unit 4), `Hauptstrasse 12 a`. */
function parseNumberLast(before: string[], written: string, letter: string): NumberedStreet {
  const [number, unit] = written.split('/') as [string, string | undefined];
  const words = before.filter((word, index) => index < before.length - 1 || !NUMBER_MARKS.has(word));
  return {
    number: normaliseHouseNumber(number + letter),
    street: normaliseStreetName(words.length > 0 ? words : before, true),
    units: unit === undefined ? [] : [unit],
  };
}

/** Removes hyphens and leading zeros from a house number. `12-34` and `1234` in Queens are equal. */
function normaliseHouseNumber(number: string): string {
  const joined = number.includes('-') ? number.replaceAll('-', '') : number;
  return joined.startsWith('0') ? joined.replace(/^0+(?=\d)/, '') : joined;
}
