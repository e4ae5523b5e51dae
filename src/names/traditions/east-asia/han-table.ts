// The table data/names/han.txt: how Han characters and family names are read in the languages that write with them.
import { readBuiltInTable, splitTableLines } from '../../tables.ts';
import { convertPinyinToWadeGiles } from './pinyin.ts';

/** Readings of one character or family name: one list for each column of the table. */
type Readings = string[][];

/** Column indexes of the table, one per language. `SOUTHERN_CHINESE_READING_COLUMN` contains Cantonese, Hokkien and Teochew. */
export const MANDARIN_READING_COLUMN = 0;
export const SOUTHERN_CHINESE_READING_COLUMN = 1;
export const JAPANESE_READING_COLUMN = 2;
export const KOREAN_READING_COLUMN = 3;
const VIETNAMESE_READINGS = 4;
export const READING_COLUMN_COUNT = 5;

/** Bit masks for `getSurnameRegionFlags`: regions in which a word is a family name. */
export const CHINESE_SURNAME_FLAGS = (1 << MANDARIN_READING_COLUMN) | (1 << SOUTHERN_CHINESE_READING_COLUMN);
export const KOREAN_SURNAME_FLAG = 1 << KOREAN_READING_COLUMN;
export const CHINESE_OR_KOREAN_SURNAME_FLAGS = CHINESE_SURNAME_FLAGS | KOREAN_SURNAME_FLAG;
export const VIETNAMESE_SURNAME_FLAG = 1 << VIETNAMESE_READINGS;

interface HanTable {
  surnames: Map<string, Readings>;
  characters: Map<string, Readings>;
  /** Map from each variant of a character (traditional, Japanese) to its main variant. Main variants map to themselves. */
  mainVariants: Map<string, string>;
  /** Foreign names (lower-case a-z) by their usual spelling in Chinese characters. */
  foreignNames: Map<string, string[]>;
  /** Cells of the table that contain a Latin family name, by this name. */
  surnameCells: Map<string, [line: number, column: number][]>;
}

let table: HanTable | undefined;

export function getHanTable(): HanTable {
  return (table ??= loadHanTable());
}

function loadHanTable(): HanTable {
  const loaded: HanTable = {
    surnames: new Map(),
    characters: new Map(),
    mainVariants: new Map(),
    foreignNames: new Map(),
    surnameCells: new Map(),
  };
  let section = '';
  for (const [index, line] of splitTableLines(readBuiltInTable('han.txt')).entries()) {
    if (line.startsWith('[')) section = line;
    else if (section === '[foreign]') addForeignNames(loaded, line);
    else if (section === '[variants]') for (const pair of line.split(' ')) unifyVariants(loaded, [...pair]);
    else addReadings(loaded, line, section === '[surnames]' ? index : null);
  }
  return loaded;
}

function addForeignNames({ foreignNames, mainVariants }: HanTable, line: string): void {
  const [word = '', ...names] = line.split(' ');
  const unified = [...word].map((c) => mainVariants.get(c) ?? c).join('');
  foreignNames.set(unified, [...(foreignNames.get(unified) ?? []), ...names]);
}

/** Adds the readings of one line to the table. @param surnameLine line number of a family name; null for a character */
function addReadings(loaded: HanTable, line: string, surnameLine: number | null): void {
  const [variants = [], ...columns] = line.split(' | ').map((cell) => cell.split(' '));
  const readings = columns.map((list, column) =>
    list[0] === '-' ? [] : column === JAPANESE_READING_COLUMN ? list.map(shortenJapaneseVowels) : list,
  );
  const target = surnameLine === null ? loaded.characters : loaded.surnames;
  for (const variant of variants) {
    const known = target.get(variant);
    target.set(variant, known ? mergeReadings(known, readings) : readings);
  }
  unifyVariants(loaded, variants);
  if (surnameLine !== null) addSurnameCells(loaded.surnameCells, columns, surnameLine);
}

/** Gives all variants of a character one main variant. A character may be in several lines, with a different variant first. */
function unifyVariants({ mainVariants }: HanTable, variants: readonly string[]): void {
  const main = variants.map((variant) => mainVariants.get(variant)).find(Boolean) ?? variants[0] ?? '';
  for (const variant of variants) if (!mainVariants.has(variant)) mainVariants.set(variant, main);
}

const mergeReadings = (a: Readings, b: Readings): Readings =>
  a.map((list, i) => [...new Set([...list, ...(b[i] ?? [])])]);

function addSurnameCells(cells: HanTable['surnameCells'], columns: string[][], line: number): void {
  for (const [column, list] of columns.entries()) {
    const spellings =
      column === MANDARIN_READING_COLUMN ? new Set([...list, ...list.map(convertPinyinToWadeGiles)]) : list;
    for (const spelling of spellings) {
      if (spelling === '-') continue;
      const known = cells.get(spelling);
      if (known) known.push([line, column]);
      else cells.set(spelling, [[line, column]]);
    }
  }
}

export function replaceChineseCharacterVariants(word: string): string {
  const { mainVariants } = getHanTable();
  let unified = '';
  for (const c of word) unified += mainVariants.get(c) ?? c;
  return unified;
}

/** Returns the regions in which a word (lower-case a-z) is a family name, as one bit per column of the table; 0 for none. */
export function getSurnameRegionFlags(text: string): number {
  let regions = 0;
  for (const [, column] of getHanTable().surnameCells.get(text) ?? []) regions |= 1 << column;
  return regions;
}

/** Shortens the long vowels of a Japanese word, because they have many spellings (Sato, Satou, Satoh). */
export function shortenJapaneseVowels(text: string): string {
  return text
    .replace(/ō/g, 'o')
    .replace(/o[uh](?![aeiouy])|oo/g, 'o')
    .replace(/uu/g, 'u');
}
