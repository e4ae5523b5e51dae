import { hasNumber, isHouseNumber, isTurkishStreetType } from './street.ts';
import {
  DIGITS_BY_FLOOR_ORDINAL,
  DIGITS_BY_ORDINAL_WORD,
  FLOORS_AND_BUILDINGS,
  FLOOR_SIDES,
  STREET_NAME_PARTICLES,
  STREET_TYPE_PREFIXES,
  STREET_TYPE_SUFFIXES,
  UNIT_MARKS,
  UNIT_MARKS_AFTER_NUMBER,
  UNIT_WORDS_AFTER_NUMBER,
  UNIT_WORDS_AFTER_FLOOR,
} from './words.ts';

/**
 * Matches the number or letter of a unit after its mark (`APT`): `4`, `4B`, `B4`, `12-C`, `A`; for buildings also with two letters before a number.
 */
const UNIT_ID = /^(?:[A-Z]{0,2}-?\d+(?:-?[A-Z0-9]+)?|[A-Z])$/;
/** Words for a floor whose number never includes a flat. */
const ENGLISH_FLOOR_WORDS = new Set(['FL', 'FLR', 'FLOOR']);
/** Words for a floor that always follow its number: `2. emelet 3`. */
const FLOORS_AFTER_NUMBER = new Set([
  'OG',
  'OBERGESCHOSS',
  'EMELET',
  'EM',
  'KRS',
  'SAL',
  'VERDIEPING',
  'HOOG',
  'TR',
  'PATRO',
]);
/**
 * Words that mean "number" and are written between the mark and the number of a unit: `Apt # 4`, `Flat No 4`, Czech `byt č. 4`, Arabic `شقة رقم 4`.
 */
const NUMBER_WORDS = new Set(['#', 'NO', 'NR', 'NUM', 'NUMBER', 'C', 'RQM']);
const UNIT_STARTS = new Set([
  '#',
  ...UNIT_MARKS_AFTER_NUMBER.keys(),
  ...UNIT_MARKS.keys(),
  ...[...FLOORS_AND_BUILDINGS.keys()].flatMap((phrase) => [
    phrase.split(' ', 1)[0] ?? '',
    phrase.replaceAll(' ', '-'),
  ]),
]);
/** Words for one of the doors of a floor: `EG LINKS`, `EG MITTE`. */
const DOORS = new Map([...UNIT_WORDS_AFTER_NUMBER, ...UNIT_WORDS_AFTER_FLOOR]);
const LONGEST_HOUSE_PART = Math.max(
  ...[...FLOORS_AND_BUILDINGS.keys()].map((phrase) => phrase.split(' ').length),
);
const FLOOR_NUMBER = /^(\d{1,2})(?:ST|ND|RD|TH|E|ER|ERE|EME|DE|DO|DA|RO|RA|TO|TA|-?Y)?$/;

/**
 * Moves units, floors and buildings from the words of a segment to `units`, and returns the remaining words. Drops the marks of flats (`APT 4B`,
 * `#4B`, `UNIT 4B` become `4B`); floors and buildings keep their mark. `before` are the words of the previous segment.
 */
export function removeAndCollectUnits(words: string[], units: string[], before: readonly string[]): string[] {
  let index = words.findIndex((word) => UNIT_STARTS.has(word));
  if (index < 0) return words;
  const rest = words.slice(0, index);
  const isAfterNumber = before.some(hasNumber);
  const isTurkish = [...before, ...words].some((word) => word === 'NO' || isTurkishStreetType(word));
  const line = { rest, units, isAfter: before.length > 0, isAfterNumber, isTurkish };
  for (; index < words.length; index += 1) {
    const unitLength = takeUnitAt(words, index, line);
    if (unitLength > 0) index += unitLength - 1;
    else rest.push(words[index] ?? '');
  }
  return rest;
}

