// The table of Han characters: how characters and family names are read in the languages that write with them.
import { readTable, tableLines } from '../../table-files.ts';
import { wadeGilesOf } from './pinyin.ts';

/** Readings of a character or surname; one list per language, in the order of the table's columns. */
type Readings = string[][];

/** Columns of the table: Mandarin, the southern languages of China, Japanese, Korean, Vietnamese. */
export const MANDARIN_READINGS = 0;
export const SOUTHERN_READINGS = 1;
export const JAPANESE_READINGS = 2;
export const KOREAN_READINGS = 3;
export const VIETNAMESE_READINGS = 4;
export const COLUMNS = 5;

/** Bits of `surnameLands`. */
export const IN_CHINA = (1 << MANDARIN_READINGS) | (1 << SOUTHERN_READINGS);
export const IN_KOREA = 1 << KOREAN_READINGS;
export const IN_VIETNAM = 1 << VIETNAMESE_READINGS;

interface HanTable {
  surnames: Map<string, Readings>;
  characters: Map<string, Readings>;
  /** Variant of a character (traditional, Japanese) -> the one that stands for all. */
  plain: Map<string, string>;
  /** Usual rendering of a foreign name -> the names, folded. */
  foreign: Map<string, string[]>;
  /** Latin surname -> [line of the table, column]. */
  latin: Map<string, [line: number, column: number][]>;
}

let table: HanTable | undefined;

/** The table, read on first use. */
export function hanTable(): HanTable {
  return (table ??= load());
}

function load(): HanTable {
  const built: HanTable = {
    surnames: new Map(),
    characters: new Map(),
    plain: new Map(),
    foreign: new Map(),
    latin: new Map(),
  };
  let section = '';
  for (const [index, line] of tableLines(readTable('han.txt')).entries()) {
    if (line.startsWith('[')) section = line;
    else if (section === '[foreign]') addForeign(built, line);
    else addReadings(built, line, section === '[surnames]' ? index : -1);
  }
  return built;
}

function addForeign({ foreign, plain }: HanTable, line: string): void {
  const [word = '', ...names] = line.split(' ');
  foreign.set([...word].map((c) => plain.get(c) ?? c).join(''), names);
}

/** `index` is the number of the line for a family name, -1 for a character. */
function addReadings(built: HanTable, line: string, index: number): void {
  const [variants = [], ...columns] = line.split(' | ').map((cell) => cell.split(' '));
  const readings = columns.map((list, column) =>
    list[0] === '-' ? [] : column === JAPANESE_READINGS ? list.map(shortVowels) : list,
  );
  const target = index < 0 ? built.characters : built.surnames;
  const [first = '', ...others] = variants;
  for (const word of variants) {
    const known = target.get(word);
    target.set(word, known ? merge(known, readings) : readings);
  }
  for (const word of others) if (word !== first && !built.plain.has(word)) built.plain.set(word, first);
  if (index >= 0) indexLatin(built.latin, columns, index);
}

const merge = (a: Readings, b: Readings): Readings =>
  a.map((list, i) => [...new Set([...list, ...(b[i] ?? [])])]);

function indexLatin(latin: HanTable['latin'], columns: string[][], line: number): void {
  for (const [column, list] of columns.entries()) {
    const spellings = column === MANDARIN_READINGS ? new Set([...list, ...list.map(wadeGilesOf)]) : list;
    for (const word of spellings) {
      if (word === '-') continue;
      const entries = latin.get(word);
      if (entries) entries.push([line, column]);
      else latin.set(word, [[line, column]]);
    }
  }
}

/** Characters with variants of one character made the same. */
export function plainHan(word: string): string {
  const { plain } = hanTable();
  let out = '';
  for (const c of word) out += plain.get(c) ?? c;
  return out;
}

/** Where a Latin word is a family name: a bit a column, 0 for nowhere. */
export function surnameLands(text: string): number {
  let lands = 0;
  for (const [, column] of hanTable().latin.get(text) ?? []) lands |= 1 << column;
  return lands;
}

/** Long vowels are written in many ways (Sato, Satou, Satoh): they are written short here. */
export function shortVowels(text: string): string {
  return text
    .replace(/ō/g, 'o')
    .replace(/o[uh](?![aeiouy])|oo/g, 'o')
    .replace(/uu/g, 'u');
}
