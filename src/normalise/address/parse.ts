import { toAsciiDigits, foldToAscii, toNormalForm, PRINTABLE_ASCII } from '../text.ts';
import { takeUnits } from './unit.ts';
import { isHouseNumber, readName, type StreetName } from './street.ts';
import { DIRECTIONALS, HIGHWAY_MARKS, HIGHWAY_WORDS, PREFIX_TYPES, SUFFIXES } from './words.ts';

/** A street line taken apart. Empty strings stand for what is not there. */
export interface StreetParts {
  /** House number with letter and fraction: `12A`, `123 1/2`; or the number of a post box. */
  number: string;
  street: StreetName;
  /** Flat, suite, floor, building: `4B`, `FL3`, `BL2 4`. */
  unit: string;
  box: boolean;
}

const HAS_DIGIT = /\d/;
/** "Number" and "house" in front of a house number. */
const NUMBER_MARKS = new Set(['NO', 'NR', 'NUMBER', 'NUM', 'D', 'DOM', 'HOUSE', 'PLOT', '#']);
const NO_STREET: StreetName = { line: '', core: '' };
const BOX =
  /(?:\b(?:P ?O|POST OFFICE|GPO)[ -]*(?:BOX|BX|B)|\bPOSTBOX|\bPOSTFACH|\bPOSTBUS|\bAPARTADO(?: DE CORREOS| POSTAL)?|\bCASILLA(?: POSTAL| DE CORREO)?|\b(?:BOITE|CAIXA|CASELLA) POSTALE?|\bBP|\b(?:LOCKED|PRIVATE|PMB) BAG|^BOX) *#? *([A-Z]?\d+[A-Z]?)\b/;
const RURAL =
  /\b(?:(RR|RURAL ROUTE|RURAL RTE|RFD|R R)|(?:HC|HIGHWAY CONTRACT|STAR ROUTE)) *#? *(\d+) *,? *(?:BOX|BX|#) *([A-Z]?\d+[A-Z]?)\b/;