interface ParsedLine {
  /** Words before the unit that belong to no unit themselves. */
  rest: string[];
  units: string[];
  /** True if the address has a segment before this one. */
  isAfter: boolean;
  /** True if the house number is in the segment before this one. */
  isAfterNumber: boolean;
  /** True if the street has a Turkish street type, or the house number has the mark `No`. */
  isTurkish: boolean;
}

/**
 * Adds the unit that begins at `index` to `units`, and returns the number of its words; 0 if no unit begins there. For `3RD FLOOR`, also removes
 * `3RD` from `rest`.
 */
function takeUnitAt(words: string[], index: number, line: ParsedLine): number {
  const { rest, units, isAfterNumber, isTurkish } = line;
  const word = words[index] ?? '';
  // "Apt # 4" has two unit marks, `Apt` and `#`.
  const skip =
    !NUMBER_WORDS.has(word) && NUMBER_WORDS.has(words[index + 1] ?? '') && index + 2 < words.length ? 1 : 0;
  const written = words[index + 1 + skip];
  // "2. OG links" after the house number is floor 2.
  const isFloorOfSegment = isAfterNumber && rest.length === 1;
  const isMarked =
    (rest.length === 0
      ? isAfterNumber
      : (rest.length > 1 || isFloorOfSegment) &&
        (isNumber(rest.at(-1)) || TWO_NUMBERS.test(rest.at(-1) ?? '') || ROMAN.test(rest.at(-1) ?? ''))) &&
    // In "мкр. 5 д. 12", `D` is the mark of the house.
    (word !== 'D' || isTurkish);
  const prefix =
    word === '#' ? '' : ((isMarked ? UNIT_MARKS_AFTER_NUMBER.get(word) : undefined) ?? UNIT_MARKS.get(word));
  // "Piano secondo" is floor 2.
  const next = (prefix === 'FL' ? DIGITS_BY_FLOOR_ORDINAL.get(written ?? '') : undefined) ?? written;
  const isFloorAfter =
    isNumber(next) && isNumber(rest.at(-1)) && !isFloorOfSegment && !FLOORS_AFTER_NUMBER.has(word);
  const part = findHousePart(words, index);
  const phraseLength = part && part.length > 1 ? takeHousePart(words, index, line, part) : 0;
  if (phraseLength > 0) return phraseLength;
  if (
    prefix === 'FL' &&
    !isFloorAfter &&
    (rest.length > 1 || words.length === 2 || isFloorOfSegment || /\D/.test(rest[0] ?? ''))
  ) {
    const floor = parseFloorNumber(rest.at(-1) ?? '');
    if (floor !== undefined) {
      rest.pop();
      units.push(`FL${floor}`);
      return 1 + takeLastDoor(words, index + 1, units);
    }
  }
  if (prefix !== undefined && next !== undefined && isUnitAfterMark(word, next, words, index + skip)) {
    const id = next.replaceAll('-', '').replace(/^0+(?=\d)/, '');
    const door = words[index + 2 + skip] ?? '';
    // "Piso 3 B" and "Etage 3 B" are flat 3B.
    const isFlat =
      prefix === 'FL' &&
      !ENGLISH_FLOOR_WORDS.has(word) &&
      index + 3 + skip === words.length &&
      /^[A-Z]$/.test(door);
    units.push(isFlat ? id + door : prefix + id);
    return (isFlat ? 3 : 2) + skip;
  }
  return takeHousePart(words, index, line, part);
}

const isNumber = (word: string | undefined): boolean => word !== undefined && /^\d+[A-Z]?$/.test(word);
/** Matches a house number of two parts, or a Scottish flat (floor 2, door 1): `2/1`. */
const TWO_NUMBERS = /^\d+[-/]\d+$/;
/** Matches the number of a floor in Roman numerals. */
const ROMAN = /^(?:I{1,3}|IV|VI?)$/;

