// Parses a text into the parts of a name. It knows the words and marks around names (titles, suffixes), not the names themselves.
import { findNameEntry, GIVEN_NAME_FLAG, hasNameFlag } from '../lexicon.ts';
import { foldLatin } from '../script.ts';
import { toTitleTableForm, getTitleWordSets, isTitle, TITLE_LINK_WORD_PATTERN } from '../title-words.ts';
import { EAST_ASIAN_SYLLABLE } from '../traditions/east-asia/customs.ts';
import { CHINESE_OR_KOREAN_SURNAME_FLAGS, getSurnameRegionFlags } from '../traditions/east-asia/han-table.ts';
import { ARTICLE_PATTERNS } from '../traditions/index.ts';
import type { Word } from '../types.ts';
import { HYPHENATED_WORD_MARKER, separateNicknamesAndFormerNames } from './marks.ts';

interface Affixes {
  /** Generation in the suffix: 1 for Sr, 2 for Jr, 3 for III; 0 without a suffix. */
  generation: number;
  suffix: string;
  titles: string[];
}

export interface ParsedName extends Affixes {
  words: Word[];
  /** Number of words at the start that are the family name, because a comma follows them; 0 without a comma. */
  familyWordCount: number;
  /** Nicknames in quotation marks, and names in brackets. */
  nicknames: string[];
  /** Birth or former names after née, geb., born. */
  formerNames: string[];
}

/** Parses a text into the parts of a name. Never throws. A text without letters has no words. */
export function parseName(text: string): ParsedName {
  const { segments, nicknames, formerNames } = separateNicknamesAndFormerNames(text);
  const affixes: Affixes = { generation: 0, suffix: '', titles: [] };
  const names: Word[][] = [];
  for (const segment of segments) {
    if (segment.length === 0) continue;
    const wordsBefore = names[0]?.length ?? 0;
    const position = { wordsBefore, segments };
    const withoutTitles = removeTitles(segment, affixes.titles, position);
    const rest = removeSuffixes(removeSureAffixes(withoutTitles, affixes, position), affixes, position);
    if (rest.length > 0) names.push(joinElisions(rest));
  }
  const words: Word[] = [];
  let familyWordCount = 0;
  for (const segment of names) {
    const isFamily = words.length === 0 && names.length > 1;
    joinParticles(words, segment, isFamily);
    if (isFamily) familyWordCount = words.length;
  }
  return { words, familyWordCount, nicknames, formerNames, ...affixes };
}

/**
 * Joins given, middle, family name and suffix into a text that `parseName` can parse. Empty parts are left out. A suffix that is also a name
 * (Filho, Jun) follows a comma.
 */
export function joinNameParts([
  given = '',
  middle = '',
  family = '',
  suffix = '',
]: readonly string[]): string {
  const name = [given, middle, family].filter((part) => part !== '').join(' ');
  if (name === '' || suffix === '') return name + suffix;
  const mayBeName = name.includes(' ') && getTitleWordSets().suffixesOrNames.has(foldLatin(suffix));
  return `${name}${mayBeName ? ',' : ''} ${suffix}`;
}

/** First parts of family names that people write together or separately: O Donnell, D Angelo, Mc Donald. */
const FIRST_PARTS = new Set(['o', 'd', 'l', 'mc', 'mac', 'fitz']);

/** Joins the two parts of a family name that was split or has lost its apostrophe (O Donnell), if the result is a known name. */
function joinElisions(words: Word[]): Word[] {
  if (!words.some(({ folded }) => FIRST_PARTS.has(folded))) return words;
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    if (!before || !FIRST_PARTS.has(before.folded) || !isOneName(word, joined)) joined.push(word);
    else
      joined[joined.length - 1] = {
        ...word,
        text: before.text + word.text,
        folded: before.folded + word.folded,
      };
  }
  return joined;
}

/**
 * True if a word continues the first part of a family name before it (Mc, Mac, O): if both together are a known name, after `mc`, and after `mac`
 * if the word alone is no known name. At the start of a name, MC may be two initials.
 */
function isOneName({ folded }: Word, before: readonly Word[]): boolean {
  if (folded === '') return false;
  const first = before.at(-1)?.folded ?? '';
  if (before.length > 1 && first === 'mc') return true;
  const isName = (text: string) => findNameEntry(text) !== undefined;
  if (before.length > 1 && first === 'mac' && !isName(folded)) return true;
  return isName(first + folded) || getTitleWordSets().elidedNames.has(first + folded);
}

