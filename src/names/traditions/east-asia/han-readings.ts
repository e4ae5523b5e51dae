// Tests if Latin words are readings of Han characters, in any language that is written with Han characters.
import {
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
  SAME_INITIAL_RESULT,
} from '../../types.ts';
import type { NamingTradition } from '../tradition.ts';
import { assignEastAsianNameRoles } from './customs.ts';
import {
  getHanTable,
  JAPANESE_READING_COLUMN,
  READING_COLUMN_COUNT,
  shortenJapaneseVowels,
  SOUTHERN_CHINESE_READING_COLUMN,
} from './han-table.ts';
import { toVoicedJapaneseReading } from './japanese.ts';
import { isPinyin } from './pinyin.ts';

/** Returns the readings of one character in a column (language) of the table. If there are none, returns its readings as a family name. */
export function getCharacterReadings(character: string, column: number): string[] {
  const { surnames, characters } = getHanTable();
  return characters.get(character)?.[column] ?? surnames.get(character)?.[column] ?? [];
}

/** Column of the Han table from which readings are taken, and whether readings as a family name are allowed. */
interface ReadingSource {
  column: number;
  isFamilyName: boolean;
}

/** True if a Latin word is a reading of Chinese characters in any language except Mandarin. */
function isHanReading(characters: string, latin: string, isFamilyName: boolean): boolean {
  if (characters.length > 6 || latin.length > 24) return false;
  for (let column = SOUTHERN_CHINESE_READING_COLUMN; column < READING_COLUMN_COUNT; column++) {
    const text = column === JAPANESE_READING_COLUMN ? shortenJapaneseVowels(latin) : latin;
    if (canReadAs(characters, text, { column, isFamilyName })) return true;
  }
  return false;
}

/**
 * Compares an initial with a Japanese name in characters: K and 健太 (Kenta). A reading of the family name, or of the longest first piece with
 * readings, must begin with the initial.
 */
function compareInitialWithCharacters(a: Token, b: Token): TokenComparison | undefined {
  const [{ text: initial }, { characters, role }] = a.isInitial ? [a, b] : [b, a];
  const source = { column: JAPANESE_READING_COLUMN, isFamilyName: role === 'family' };
  for (let size = Math.min(3, characters.length); size > 0; size--) {
    const readings = getPieceReadings(characters.slice(0, size), source);
    if (readings.length > 0)
      return readings.some((reading) => reading.startsWith(initial)) ? SAME_INITIAL_RESULT : undefined;
  }
  return undefined;
}

/** True if readings of the characters in one column, joined, spell the whole Latin word. Tries every combination of readings. */
function canReadAs(characters: string, latin: string, source: ReadingSource): boolean {
  const canReadFrom = (i: number, at: number): boolean => {
    if (i === characters.length) return at === latin.length;
    if (at >= latin.length) return false;
    const isInner = source.column === JAPANESE_READING_COLUMN && i > 0;
    for (let size = Math.min(3, characters.length - i); size > 0; size--) {
      for (const reading of getPieceReadings(characters.slice(i, i + size), source))
        if (
          startsWithReading(latin.slice(at), reading, isInner) &&
          canReadFrom(i + size, at + reading.length)
        )
          return true;
    }
    return false;
  };
  return canReadFrom(0, 0);
}

function getPieceReadings(piece: string, { column, isFamilyName }: ReadingSource): string[] {
  const { surnames, characters } = getHanTable();
  const asSurname =
    isFamilyName || column !== JAPANESE_READING_COLUMN ? surnames.get(piece)?.[column] : undefined;
  const asCharacter = characters.get(piece)?.[column];
  return asCharacter && asSurname ? [...asCharacter, ...asSurname] : (asCharacter ?? asSurname ?? []);
}

function startsWithReading(latin: string, reading: string, isInner: boolean): boolean {
  if (latin.startsWith(reading)) return true;
  if (!isInner || reading.length < 2) return false;
  const voiced = toVoicedJapaneseReading(reading);
  return voiced.length > 1 && latin.startsWith(voiced);
}