function isUnitAfterMark(mark: string, id: string, words: string[], index: number): boolean {
  if (!UNIT_ID.test(id) && (NUMBER_WORDS.has(mark) || !TWO_NUMBERS.test(id))) return false;
  // "No 12 Main St", "# 12 Main St" and "Carrera 7 # 71-21" give the house number, not a unit.
  if (mark === '#' || mark === 'NO' || mark === 'NUMBER' || mark === 'NUM') {
    const before = words.slice(0, index);
    // "Calle 47 No 1234": the first number is the name of the street.
    const isOnlyStreet = before.length === 2 && STREET_TYPE_PREFIXES.has(before[0] ?? '');
    // In Singapore, "123 Ang Mo Kio Ave 6 #08-12" is floor 8, flat 12.
    const isUnit = isHouseNumber(before[0] ?? '') || !/^\d+-\d+$/.test(id);
    return before.some(hasNumber) && !isOnlyStreet && isUnit;
  }
  // "12 Ste A Rd" is a street: a mark before the street type was part of the name.
  const after = words[index + 2];
  return !(
    index === 1 &&
    after !== undefined &&
    index + 3 === words.length &&
    STREET_TYPE_SUFFIXES.has(after) &&
    !/\d/.test(id)
  );
}

interface HousePart {
  /** Canonical spelling, such as `FL0` or `BSMT`. */
  unit: string;
  /** Number of words. */
  length: number;
}

/** Returns the floor or building without a number whose name begins at `index`: `REZ-DE-CHAUSSEE`, `GARDEN FLAT`. Undefined if there is none. */
function findHousePart(words: readonly string[], index: number): HousePart | undefined {
  for (let length = Math.min(LONGEST_HOUSE_PART, words.length - index); length > 0; length -= 1) {
    const phrase = words
      .slice(index, index + length)
      .join(' ')
      .replace(/ FLR?$/, ' FLOOR');
    const unit = FLOORS_AND_BUILDINGS.get(phrase) ?? FLOORS_AND_BUILDINGS.get(phrase.replaceAll('-', ' '));
    if (unit !== undefined) return { unit, length };
  }
  return undefined;
}

export const isUnitWord = (word: string): boolean =>
  UNIT_STARTS.has(word) || DOORS.has(word) || UNIT_ID.test(word) || FLOOR_NUMBER.test(word);

/** True for words that consist only of units, the first of which is a floor or building without a number: `EG LINKS`, `GARDEN FLAT`. */
export const areUnitsStartingWithHousePart = (words: readonly string[]): boolean => {
  const part = findHousePart(words, 0);
  return part !== undefined && words.slice(part.length).every(isUnitWord);
};

/**
 * Adds a floor or building without a number (`REAR`, `GROUND FLOOR`, `HINTERHAUS`) to `units`. It must begin a segment or follow a complete street,
 * and only units may follow it; `GROUND FLOOR 12 OAK ST` is allowed too. Returns the number of its words, including a word for "flat" beside it
 * (`BASEMENT FLAT`); 0 if none was added.
 * @param own the floor or building at `index`; undefined if there is none
 */
