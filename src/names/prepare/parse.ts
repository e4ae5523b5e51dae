// Text -> the parts of a name. Knows nothing of any particular name, only of the words and marks around names.
import { lookUp } from '../lexicon.ts';
import { TITLE_LINKS, wordTables } from '../title-words.ts';
import { ARTICLES } from '../traditions/index.ts';
import type { Word } from '../types.ts';
import { readMarks, TIE } from './marks.ts';
import { foldLatin } from '../script.ts';

/** What stands around the words of a name. */
interface Surroundings {
  /** Generation number of Jr, Sr, III …; 0 without one. */
  generation: number;
  suffix: string;
  titles: string[];
}

/** A parsed name. */
export interface ParsedName extends Surroundings {
  words: Word[];
  /** How many of `words`, from the front, stand before a comma and are the family name; 0 = not known. */
  familyFirst: number;
  /** Nicknames in quotation marks, names in brackets. */
  extras: string[];
  /** Birth or former names in brackets after née, geb., born. */
  former: string[];
}

/** Splits a text into the parts of a name. Never throws; a text without letters gives no words. */
export function parseName(text: string): ParsedName {
  const { segments, extras, former } = readMarks(text);
  const around: Surroundings = { generation: 0, suffix: '', titles: [] };
  const names: Word[][] = [];
  for (const segment of segments) {
    if (segment.length === 0) continue;
    const before = names[0]?.length ?? 0;
    const kept = stripTail(stripTitles(segment, around.titles), around, { before, segments });
    if (kept.length > 0) names.push(joinElided(kept));
  }
  const words: Word[] = [];
  let familyFirst = 0;
  for (const segment of names) {
    const family = words.length === 0 && names.length > 1;
    joinParticles(words, segment, family);
    if (family) familyFirst = words.length;
  }
  const { generation, suffix, titles } = around;
  return { words, familyFirst, extras, former, generation, suffix, titles };
}

const ELIDED = new Set(['o', 'd']);

/** `O Donnell` and `D Angelo` were written with an apostrophe, where together they are a name that the tables know. */
function joinElided(words: Word[]): Word[] {
  if (!words.some(({ folded }) => ELIDED.has(folded))) return words;
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const together = before && ELIDED.has(before.folded) ? before.folded + word.folded : '';
    if (!before || together === '' || lookUp(together) === undefined) joined.push(word);
    else joined[joined.length - 1] = { ...word, text: before.text + word.text, folded: together };
  }
  return joined;
}

function stripTitles(words: Word[], titles: string[]): Word[] {
  const known = wordTables().titles;
  let start = 0;
  for (const { folded } of words) {
    if (start === words.length - 1) break;
    const links = start > 0 && TITLE_LINKS.test(folded) && words.length - start > 2;
    if (!known.has(folded) && !links) break;
    titles.push(folded);
    start++;
  }
  return start ? words.slice(start) : words;
}

/** Where a segment stands. */
interface Place {
  /** How many words of the name stand before the comma in front of it; 0 for the first. */
  before: number;
  segments: readonly Word[][];
}

/** Takes suffixes and degrees off the end. After a comma a suffix may be all there is, and after a whole name so may a degree. */
function stripTail(words: Word[], around: Surroundings, place: Place): Word[] {
  const keep = place.before > 0 ? 0 : 1;
  let kept = words;
  while (kept.length > keep && isTail(kept, around, place)) kept = kept.slice(0, -1);
  return kept;
}

/** Whether the last of the words is no part of the name; what it is instead is kept. */
function isTail(words: Word[], around: Surroundings, place: Place): boolean {
  const last = words.at(-1);
  if (!last) return false;
  const word = /\d/.test(last.text) ? last.text.toLowerCase() : last.folded;
  const { suffixes, nameSuffixes } = wordTables();
  const generation = isSure(word, words.length, place.before) ? suffixes.get(word) : undefined;
  const told = generation ?? nameSuffixes.get(word);
  if (told !== undefined && (generation !== undefined || isNoName(words, last, place))) {
    around.generation = Number(told);
    around.suffix = word;
    return true;
  }
  const degree = isDegree(word, words.length, place.before);
  if (degree) around.titles.push(word);
  return degree;
}