function removeTitles(words: Word[], titles: string[], { segments }: SegmentPosition): Word[] {
  let start = 0;
  for (let word = words[0]; word; word = words[start]) {
    const left = words.length - start;
    const isLink = start > 0 && left > 2 && TITLE_LINK_WORD_PATTERN.test(word.folded);
    const head = isLink ? 1 : countTitleHead(words, start);
    if (head === 0 || left < (getTitleWordSets().titles.has(word.folded) ? 2 : 3)) break;
    const total = segments.flat().length;
    const [first, end] = [start + head, start + (isLink ? 1 : countTitleWords(words, start))];
    // If only one word would be left, the parts of the title may be names (Dr. Med Hondo), unless they are attached to it (Dr.med. Hondo).
    for (; start < first || (start < end && total - end > Number(!words[start]?.isAfterDot)); start++)
      titles.push(toTitleTableForm(words[start] ?? word));
  }
  return start ? words.slice(start) : words;
}

/** Returns the number of words of a title without the parts after it: 1 for Dr., 2 for Univ.-Prof. and г-н, 0 if no title begins here. */
function countTitleHead(words: readonly Word[], at: number): number {
  const [word, next] = [words[at], words[at + 1]];
  if (!word) return 0;
  if (isTitle(word, words)) return 1;
  if (!next || !isHyphenated(next)) return 0;
  const second = next.text.slice(HYPHENATED_WORD_MARKER.length);
  return getTitleWordSets().titles.has(`${word.text}-${second}`.toLowerCase()) ? 2 : 0;
}

/** Returns the number of words of a title with its parts, which elsewhere may be names: 3 for Dr. rer. nat.; 0 if no title begins here. */
function countTitleWords(words: readonly Word[], at: number): number {
  const { wordsAfterTitles } = getTitleWordSets();
  const start = at + countTitleHead(words, at);
  if (start === at) return 0;
  const isPart = (i: number) =>
    wordsAfterTitles.get(words[i - 1]?.folded ?? '')?.has(words[i]?.folded ?? '') &&
    isSurelyTitlePart(words, i);
  const isLetter = (i: number) => i >= start && words[i]?.folded.length === 1;
  let end = start;
  while (isPart(end)) end++;
  // A word before a hyphen belongs to the name, and a letter alone is an initial.
  while (end > start && (isHyphenated(words[end]) || (isLetter(end - 1) && !isLetter(end - 2)))) end--;
  return end - at;
}

const isHyphenated = (word: Word | undefined): boolean =>
  word?.text.startsWith(HYPHENATED_WORD_MARKER) === true;

/** Words after Dr. that are also names or initials: Dr. Phil McGraw, Dr. Ing Kantha Phavi, Dr. H. C. Brown. */
const TITLE_PARTS_OR_NAMES = new Set(['phil', 'ing', 'sc', 'h', 'e', 'c']);

/**
 * True if a word after a title is surely part of it. Words that may be names (phil, ing) are parts in lower case in a name with capitals;
 * longer ones also with a dot, after a hyphen, or after another title than Dr.
 */
function isSurelyTitlePart(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word || !TITLE_PARTS_OR_NAMES.has(word.folded)) return true;
  const isWord = word.folded.length > 1;
  if (isWord && (word.hasDot || isHyphenated(word) || words[at - 1]?.folded !== 'dr')) return true;
  return word.text === word.folded && words.some(({ text }) => text !== text.toLowerCase());
}

interface SegmentPosition {
  /** Number of words of the name before the comma that precedes this segment; 0 for the first segment. */
  wordsBefore: number;
  segments: readonly Word[][];
}

/** Removes suffixes and degrees from the end of a segment. After a comma, a suffix or degree may be the whole segment. */
function removeSuffixes(words: Word[], affixes: Affixes, position: SegmentPosition): Word[] {
  const minimum = position.wordsBefore > 0 ? 0 : 1;
  let rest = words;
  while (rest.length > minimum && takeSuffix(rest, affixes, position)) rest = rest.slice(0, -1);
  return rest;
}

/** Returns true if the last word is a suffix or a degree, and stores it in `affixes`. */
function takeSuffix(words: Word[], affixes: Affixes, position: SegmentPosition): boolean {
  const last = words.at(-1);
  if (!last) return false;
  const word = toSuffixText(last.text, last.folded);
  const { suffixes, suffixesOrNames } = getTitleWordSets();
  const surely = canBeSuffix(word, words.length, position.wordsBefore) ? suffixes.get(word) : undefined;
  const generation = surely ?? suffixesOrNames.get(word);
  if (generation !== undefined && (surely !== undefined || isSuffixNotName(words, last, position))) {
    affixes.generation = Number(generation);
    affixes.suffix = word;
    return true;
  }
  const isAfterName = isDegree(word, words.length, position.wordsBefore);
  if (isAfterName) affixes.titles.push(word);
  return isAfterName;
}

/**
 * Removes titles and suffixes that are never names from any place of a segment, if at least two other words of the name remain: Jr Walter
 * Bright, Bright Dr. Walter.
 */