const MAY_HAVE_BOX = /BOX|BX|POST|PO B|APARTADO|CASILLA|\bBP |BAG/;
/** A mark stuck to its number: `APT4B`, `#4`, `HWY701`. */
const STUCK = /\b(APT|UNIT|STE|SUITE|RM|LOT|HWY|RTE|CR|SR|FM|US|NO|NR|I)-?(\d+[A-Z]?)\b/g;
/** Whether a line needs `withoutMarks` at all: most do not. */
const HAS_MARK = /['"`.#()&:]| -|[A-Z]-?\d|  /;
const NUMBER_SIGN = /#/g;
const SEPARATOR = / *[,;|\n] */;
const QUOTES = /['"`]/g;
const STOPS = /[.()&:]/g;
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Takes street lines apart: house number, street, unit, post box. Handles units and building names in front,
 * numbers before and after the street, one line or several parts with commas.
 */
export function parseStreet(text: string): StreetParts {
  const upper = PRINTABLE_ASCII.test(text) ? text.toUpperCase() : foldToAscii(prepare(text)).toUpperCase();
  let line = HAS_MARK.test(upper) ? withoutMarks(upper) : upper;
  let box: StreetParts | undefined;
  if (MAY_HAVE_BOX.test(line)) {
    const found = RURAL.exec(line) ?? BOX.exec(line);
    if (found !== null) {
      box = boxParts(found);
      line = line.replace(found[0], ' , ');
    }
  }
  const parts = parseSegments(line);
  return box !== undefined && parts.number === '' ? box : parts;
}

function withoutMarks(line: string): string {
  const spaced = line
    .replace(QUOTES, '')
    .replace(STOPS, ' ')
    .replace(NUMBER_SIGN, ' # ')
    .replace(/ -+ /g, ' , ');
  return spaced.replace(STUCK, '$1 $2').replace(/ {2,}/g, ' ').trim();
}

/** What must be seen before other scripts become Latin letters: half numbers, and East Asian block numbers. */
function prepare(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  const halves = text.replace(/(\d?) ?½/g, '$1 1/2');
  if (!EAST_ASIAN.test(halves)) return halves;
  return toAsciiDigits(toNormalForm(halves, 'NFKC'))
    .replace(/(\d)\s*(?:丁目|番地の?|番|の|條|条)\s*(?=\d)/gu, '$1-')
    .replace(/(\d)\s*(?:号|號|番地|番|호|번지)/gu, '$1 ')
    .replace(/(?<=[^\d\s-])(?=\d)|(?<=\d)(?=[^\d\s-])/gu, ' ');
}

function boxParts(found: RegExpExecArray): StreetParts {
  const rural = found.length > 2;
  const number = rural ? (found[3] ?? '') : (found[1] ?? '');
  const kind = rural ? `${found[1] === undefined ? 'HC' : 'RR'} ${Number(found[2])} BOX` : 'PO BOX';
  return {
    number: number.replace(/^0+(?=\d)/, ''),
    street: { line: kind, core: kind.replaceAll(' ', '') },
    unit: '',
    box: true,
  };
}

function parseSegments(line: string): StreetParts {
  const units: string[] = [];
  const segments: string[][] = [];
  for (const segment of SEPARATOR.test(line) ? line.split(SEPARATOR) : [line]) {
    if (segment === '') continue;
    const words = takeUnits(segment.split(' '), units);
    if (words.length > 0) segments.push(words);
  }
  joinLoneNumber(segments);
  for (let index = 0; index < segments.length; index += 1) {
    const found = findNumber(segments[index] ?? []);
    if (found === undefined) continue;
    for (let later = index + 1; later < segments.length; later += 1) loneUnit(segments[later] ?? [], units);
    units.push(...found.units);
    const unit = units.length > 1 ? [...new Set(units)].join(' ') : (units[0] ?? '');
    return { number: found.number, street: found.street, unit, box: false };
  }
  const words = segments[0] ?? [];
  const street = words.some((word) => /[A-Z]{2}/.test(word)) ? readName(words, false) : NO_STREET;
  return { number: '', street, unit: units.join(' '), box: false };
}

/** `12, Main Street` and `Calle Mayor, 5` and `ul. Lenina, d. 12`: a number by itself belongs to the street beside it. */
function joinLoneNumber(segments: string[][]): void {
  for (let index = 0; index + 1 < segments.length; index += 1) {
    const here = segments[index] ?? [];
    const next = segments[index + 1] ?? [];
    const joins = loneNumber(here)
      ? !HAS_DIGIT.test(next[0] ?? '')
      : loneNumber(next) && !here.some((word) => HAS_DIGIT.test(word));
    if (!joins) continue;
    segments.splice(index, 2, loneNumber(here) ? [here.at(-1) ?? '', ...next] : [...here, next.at(-1) ?? '']);
    return;
  }
}

function loneNumber(words: string[]): boolean {
  return (
    isHouseNumber(words.at(-1) ?? '') &&
    words.every((word, index) => index === words.length - 1 || NUMBER_MARKS.has(word))
  );
}

/** A second line that is only `4B`, or only a letter, is the unit. */
function loneUnit(words: string[], units: string[]): void {
  const own = words[0] === '#' ? words.slice(1) : words;
  const only = own.length === 1 ? (own[0] ?? '') : '';
  if (units.length === 0 && /^(?:[A-Z]?-?\d{1,4}[A-Z]?|[A-Z])$/.test(only))
    units.push(only.replace(/-/g, ''));
}

type Found = { number: string; street: StreetName; units: string[] };

/** The house number of one line and the street that goes with it; undefined where the line has no number. */
function findNumber(words: string[]): Found | undefined {
  if (words.length < 2) return undefined;
  const start = NUMBER_MARKS.has(words[0] ?? '') ? 1 : 0;
  if (isHouseNumber(words[start] ?? '') && words.length > start + 1)
    return leading(words[start] ?? '', words.slice(start + 1));
  if (HIGHWAY_MARKS.has(words[0] ?? '')) return undefined;
  for (let index = words.length - 1; index > 0; index -= 1) {
    if (!isHouseNumber(words[index] ?? '')) continue;
    const before = words.slice(0, index);
    const typed =
      PREFIX_TYPES.has(before[0] ?? '') ||
      before.some((word) => /(?:STRASSE|STR|STRAAT|WEG|GASSE|PLATZ|ALLEE|GATAN|VEJ)$/.test(word));
    if (index < words.length - 1 && !typed && !lastLetter(words, index))
      return leading(words[index] ?? '', words.slice(index + 1));
    return trailing(before, words[index] ?? '', lastLetter(words, index) ? (words[index + 1] ?? '') : '');
  }
  return undefined;
}

const lastLetter = (words: string[], index: number): boolean =>
  index === words.length - 2 && /^[A-Z]$/.test(words[index + 1] ?? '');

/** `12A Main St`, `123 1/2 Main St`, `4/12 Main St` (unit 4), `12 A Main St`, `12 Main St 4B`. */
function leading(first: string, words: string[]): Found {
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
    !HIGHWAY_MARKS.has(rest[0] ?? '')
  )
    number += rest.shift();
  if (endsWithUnit(rest)) {
    units.push(rest.at(-1) ?? '');
    rest = rest.slice(0, -1);
  }
  return { number: houseKey(number), street: readName(rest, false), units };
}

/** `Main St 4B`; but `County Road 4B` is a highway. */
function endsWithUnit(words: string[]): boolean {
  if (words.length < 3 || !SUFFIXES.has(words.at(-2) ?? '')) return false;
  if (!/^(?:\d{1,4}[A-Z]?|[A-Z]\d{1,4}|[A-DF-MO-RT-VX-Z])$/.test(words.at(-1) ?? '')) return false;
  const titles = words.slice(DIRECTIONALS.has(words[0] ?? '') ? 1 : 0, -1);
  return !titles.every((word) => HIGHWAY_WORDS.has(word));
}

/** `Hauptstrasse 12`, `Calle Mayor 5`, `Lindengasse 12/4` (unit 4), `Hauptstrasse 12 a`. */
function trailing(before: string[], written: string, letter: string): Found {
  const [number, unit] = written.split('/') as [string, string | undefined];
  const words = before.filter((word, index) => index < before.length - 1 || !NUMBER_MARKS.has(word));
  return {
    number: houseKey(number + letter),
    street: readName(words.length > 0 ? words : before, true),
    units: unit === undefined ? [] : [unit],
  };
}

/** Hyphens are written or not (`12-34` and `1234` in Queens), leading zeros too. */
function houseKey(number: string): string {
  const joined = number.includes('-') ? number.replaceAll('-', '') : number;
  return joined.startsWith('0') ? joined.replace(/^0+(?=\d)/, '') : joined;
}