/**
 * Compares two Latin family names by the Chinese characters that they may represent. Returns `same` if both can be readings of one character in
 * one language, `across` if one is a reading in one language and the other in another, undefined if they share no character.
 */
export function compareSurnamesByCharacters(a: string, b: string): 'same' | 'across' | undefined {
  const { surnameCells } = getHanTable();
  const cellsOfA = surnameCells.get(a);
  const cellsOfB = cellsOfA && surnameCells.get(b);
  if (!cellsOfB) return undefined;
  let result: 'across' | undefined;
  for (const [lineA, columnA] of cellsOfA) {
    for (const [lineB, columnB] of cellsOfB) {
      if (lineA !== lineB) continue;
      // Mandarin and the southern Chinese languages are read differently within one country.
      if (
        columnA === columnB ||
        (columnA <= SOUTHERN_CHINESE_READING_COLUMN && columnB <= SOUTHERN_CHINESE_READING_COLUMN)
      )
        return 'same';
      result = 'across';
    }
  }
  return result;
}

const IS_READING = createTokenComparisonResult('script', 0.93);
const SHARED_SURNAME = {
  same: createTokenComparisonResult('spelling', 0.8),
  across: createTokenComparisonResult('spelling', 0.35),
};

function compareHanWords(a: Token, b: Token): TokenComparison | undefined {
  const [han, other] = a.characters ? [a, b] : [b, a];
  if (han.characters)
    return isHanReading(han.characters, other.text, han.role === 'family') ? IS_READING : undefined;
  if (a.script !== 'latin' || b.script !== 'latin' || arePinyinGivenNames(a, b)) return undefined;
  const shared = compareSurnamesByCharacters(a.text, b.text);
  return shared && SHARED_SURNAME[shared];
}

/** True for two given names in pinyin, which are then two names. Family names with similar letters (Yong, Yang) may be one. */
const arePinyinGivenNames = (a: Token, b: Token) =>
  a.role === 'given' && b.role === 'given' && isPinyin(a.text) && isPinyin(b.text);

const IS_OTHER_READING = createTokenComparisonResult('script', 0.1);

/**
 * Compares a Japanese given name with a Latin one that ends in the reading of another character: 健一 (Kenichi) and Kenji, 浩一 (Koichi) and
 * Koji. Undefined if a character has no readings in the table.
 */
function findReadingConflict(a: Token, b: Token): TokenComparison | undefined {
  const [han, latin] = a.characters ? [a, b] : [b, a];
  const [first, last, ...more] = [...han.characters];
  if (!first || !last || more.length > 0 || han.role !== 'given' || latin.script !== 'latin')
    return undefined;
  const readings = getCharacterReadings(first, JAPANESE_READING_COLUMN);
  if (getCharacterReadings(last, JAPANESE_READING_COLUMN).length === 0) return undefined;
  const text = shortenJapaneseVowels(latin.text);
  const isOther = readings.some(
    (reading) => text.startsWith(reading) && isJapaneseReading(text.slice(reading.length)),
  );
  return isOther ? IS_OTHER_READING : undefined;
}

let japaneseReadings: Set<string> | undefined;

/** True if a Latin text is a Japanese reading of any character in the table. */
function isJapaneseReading(text: string): boolean {
  japaneseReadings ??= new Set(
    [...getHanTable().characters.values()].flatMap((columns) => columns[JAPANESE_READING_COLUMN] ?? []),
  );
  return japaneseReadings.has(text);
}

/** Rules for names in Han characters, which have Chinese, Japanese, Korean and Vietnamese readings. */
export const HAN_CHARACTER_TRADITION: NamingTradition = {
  assignRoles: assignEastAsianNameRoles,
  initialRule: compareInitialWithCharacters,
  matchRule: compareHanWords,
  conflictRule: findReadingConflict,
};