function takeHousePart(words: string[], index: number, line: ParsedLine, own: HousePart | undefined): number {
  const { rest, units, isAfterNumber } = line;
  const skip = own === undefined && isFlatWord(words[index]) ? 1 : 0;
  const part = skip > 0 ? findHousePart(words, index + 1) : own;
  if (part === undefined) {
    // "2. OG Wohnung links"
    const isBeforeSide = skip > 0 && FLOOR_SIDES.has(words[index + 1] ?? '');
    return isBeforeSide && isBetweenUnitsOrAfterStreet(line) ? 1 : 0;
  }
  const end = index + skip + part.length;
  const [next = '', ...others] = words.slice(end);
  const isBeforeStreet = index === 0 && isStreetWithNumber(isFlatWord(next) ? others : [next, ...others]);
  const onlyUnitsFollow = words.slice(end).every(isUnitWord);
  if (!(isBeforeStreet || (onlyUnitsFollow && isBetweenUnitsOrAfterStreet(line)))) return 0;
  if (rest.at(-1) === 'THE') rest.pop();
  // "2. Hinterhaus" is the second building. The first is often written without its number.
  const isNumbered = /^(?:FL|BL|UG|DG)/.test(part.unit);
  const isNumberOfPart =
    rest.length === 1 ? isAfterNumber : isNumbered && isNumber(rest.at(-1)) && isNumber(rest.at(-2));
  const number = isNumberOfPart ? (rest.pop() ?? '') : '';
  if (number !== '' && !isNumbered) units.push(number);
  units.push(part.unit + (isNumbered && number !== '1' ? number : ''));
  // "Garden Flat 2" is flat 2.
  if (part.length > 1 && isFlatWord(words[end - 1]) && UNIT_ID.test(next)) return end - index - 1;
  if (isFlatWord(next) && isBeforeStreet) return end - index + 1;
  return end - index + takeLastDoor(words, end, units);
}

/**
 * Adds the last word to `units` if it is the door on the floor before it: a number, a letter or a side. Does not add the word `FLAT`, but counts it
 * as used. Returns the number of words that were used, 0 or 1.
 */
function takeLastDoor(words: readonly string[], index: number, units: string[]): number {
  const word = words[index] ?? '';
  if (index !== words.length - 1) return 0;
  if (isFlatWord(word)) return 1;
  if (!DOORS.has(word) && !UNIT_ID.test(word)) return 0;
  units.push(DOORS.get(word) ?? word);
  return 1;
}

const isFlatWord = (word = ''): boolean => UNIT_MARKS.get(word) === '' && !FLOOR_SIDES.has(word);

const isStreetWithNumber = (words: readonly string[]): boolean =>
  words.length > 2 && isNumber(words[0]) && STREET_TYPE_SUFFIXES.has(words.at(-1) ?? '');

const FRENCH_TYPES = new Set(['R', 'RUE', 'AV', 'BD', 'CHEM', 'IMP', 'QU', 'ALL', 'PL']);

/**
 * True if a unit may begin after the words in `rest`: none, a lone number of the unit or house, or a street with its house number. Ignores a last
 * `THE`.
 */
function isBetweenUnitsOrAfterStreet({ rest: words, isAfter }: ParsedLine): boolean {
  const rest = words.at(-1) === 'THE' ? words.slice(0, -1) : words;
  const [first = '', type = ''] = rest;
  const last = rest.at(-1) ?? '';
  if (rest.length < 2) return rest.length === 0 || (isAfter && isNumber(first));
  if (STREET_TYPE_SUFFIXES.has(last)) return rest.length > 2;
  if (isHouseNumber(last) || (rest.length > 2 && /^[A-Z]$/.test(last) && isNumber(rest.at(-2)))) return true;
  const isFrench = isNumber(first) && FRENCH_TYPES.has(STREET_TYPE_PREFIXES.get(type) ?? '');
  return isFrench && rest.length > 2 && !STREET_NAME_PARTICLES.has(last);
}

function parseFloorNumber(word: string): string | undefined {
  return (
    DIGITS_BY_ORDINAL_WORD.get(word) ?? DIGITS_BY_FLOOR_ORDINAL.get(word) ?? FLOOR_NUMBER.exec(word)?.[1]
  );
}

/** Matches the fraction of a house number, such as `1/2`. */
export const HOUSE_NUMBER_FRACTION = /^[123]\/[2348]$/;

export interface WordsAfterHouseNumber {
  /** Letter, `BIS` or fraction that belongs to the house number; otherwise empty. */
  suffix: string;
  units: string[];
  /** Words after `suffix` and `units`. */
  rest: readonly string[];
}

