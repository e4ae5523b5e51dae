// Words around a name that are not part of the name: titles, degrees, generational suffixes, particles.
import { readBuiltInTable, splitTableLines } from './tables.ts';
import type { Word } from './types.ts';

interface TitleWords {
  titles: Set<string>;
  /** Abbreviations that are titles only with a dot: Mag., Ing. */
  titlesWithDot: Set<string>;
  /** Words that are titles and never names. They are removed from any place of a name. */
  sureTitles: Set<string>;
  /** Words that belong to the title, or to the part of a title, before them: `rer` after `dr`, `nat` after `rer`. */
  wordsAfterTitles: Map<string, Set<string>>;
  /** Titles that are also names (King, Major). They are removed only before a complete name. */
  titlesOrNames: Set<string>;
  degrees: Set<string>;
  /** Academic degrees that are also names (Do, Ma). They are removed only after a comma. */
  degreesAfterComma: Set<string>;
  particles: Set<string>;
  /** Family names that are often written without their apostrophe: D'Angelo, O'Farrelly. */
  elidedNames: Set<string>;
  /** Number of the generation (1 for Sr, 2 for Jr) of each suffix. */
  suffixes: Map<string, string>;
  /** Suffixes that are never names. They are removed from any place of a name. */
  sureSuffixes: Map<string, string>;
  /** Number of the generation by suffix, for suffixes that are also names (Jun, Neto). They are removed only after a given and a family name. */
  suffixesOrNames: Map<string, string>;
}

let words: TitleWords | undefined;

export function getTitleWordSets(): TitleWords {
  return (words ??= loadTitleWords());
}

function loadTitleWords(): TitleWords {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of splitTableLines(readBuiltInTable('words.txt'))) {
    if (line.startsWith('[')) sections.set(line, (current = []));
    else current.push(...line.split(/\s+/));
  }
  const toSet = (section: string) => new Set(sections.get(section));
  const toGenerations = (section: string) =>
    new Map((sections.get(section) ?? []).map((pair) => pair.split('=') as [string, string]));
  const wordsAfterTitles = new Map<string, Set<string>>();
  for (const pair of sections.get('[words after titles]') ?? []) {
    const [title = '', word = ''] = pair.split('=');
    wordsAfterTitles.set(title, (wordsAfterTitles.get(title) ?? new Set()).add(word));
  }
  return {
    wordsAfterTitles,
    titles: new Set([...toSet('[titles]'), ...toSet('[titles in front]')]),
    titlesWithDot: toSet('[titles with a dot]'),
    sureTitles: toSet('[titles]'),
    titlesOrNames: toSet('[titles or names]'),
    degrees: toSet('[degrees]'),
    degreesAfterComma: toSet('[degrees after a comma]'),
    particles: toSet('[particles]'),
    elidedNames: toSet('[family names with an apostrophe]'),
    suffixes: new Map([...toGenerations('[suffixes]'), ...toGenerations('[suffixes at the end]')]),
    sureSuffixes: toGenerations('[suffixes]'),
    suffixesOrNames: toGenerations('[suffixes or names]'),
  };
}

/** Returns the form of a word in the title table: folded to a-z; in other scripts, in lower case. */
export const toTitleTableForm = ({ text, folded }: Word): string => folded || text.toLowerCase();

/**
 * True for a title. Some abbreviations (Mag., Ing.) are titles only with a dot. In capitals, they are initials unless the whole name is in capitals:
 * HJ. Schmidt.
 */
export function isTitle(word: Word, name: readonly Word[]): boolean {
  const { titles, titlesWithDot } = getTitleWordSets();
  const title = toTitleTableForm(word);
  if (titles.has(title)) return true;
  if (!word.hasDot || !titlesWithDot.has(title)) return false;
  const isUpperCase = ({ text }: Word) => text === text.toUpperCase();
  return word.text.length === 1 || !isUpperCase(word) || name.every(isUpperCase);
}

