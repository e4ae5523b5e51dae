// The tables of data/generate: text in, lists to draw from out.
import { type Random, type Weighted, weighted } from '../random.ts';

/** One word of a name, or several that belong together. */
export interface Word {
  /** In Latin letters, accents included. */
  text: string;
  /** Other spellings of the same name. */
  spellings: string[];
  /** Short and pet forms. */
  shorts: string[];
  /** In the script it comes from; empty where that is Latin. */
  native: string;
}

/** Names of one sort: listed ones, commonest first, and parts from which rarer ones are put together. */
export interface Names {
  listed: Weighted<Word>;
  /** Share of people who bear a listed one. */
  head: number;
  parts: [left: Word[], right: Word[], ends: string[]];
}

export interface Origin {
  id: string;
  male: Names;
  female: Names;
  family: Names;
}

/** `[section]` headers and `key: value` lines; # begins a comment line. */
export function sections(text: string): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const header = /^\[(.+)\]$/.exec(line)?.[1];
    if (header !== undefined) found.set(header, (section = new Map()));
    const [key, value] = split(line, ': ');
    if (header === undefined) section.set(key, value);
  }
  return found;
}

/** The text before the first separator and the text after it. */
export function split(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + separator.length)];
}

export const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
export const spaced = (text: string): string => text.replaceAll('_', ' ');

/** Reads the names table: its sections by origin. */
export function parseNames(text: string): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const [id, lines] of sections(text)) {
    const head = new Map(words(lines.get('head')).map((pair) => split(pair, '=')));
    const names = (sort: string): Names => ({
      listed: zipf(words(lines.get(sort)).map(parseWord)),
      head: Number(head.get(sort)),
      parts: parseParts(lines.get(`${sort}+`) ?? ''),
    });
    origins.set(id, { id, male: names('male'), female: names('female'), family: names('family') });
  }
  return origins;
}

/** `native=Spelling/Other>Short/Other`. */
function parseWord(text: string): Word {
  const [native, latin] = text.includes('=') ? split(text, '=') : ['', text];
  const [spellings, shorts] = split(latin, '>');
  const [first = '', ...others] = spellings.split('/').map(spaced);
  return {
    text: first,
    spellings: others,
    shorts: shorts === '' ? [] : shorts.split('/').map(spaced),
    native: spaced(native),
  };
}

function parseParts(text: string): Names['parts'] {
  const [left = [], right = [], ends = []] = text.split('|').map(words);
  return [left.map(parseWord), right.map(parseWord), ends.map((end) => (end === '-' ? '' : end))];
}

/** Weights that fall with the rank as those of real names do: the tenth is about a third of the first. */
export function zipf<T>(items: T[]): Weighted<T> {
  return weighted(items.map((item, rank) => [item, 1 / (rank + 3) ** 0.8]));
}

/** A name of this sort. Listed ones are drawn by rank, and of the parts the first are likelier too. */
export function drawName(names: Names, random: Random): Word {
  const [left, right, ends] = names.parts;
  if (left.length === 0 || random.chance(names.head)) return random.pickWeighted(names.listed);
  return joinParts([random.pickEarly(left, 1.5), random.pickEarly(right, 1.3)], ends, random);
}

function joinParts([a, b]: [Word, Word], ends: string[], random: Random): Word {
  const end = ends.length > 0 ? random.pick(ends) : '';
  // Al-Harbi and Van Linh, but Ashford and Jianhua.
  const second = a.text.endsWith('-') || a.text.endsWith(' ') ? b.text : lowerFirst(b.text);
  const native = a.native === '' ? '' : `${a.native}${b.native}`;
  return { text: `${a.text}${second}${end}`, spellings: [], shorts: [], native };
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The row of an id that must be there. */
export function rowOf<T>(rows: Map<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`the tables have no ${id}`);
  return row;
}