/** Matches a unit without its mark: `4`, `4B`, `B4`, `B`, Scottish `2/1`. */
const UNIT_WITHOUT_MARK = /^(?:[A-Z]?-?\d{1,4}(?:-?[A-Z])?|[A-Z]|\d{1,2}\/\d{1,2})$/;
const FLOOR_OR_NUMBER = /^(\d{1,3})(ST)?$/;

/** Parses the words after a house number that follows its street: `A`, `1/2`, `3º B`, `bajo`. */
export function parseWordsAfterHouseNumber(words: readonly string[]): WordsAfterHouseNumber {
  const [first = ''] = words;
  if (words.length === 1 && /^[A-Z]$/.test(first)) return { suffix: first, units: [], rest: [] };
  const isFraction = HOUSE_NUMBER_FRACTION.test(first);
  return {
    suffix: isFraction ? ` ${first}` : '',
    ...takeUnitsWithoutMark(isFraction ? words.slice(1) : words),
  };
}

/** Matches a part of a unit that several flats may share: a floor, a building, or words of unknown meaning (`?`). */
export const SHARED_UNIT_PART_PATTERN = /^(?:FL|BL|\?)/;
const FLOOR = /^FL(?=\d)/;
/** Canonical spellings for the doors of a floor: letters and sides. */
const DOORS_OF_FLOOR = new Set([
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...FLOOR_SIDES.values(),
  ...UNIT_WORDS_AFTER_FLOOR.values(),
]);

/**
 * Joins units to one text without repetitions: buildings, floors, doors, then words such as `REAR`. A floor and its door become one unit: `FL3` and
 * `B` are `3B`.
 */
export function joinUnits(units: readonly string[]): string {
  if (units.length < 2) return units[0] ?? '';
  const kinds = Object.groupBy(
    new Set(units),
    (unit) => SHARED_UNIT_PART_PATTERN.exec(unit)?.[0] ?? (/^[A-Z]{2,}$/.test(unit) ? 'word' : 'door'),
  );
  const joined: string[] = [];
  for (const unit of ['BL', 'FL', 'door', 'word', '?'].flatMap((kind) => kinds[kind] ?? [])) {
    const floor = joined.at(-1) ?? '';
    if (FLOOR.test(floor) && DOORS_OF_FLOOR.has(unit)) joined.splice(-1, 1, floor.replace(FLOOR, '') + unit);
    else joined.push(unit);
  }
  return joined.join(' ');
}

/**
 * Splits words into units without a mark at their start, and the remaining words. A number and a letter are one unit: `3º B` is `3B`. `3º` alone is
 * floor 3.
 */
export function takeUnitsWithoutMark(words: readonly string[]): { units: string[]; rest: readonly string[] } {
  const units: string[] = [];
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = words[index + 1] ?? '';
    const [, number, ordinal] = FLOOR_OR_NUMBER.exec(word) ?? [];
    const isAfterFloor = FLOOR_OR_NUMBER.exec(words[index - 1] ?? '')?.[2] !== undefined;
    const side =
      UNIT_WORDS_AFTER_NUMBER.get(word) ?? (isAfterFloor ? UNIT_WORDS_AFTER_FLOOR.get(word) : undefined);
    // Danish `st. tv` is the door on the left of the ground floor.
    if (word === 'ST' && (words.length === 1 || FLOOR_SIDES.has(next))) {
      units.push('FL0');
      continue;
    }
    // Australians write `U 3` for unit 3.
    if (word === 'U' && /^\d/.test(next)) continue;
    if (number !== undefined && /^[A-Z]$/.test(next)) {
      units.push(number + next);
      index += 1;
    } else if (number !== undefined && (ordinal || UNIT_WORDS_AFTER_NUMBER.has(next)))
      units.push(`FL${number}`);
    else if (side !== undefined || UNIT_WITHOUT_MARK.test(word)) units.push(side ?? word.replaceAll('-', ''));
    else break;
  }
  return { units, rest: words.slice(index) };
}
