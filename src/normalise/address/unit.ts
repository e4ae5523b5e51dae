import { hasNumber, isTypeBeforeNumber } from './street.ts';
import {
  DIGITS_BY_ORDINAL_WORD,
  STREET_TYPE_PREFIXES,
  STREET_TYPE_SUFFIXES,
  UNIT_DESIGNATORS,
  UNIT_DESIGNATORS_AFTER_NUMBER,
  UNIT_TAIL_WORDS,
  UNIT_TAIL_WORDS_AFTER_FLOOR,
  UNIT_WORDS_WITHOUT_NUMBER,
} from './words.ts';

/** Matches a unit after its mark (APT): `4`, `4B`, `B4`, `12-C`, `A`; for buildings also two letters before a number. */
const UNIT_ID = /^(?:[A-Z]{0,2}-?\d+(?:-?[A-Z0-9]+)?|[A-Z])$/;
/** Words for a floor whose number is never followed by a flat. */
const ENGLISH_FLOOR_WORDS = new Set(['FL', 'FLR', 'FLOOR']);
/** Words for "number" between the mark of a unit and its number: `Apt # 4`, `Flat No 4`, Czech `byt č. 4`, Arabic `شقة رقم 4`. */
const NUMBER_WORDS = new Set(['#', 'NO', 'NR', 'NUM', 'NUMBER', 'C', 'RQM']);
const UNIT_STARTS = new Set([
  '#',
  ...UNIT_DESIGNATORS_AFTER_NUMBER.keys(),
  ...UNIT_DESIGNATORS.keys(),
  ...UNIT_WORDS_WITHOUT_NUMBER,
]);
const FLOOR_NUMBER = /^(\d{1,2})(?:ST|ND|RD|TH|E|ER|EME)?$/;

/**
 * Moves units, floors and buildings from the words of a line to `units`, and returns the remaining words. Marks of a single dwelling are dropped
 * (`APT 4B`, `#4B`, `UNIT 4B` → `4B`); floors and buildings keep their mark. `before` are the words of the segment before this one.
 */
export function removeAndCollectUnits(words: string[], units: string[], before: readonly string[]): string[] {
  let index = words.findIndex((word) => UNIT_STARTS.has(word));
  if (index < 0) return words;
  const rest = words.slice(0, index);
  const isAfterNumber = before.some(hasNumber);
  const isTurkish = [...before, ...words].some((word) => word === 'NO' || isTypeBeforeNumber(word));
  const line = { rest, units, isAfterNumber, isTurkish };
  for (; index < words.length; index += 1) {
    const unitLength = takeUnitAt(words, index, line);
    if (unitLength > 0) index += unitLength - 1;
    else rest.push(words[index] ?? '');
  }
  return rest;
}

interface ParsedLine {
  /** Words before the unit that belong to no unit. */
  rest: string[];
  units: string[];
  /** True if the house number is in the segment before this one. */
  isAfterNumber: boolean;
  /** True if the street has a Turkish type, or its number the mark `No`. */
  isTurkish: boolean;
}

/**
 * Adds the unit that starts at `index` to `units`, and returns how many words it has; 0 if no unit starts there. For `3RD FLOOR`, also removes
 * `3RD` from `rest`.
 */
