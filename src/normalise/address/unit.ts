import { ORDINALS, SUFFIXES, UNIT_MARKS, UNIT_WORDS } from './words.ts';

/** What may stand behind a unit mark: `4`, `4B`, `B4`, `12-C`, `A`; or, behind a building's, two letters. */
const UNIT_ID = /^(?:[A-Z]{0,2}-?\d+(?:-?[A-Z0-9]+)?|[A-Z])$/;
const UNIT_STARTS = new Set(['#', ...UNIT_MARKS.keys(), ...UNIT_WORDS]);
const FLOOR = /^(\d{1,2})(?:ST|ND|RD|TH)?$/;

/**
 * Takes flat, suite, floor and building out of one line's words and puts them into `units`, under one
 * spelling: designators of a single dwelling are dropped (`APT 4B`, `#4B`, `UNIT 4B` → `4B`), floors and buildings keep theirs.
 *
 * @returns the words that are left.
 */
export function takeUnits(words: string[], units: string[]): string[] {
  let index = words.findIndex((word) => UNIT_STARTS.has(word));
  if (index < 0) return words;
  const left = words.slice(0, index);
  for (; index < words.length; index += 1) {
    const taken = unitAt(words, index, left, units);
    if (taken > 0) index += taken - 1;
    else left.push(words[index] ?? '');
  }
  return left;
}

/** How many words from `index` on are a unit. It pushes the unit, and takes `3RD` of `3RD FLOOR` back from `left`. */
function unitAt(words: string[], index: number, left: string[], units: string[]): number {
  const word = words[index] ?? '';
  // "Apt # 4" says it twice.
  const skip = word !== '#' && words[index + 1] === '#' ? 1 : 0;
  const next = words[index + 1 + skip];
  const prefix = word === '#' ? '' : UNIT_MARKS.get(word);
  if (prefix === 'FL' && (left.length > 1 || words.length === 2 || /\D/.test(left[0] ?? ''))) {
    const floor = floorNumber(left.at(-1) ?? '');
    if (floor !== undefined) {
      left.pop();
      units.push(`FL${floor}`);
      return 1;
    }
  }
  if (prefix !== undefined && next !== undefined && isUnitOf(word, next, words, index + skip)) {
    units.push(prefix + next.replaceAll('-', '').replace(/^0+(?=\d)/, ''));
    return 2 + skip;
  }
  return bareUnit(words, index, left, units);
}

function isUnitOf(mark: string, id: string, words: string[], index: number): boolean {
  if (!UNIT_ID.test(id)) return false;
  // "No 12 Main St", "# 12 Main St" and "Carrera 7 # 71-21" give the house number, not a unit.
  if (mark === '#' || mark === 'NO' || mark === 'NUMBER' || mark === 'NUM') {
    return index > 0 && words.slice(0, index).some((word) => /^\d/.test(word)) && !/^\d+-\d+$/.test(id);
  }
  // "12 Ste A Rd" is a street; a mark behind which a street type follows was a name.
  const after = words[index + 2];
  return !(
    index === 1 &&
    after !== undefined &&
    index + 3 === words.length &&
    SUFFIXES.has(after) &&
    !/\d/.test(id)
  );
}

/** `REAR`, `BASEMENT`, `GROUND FLOOR` at the end of a line, or as a line by themselves. */
function bareUnit(words: string[], index: number, left: string[], units: string[]): number {
  const rest = words.slice(index);
  if (!rest.every((word) => UNIT_WORDS.has(word) || UNIT_MARKS.get(word) === 'FL')) return 0;
  if (!rest.some((word) => UNIT_WORDS.has(word))) return 0;
  const endsStreet = left.length > 2 && SUFFIXES.has(left.at(-1) ?? '');
  if (index > 0 && !endsStreet) return 0;
  units.push(rest.filter((word) => UNIT_WORDS.has(word)).join(' '));
  return rest.length;
}

function floorNumber(word: string): string | undefined {
  return ORDINALS.get(word) ?? FLOOR.exec(word)?.[1];
}