/** Whether so many words leave room for a suffix behind them; a letter is an initial before it is one. */
function isSure(word: string, end: number, before: number): boolean {
  if (before > 0) return end === 1 || word.length > 1;
  return end > 2 || (word.length > 1 && end > 1);
}

/** Of these only those are suffixes that are written small, in a name with capitals: they are names as well. */
const SMALL = new Set(['sen', 'jun', 'pere']);
/** Of men only: women bear them as family names. */
const OF_MEN = new Set(['filho', 'neto', 'sobrinho']);

/** Whether the last word, a suffix or a name, is a suffix: it stands behind a given and a family name. */
function isNoName(words: readonly Word[], last: Word, { before, segments }: Place): boolean {
  const alone = words.length === 1;
  const [first = [], ...rest] = segments.filter((segment) => segment.length > 0);
  const behind = (before > 0 ? [] : (rest[0] ?? [])).filter(({ folded }) => !isDegree(folded, 1, 2));
  // A family name in front of the comma has the suffix with it, or the given name behind the comma has.
  const count = words.length + before + behind.length;
  const [given] = alone ? first : behind.length > 0 ? behind : words;
  if (!given || count < 3 || (alone && before < 2)) return false;
  if (OF_MEN.has(last.folded)) return !given.folded.endsWith('a');
  if (!SMALL.has(last.folded) || alone || /[^ -~]/.test(last.text)) return true;
  return last.text === last.folded && given.text !== given.text.toLowerCase();
}

function isDegree(word: string, end: number, before: number): boolean {
  const { degrees, commaDegrees, titles } = wordTables();
  if (before === 0) return end > 2 && degrees.has(word);
  return before > 1 && (degrees.has(word) || commaDegrees.has(word) || (end === 1 && titles.has(word)));
}

/**
 * A particle belongs to the word after it, unless it opens the name or closes it, where it is a name itself. One letter is
 * a particle (Velasquez y Garcia) only behind a given and a family name; before, it is an initial.
 */
function joinParticles(out: Word[], segment: Word[], family: boolean): void {
  let prefix = '';
  let tied = false;
  for (const [i, word] of segment.entries()) {
    tied ||= word.text.startsWith(TIE);
    if (isParticle(segment, i, family)) {
      prefix += word.folded;
      continue;
    }
    if (tied) word.text = word.text.replaceAll(TIE, '');
    word.prefix = prefix;
    word.tied = tied && i > 0;
    out.push(word);
    prefix = '';
    tied = false;
  }
}

function isParticle(segment: Word[], at: number, family: boolean): boolean {
  const { particles } = wordTables();
  const folded = segment[at]?.folded ?? '';
  const next = segment[at + 1];
  if (!next || !particles.has(folded) || (folded.length === 1 && at < (family ? 1 : 2))) return false;
  if (at > 0 || family) return true;
  if (particles.has(next.folded) && segment.length > 2) return true;
  return next.text.startsWith(TIE) && ARTICLES.some(({ tied }) => tied.test(folded));
}

// The parts of a name as one text, from which they can be read again.
/**
 * Given, middle and family name and suffix, joined by spaces; empty parts are left out. A suffix that is a name as well (Filho, Jun)
 * stands behind a comma, where it can be no name.
 */
export function joinNameParts([
  given = '',
  middle = '',
  family = '',
  suffix = '',
]: readonly string[]): string {
  const name = [given, middle, family].filter((part) => part !== '').join(' ');
  if (name === '' || suffix === '') return name + suffix;
  const isName = name.includes(' ') && wordTables().nameSuffixes.has(foldLatin(suffix));
  return `${name}${isName ? ',' : ''} ${suffix}`;
}