function takeUnitAt(
  words: string[],
  index: number,
  { rest, units, isAfterNumber, isTurkish }: ParsedLine,
): number {
  const word = words[index] ?? '';
  // "Apt # 4" has two unit marks, `Apt` and `#`.
  const skip =
    !NUMBER_WORDS.has(word) && NUMBER_WORDS.has(words[index + 1] ?? '') && index + 2 < words.length ? 1 : 0;
  const next = words[index + 1 + skip];
  const isMarked =
    (rest.length === 0 ? isAfterNumber : rest.length > 1 && isNumber(rest.at(-1))) &&
    // In "мкр. 5 д. 12", `D` is the mark of the house.
    (word !== 'D' || isTurkish);
  const prefix =
    word === '#'
      ? ''
      : ((isMarked ? UNIT_DESIGNATORS_AFTER_NUMBER.get(word) : undefined) ?? UNIT_DESIGNATORS.get(word));
  // "2. OG links" after the house number is floor 2.
  const isFloorOfSegment = isAfterNumber && rest.length === 1;
  const isFloorAfter = isNumber(next) && isNumber(rest.at(-1)) && !isFloorOfSegment;
  if (
    prefix === 'FL' &&
    !isFloorAfter &&
    (rest.length > 1 || words.length === 2 || isFloorOfSegment || /\D/.test(rest[0] ?? ''))
  ) {
    const floor = parseFloorNumber(rest.at(-1) ?? '');
    if (floor !== undefined) {
      rest.pop();
      units.push(`FL${floor}`);
      return 1;
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
  return takeBareUnit(words, index, rest, units);
}

const isNumber = (word: string | undefined): boolean => word !== undefined && /^\d+[A-Z]?$/.test(word);

function isUnitAfterMark(mark: string, id: string, words: string[], index: number): boolean {
  if (!UNIT_ID.test(id)) return false;
  // "No 12 Main St", "# 12 Main St" and "Carrera 7 # 71-21" give the house number, not a unit.
  if (mark === '#' || mark === 'NO' || mark === 'NUMBER' || mark === 'NUM') {
    const before = words.slice(0, index);
    // "Calle 47 No 1234": the first number is the name of the street.
    const isOnlyStreet = before.length === 2 && STREET_TYPE_PREFIXES.has(before[0] ?? '');
    return before.some(hasNumber) && !isOnlyStreet && !/^\d+-\d+$/.test(id);
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

/**
 * Adds a unit without a number (`REAR`, `BASEMENT`, `GROUND FLOOR`) that is at the end of a line or the whole line. Returns how many words it
 * has, or 0.
 */
function takeBareUnit(words: string[], index: number, rest: string[], units: string[]): number {
  const following = words.slice(index);
  if (!following.every((word) => UNIT_WORDS_WITHOUT_NUMBER.has(word) || UNIT_DESIGNATORS.get(word) === 'FL'))
    return 0;
  if (!following.some((word) => UNIT_WORDS_WITHOUT_NUMBER.has(word))) return 0;
  const endsStreet = rest.length > 2 && STREET_TYPE_SUFFIXES.has(rest.at(-1) ?? '');
  if (index > 0 && !endsStreet) return 0;
  units.push(following.filter((word) => UNIT_WORDS_WITHOUT_NUMBER.has(word)).join(' '));
  return following.length;
}

function parseFloorNumber(word: string): string | undefined {
  return DIGITS_BY_ORDINAL_WORD.get(word) ?? FLOOR_NUMBER.exec(word)?.[1];
}

/** Matches a fraction of a house number. */
export const FRACTION = /^[123]\/[2348]$/;

export interface Tail {
  /** Letter, `BIS` or fraction of the house number, or an empty text. */
  suffix: string;
  units: string[];
  /** Words after the suffix and the units. */
  rest: readonly string[];
}

/** Matches a unit without its mark: `4`, `4B`, `B4`, `B`. */
const BARE_UNIT = /^(?:[A-Z]?-?\d{1,4}(?:-?[A-Z])?|[A-Z])$/;
const FLOOR_OR_NUMBER = /^(\d{1,3})(ST)?$/;

/** Parses the words after a house number at the end of a street: `A`, `1/2`, `3º B`, `bajo`. */
export function parseTail(words: readonly string[]): Tail {
  const [first = ''] = words;
  if (words.length === 1 && /^[A-Z]$/.test(first)) return { suffix: first, units: [], rest: [] };
  const isFraction = FRACTION.test(first);
  return {
    suffix: isFraction ? ` ${first}` : '',
    ...takeBareUnits(isFraction ? words.slice(1) : words),
  };
}

/** Matches parts of a unit that several flats may share: floor, building, and words of unknown meaning. */
export const SHARED_UNIT = /^(?:FL|BL|\?)/;
const FLOOR = /^FL(?=\d)/;
/** Matches the door of a floor: a letter or a side. */
const DOOR_OF_FLOOR = /^(?:[A-Z]|IZQ|DCHA|ESQ|DTO|LI|RE|TV|TH|MF)$/;

/** Returns the text of units without repetitions, the building first. A floor and its door are one unit: `FL3`, `B` is `3B`. */
export function joinUnits(units: readonly string[]): string {
  if (units.length < 2) return units[0] ?? '';
  const kinds = Object.groupBy(new Set(units), (unit) => SHARED_UNIT.exec(unit)?.[0] ?? 'door');
  const joined: string[] = [];
  for (const unit of [kinds['BL'], kinds['FL'], kinds['door'], kinds['?']].flatMap((kind) => kind ?? [])) {
    const floor = joined.at(-1) ?? '';
    if (FLOOR.test(floor) && DOOR_OF_FLOOR.test(unit)) joined.splice(-1, 1, floor.replace(FLOOR, '') + unit);
    else joined.push(unit);
  }
  return joined.join(' ');
}

/** Returns the units at the start of the words, and the rest of the words. A number and a letter are one unit: `3º B` is `3B`. `3º` alone is floor 3. */
export function takeBareUnits(words: readonly string[]): { units: string[]; rest: readonly string[] } {
  const units: string[] = [];
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = words[index + 1] ?? '';
    const [, number, ordinal] = FLOOR_OR_NUMBER.exec(word) ?? [];
    const isAfterFloor = FLOOR_OR_NUMBER.exec(words[index - 1] ?? '')?.[2] !== undefined;
    const side =
      UNIT_TAIL_WORDS.get(word) ?? (isAfterFloor ? UNIT_TAIL_WORDS_AFTER_FLOOR.get(word) : undefined);
    // Danish `st. tv` is the door on the left of the ground floor.
    if (word === 'ST' && UNIT_TAIL_WORDS.has(next)) {
      units.push(word + UNIT_TAIL_WORDS.get(next));
      index += 1;
      continue;
    }
    // Australians write `U 3` for unit 3.
    if (word === 'U' && /^\d/.test(next)) continue;
    if (number !== undefined && /^[A-Z]$/.test(next)) {
      units.push(number + next);
      index += 1;
    } else if (number !== undefined && (ordinal || UNIT_TAIL_WORDS.has(next))) units.push(`FL${number}`);
    else if (side !== undefined || BARE_UNIT.test(word)) units.push(side ?? word.replaceAll('-', ''));
    else break;
  }
  return { units, rest: words.slice(index) };
}