function removeSureAffixes(words: Word[], affixes: Affixes, { segments }: SegmentPosition): Word[] {
  const { sureTitles, sureSuffixes } = getTitleWordSets();
  const generationOf = ({ text, folded }: Word) =>
    sureSuffixes.get(toSuffixText(text, folded)) ?? readLeadingSenior(words, folded);
  const isAffix = (word: Word) => sureTitles.has(word.folded) || generationOf(word) !== undefined;
  if (!words.some(isAffix)) return words;
  const countAffix = (list: readonly Word[], i: number) =>
    sureTitles.has(list[i]?.folded ?? '') ? countTitleWords(list, i) : Number(isAffix(list[i] as Word));
  let remaining = words.length;
  for (const segment of segments)
    if (!segment.includes(words[0] as Word))
      for (let i = 0; i < segment.length; i += countAffix(segment, i) || 1)
        remaining += Number(countAffix(segment, i) === 0);
  const kept: Word[] = [];
  for (let i = 0; i < words.length;) {
    const word = words[i] as Word;
    const whole = countAffix(words, i);
    const isWhole = remaining - whole >= 2;
    const count = isWhole || whole < 2 ? whole : 1;
    const isOfName = isHyphenated(word) || isHyphenated(words[i + count]);
    if (count === 0 || isOfName || remaining - count < 2) {
      kept.push(word);
      i++;
      continue;
    }
    const generation = generationOf(word);
    if (generation === undefined)
      affixes.titles.push(...words.slice(i, i + count).map(({ folded }) => folded));
    else if (affixes.generation === 0)
      Object.assign(affixes, {
        generation: Number(generation),
        suffix: toSuffixText(word.text, word.folded),
      });
    remaining -= count;
    i += count;
  }
  return kept;
}

/** Returns the generation of Senior before a known given name: Senior Walter Bright. Junior may be a given name: Junior Alexander Smith. */
function readLeadingSenior([first, given]: readonly Word[], suffix: string): string | undefined {
  if (suffix !== 'senior' || first?.folded !== suffix) return undefined;
  const isGiven = hasNameFlag(findNameEntry(given?.folded ?? ''), GIVEN_NAME_FLAG);
  return isGiven ? getTitleWordSets().suffixes.get(suffix) : undefined;
}

/** Returns the text of a word by which suffixes are found. Folding would remove the digits of 2nd. */
const toSuffixText = (text: string, folded: string) => (/\d/.test(text) ? text.toLowerCase() : folded);

/** True if enough words precede a suffix. A single letter is more likely an initial. */
function canBeSuffix(word: string, wordCount: number, wordsBefore: number): boolean {
  if (wordsBefore > 0) return word.length > 1 || (wordCount === 1 && wordsBefore > 1);
  return wordCount > 2 || (word.length > 1 && wordCount > 1);
}

/** Suffixes that are also names. They are suffixes only in lower case, within a name that has capitals. */
const LOWER_CASE_SUFFIXES = new Set(['sen', 'jun', 'pere']);

/** True if a word may be a suffix by its letter case. Jun, Sen and Pere are names, unless accented or in lower case beside a capital. */
export const mayBeSuffixByLetterCase = (word: string, folded: string, name: string): boolean =>
  !LOWER_CASE_SUFFIXES.has(folded) ||
  /[\u00c0-\u024f]/.test(word) ||
  (word === folded && name !== name.toLowerCase());

/** Suffixes that only men have; women have them as family names. */
const MALE_SUFFIXES = new Set(['filho', 'neto', 'sobrinho']);

/** True if the last word, which may be a suffix or a name, is a suffix because a given and a family name precede it. */
function isSuffixNotName(
  words: readonly Word[],
  last: Word,
  { wordsBefore, segments }: SegmentPosition,
): boolean {
  const isOnlyWord = words.length === 1;
  const [first = [], ...others] = segments.filter((segment) => segment.length > 0);
  const next = (wordsBefore > 0 ? [] : (others[0] ?? [])).filter(({ folded }) => !isDegree(folded, 1, 2));
  // The suffix may follow the family name before the comma, or the given name after the comma.
  const count = words.length + wordsBefore + next.length;
  const [given] = isOnlyWord ? first : next.length > 0 ? next : words;
  if (!given || count < 3 || (isOnlyWord && wordsBefore < 2)) return false;
  if (MALE_SUFFIXES.has(last.folded)) return !given.folded.endsWith('a');
  // The second syllable of a given name: Kim Min-jun.
  if (isHyphenated(last) && LOWER_CASE_SUFFIXES.has(last.folded)) return false;
  return isOnlyWord || mayBeSuffixByLetterCase(last.text, last.folded, given.text);
}

