// What Latin words and Han characters have to do with one another.
import { innerReading } from './japanese.ts';
import { COLUMNS, hanTable, JAPANESE_READINGS, SOUTHERN_READINGS, shortVowels } from './han-table.ts';
import { isPinyin } from './pinyin.ts';
import { relation, type Token, type TokenComparison } from '../../types.ts';
import type { Tradition } from '../tradition.ts';
import { joinSyllables } from './customs.ts';

/** Readings of one character in a column of the table; its readings as a family name where it has no others. */
export function readingsOf(character: string, column: number): string[] {
  const { surnames, characters } = hanTable();
  return characters.get(character)?.[column] ?? surnames.get(character)?.[column] ?? [];
}

/** A way of reading: a column of the table, of a family name or not. */
interface Way {
  column: number;
  family: boolean;
}

/** Whether a Latin word is a reading of Han characters in some language but Mandarin. */
export function isReadingOf(word: string, latin: string, family: boolean): boolean {
  if (word.length > 6 || latin.length > 24) return false;
  const even = shortVowels(latin);
  for (let column = SOUTHERN_READINGS; column < COLUMNS; column++)
    if (readsAs(word, even, { column, family })) return true;
  return false;
}

/** Whether all Latin letters can be read from all characters; each place in both is tried with every reading that fits. */
function readsAs(word: string, latin: string, way: Way): boolean {
  const walk = (i: number, at: number): boolean => {
    if (i === word.length) return at === latin.length;
    if (at >= latin.length) return false;
    const inner = way.column === JAPANESE_READINGS && i > 0;
    for (let size = Math.min(3, word.length - i); size > 0; size--) {
      for (const reading of pieceReadings(word.slice(i, i + size), way))
        if (startsAs(latin.slice(at), reading, inner) && walk(i + size, at + reading.length)) return true;
    }
    return false;
  };
  return walk(0, 0);
}

function pieceReadings(piece: string, { column, family }: Way): string[] {
  const { surnames, characters } = hanTable();
  const named = family || column !== JAPANESE_READINGS ? surnames.get(piece)?.[column] : undefined;
  const known = characters.get(piece)?.[column];
  return known && named ? [...known, ...named] : (known ?? named ?? []);
}

function startsAs(latin: string, reading: string, inner: boolean): boolean {
  if (latin.startsWith(reading)) return true;
  if (!inner || reading.length < 2) return false;
  const heard = innerReading(reading);
  return heard.length > 1 && latin.startsWith(heard);
}

/** How two Latin surnames meet in one Chinese character: in one language, across languages, or not at all. */
export function surnamesMeet(a: string, b: string): 'same' | 'across' | undefined {
  const { latin } = hanTable();
  const ofA = latin.get(a);
  const ofB = ofA && latin.get(b);
  if (!ofB) return undefined;
  let found: 'across' | undefined;
  for (const [line, column] of ofA) {
    for (const [other, side] of ofB) {
      if (line !== other) continue;
      // Mandarin and the southern languages are spelt in one country.
      if (column === side || (column <= SOUTHERN_READINGS && side <= SOUTHERN_READINGS)) return 'same';
      found = 'across';
    }
  }
  return found;
}

// Names of all lands that write, or once wrote, with Han characters: readings but the Mandarin ones, family names that are one.
const READ = relation('script', 0.93);
const MEET = { same: relation('spelling', 0.8), across: relation('spelling', 0.35) };

function same(a: Token, b: Token): TokenComparison | undefined {
  const [han, other] = a.characters ? [a, b] : [b, a];
  if (han.characters)
    return isReadingOf(han.characters, other.text, han.role === 'family') ? READ : undefined;
  if (a.script !== 'latin' || b.script !== 'latin' || areGiven(a, b)) return undefined;
  const meet = surnamesMeet(a.text, b.text);
  return meet && MEET[meet];
}

/** Where given names stand, two words in pinyin are two, though other spellings of family names look like them (Yong, Yang). */
const areGiven = (a: Token, b: Token) =>
  a.role === 'given' && b.role === 'given' && isPinyin(a.text) && isPinyin(b.text);

export const HAN: Tradition = { arrange: joinSyllables, same };