/** True for a word of titles and degrees, in lower-case a-z: `dr`, `dipl`, `rer` (after `dr`), `king`. */
export function isTitleWord(word: string): boolean {
  const { titles, titlesWithDot, titlesOrNames, degrees, wordsAfterTitles } = getTitleWordSets();
  return (
    [titles, titlesWithDot, titlesOrNames, degrees].some((words) => words.has(word)) ||
    [...wordsAfterTitles].some(([title, words]) => title === word || words.has(word))
  );
}

/** True if one of two particles is an abbreviation of the other: `vd` or `vden` of `vanden`, `vd` of `vonder`. */
export const areParticleAndItsAbbreviation = (a: string, b: string): boolean =>
  isAbbreviationOf(a, b) || isAbbreviationOf(b, a);

const isAbbreviationOf = (short: string, long: string) =>
  short.startsWith('vd') && ['van', 'von'].some((van) => long.startsWith(van + short.slice(1)));

export const TITLE_LINK_WORD_PATTERN = /^(of|the|and|us|state|district|magistrate)$/;
/** Matches words at the start of brackets that introduce a birth name or former name. */
export const BIRTH_NAME_PREFIX_PATTERN = /^(?:n[eé]e?|born|geb(?:oren)?|f[oö]dd|formerly|roz|ur)\b\.?\s*/iu;
/** Matches a birth name without brackets at the end of a name: `Jane Doe née Roe`. */
export const INLINE_BIRTH_NAME_PATTERN = /\s(?:n[eé]e|born|geb\.?|geboren)\s+([^\s,.()]+)\s*$/i;
export const DOTTED_DEGREE_PATTERN =
  /(?<=[\s,])(?:ph\.?\s?d|m\.\s?d|d\.\s?d\.\s?s|j\.\s?d|d\.\s?m\.\s?d|m\.\s?b\.\s?a|r\.\s?n|[bm]\.\s?sc|ll\.\s?[bm]|[bm]\.eng(?=\.)|esq)\.?(?=$|[\s,])/giu;

/** Matches Japanese, Chinese and Korean honorifics after a name: 様, さん, 先生, 씨. */
export const HONORIFIC_SUFFIX_PATTERN =
  /(?<=[\u3041-\u30ff\u3400-\u9fff]{2}) ?(?:様|さま|さん|先生|女士|小姐)$|(?<=[\uac00-\ud7a3]{2}) (?:씨|님)$|(?<=[\uac00-\ud7a3]{3})(?:씨|님)$/u;
/** Matches degrees with dots after a comma: M. Phil. After one word, they may be given names: Lim, M. Eng Hock. */
export const DOTTED_DEGREE_AFTER_COMMA_PATTERN = /, ?(?:[bm]\. ?(?:eng|phil|kom)|s\. ?kom)\.?(?=$|[\s,])/giu;

const AFTER_TWO_WORDS = String.raw`(?<=\p{L}[\s,.]+\p{L}{2,}[\s,]+)`;
const AT_END = String.raw`(?=\s*(?:,|$))`;
/**
 * Matches suffixes of the elder person (`sen.`, `d. Ä.`, `the Elder`) after at least two words of a name. Without dots and umlauts, some of them
 * may be names.
 */
export const SENIOR_SUFFIX_PATTERN = new RegExp(
  `${AFTER_TWO_WORDS}(?:sen\\.|d\\. ?Ä\\.|der (?:Ä|Ae)ltere|the elder)${AT_END}`,
  'iu',
);
/** Matches suffixes of the younger person (`jun.`, `d. J.`, `the Younger`) after at least two words of a name. */
export const JUNIOR_SUFFIX_PATTERN = new RegExp(
  `${AFTER_TWO_WORDS}(?:jun\\.|d\\. ?J\\.|der J(?:ü|ue)ngere|the younger)${AT_END}`,
  'iu',
);