function isDegree(word: string, wordCount: number, wordsBefore: number): boolean {
  const { degrees, degreesAfterComma, titles } = getTitleWordSets();
  if (wordsBefore === 0) return wordCount > 2 && degrees.has(word);
  return (
    wordsBefore > 1 &&
    (degrees.has(word) || degreesAfterComma.has(word) || (wordCount === 1 && titles.has(word)))
  );
}

/**
 * Appends the words of a segment to `words`; a particle becomes the prefix of the next word. A particle at the start or end of a name
 * counts as a name. A single letter is a particle only after a given and a family name (Velasquez y Garcia), otherwise an initial.
 */
function joinParticles(words: Word[], segment: Word[], isFamily: boolean): void {
  let prefix = '';
  let isHyphenated = false;
  for (const [i, word] of segment.entries()) {
    isHyphenated ||= word.text.startsWith(HYPHENATED_WORD_MARKER);
    if (isAbbreviationOfParticle(segment, i, isFamily) || isParticle(segment, i, isFamily)) {
      prefix += word.folded;
      continue;
    }
    if (isHyphenated) word.text = word.text.replaceAll(HYPHENATED_WORD_MARKER, '');
    word.prefix = prefix;
    word.isHyphenated = isHyphenated && i > 0;
    words.push(word);
    prefix = '';
    isHyphenated = false;
  }
}

/** Matches the Irish Ó, which is never an initial: Ó Briain. */
const IRISH_PARTICLE = /^ó$/iu;

function isParticle(segment: Word[], at: number, isFamily: boolean): boolean {
  const { particles } = getTitleWordSets();
  const folded = segment[at]?.folded ?? '';
  const next = segment[at + 1];
  if (!next || !particles.has(folded)) return false;
  if (IRISH_PARTICLE.test(segment[at]?.text ?? '')) return true;
  if (folded.length === 1 && at < (isFamily ? 1 : 2)) return false;
  if (isVietnameseMiddleName(segment, at) || isEastAsianSyllable(segment, at)) return false;
  if (at > 0 || isFamily) return true;
  if (particles.has(next.folded) && segment.length > 2) return true;
  return (
    next.text.startsWith(HYPHENATED_WORD_MARKER) &&
    ARTICLE_PATTERNS.some(({ hyphenated }) => hyphenated.test(folded))
  );
}

/** Words after v that make it the abbreviation of a particle. */
const AFTER_ABBREVIATED_PARTICLE = new Set(['d', 'den', 'der']);

/** True for `vd`, and for `v` and `d` together, which abbreviate two particles: Willem v.d. Berg, v.den Berg. */
function isAbbreviationOfParticle(segment: Word[], at: number, isFamily: boolean): boolean {
  if (at < (isFamily ? 0 : 1) || at + 1 >= segment.length) return false;
  const [before, word, next] = [segment[at - 1], segment[at], segment[at + 1]];
  if (word?.folded === 'd') return before?.folded === 'v' && (isFamily || at > 1);
  if (word?.folded === 'v')
    return at + 2 < segment.length && AFTER_ABBREVIATED_PARTICLE.has(next?.folded ?? '');
  return word?.folded === 'vd';
}

/** Particles that are also syllables of Chinese and Korean given names, without a hyphen too: Lee Do Yun. */
const PARTICLES_OR_SYLLABLES = new Set(['bin', 'da', 'di', 'do', 'du']);

/** True for a syllable of a given name beside a Chinese or Korean family name, which is no particle: Su-bin Kim, Lee Do Yun. */
function isEastAsianSyllable(segment: readonly Word[], at: number): boolean {
  const [first, , last] = segment;
  if (segment.length !== 3 || at !== 1 || !segment.every(({ folded }) => EAST_ASIAN_SYLLABLE.test(folded)))
    return false;
  const isInGivenName = isHyphenated(segment[1]) || isHyphenated(last);
  if (!isInGivenName && !PARTICLES_OR_SYLLABLES.has(segment[1]?.folded ?? '')) return false;
  return [first, last].some(
    (word) => (getSurnameRegionFlags(word?.folded ?? '') & CHINESE_OR_KOREAN_SURNAME_FLAGS) !== 0,
  );
}

/** Vietnamese family names that are seldom names elsewhere. */
const VIETNAMESE_FAMILY_NAMES = new Set(
  'nguyen tran pham huynh hoang phan dang bui ngo duong dinh trinh'.split(' '),
);

/** True for Văn, the middle name of Vietnamese men, which is no particle: Trần Văn Hùng. */
function isVietnameseMiddleName(segment: Word[], at: number): boolean {
  if (segment[at]?.folded !== 'van') return false;
  if (segment[at].text.toLowerCase() !== 'van') return true;
  return at === 1 && VIETNAMESE_FAMILY_NAMES.has(segment[0]?.folded ?? '');
}
