// Tests if a name is a part of another name: some of its words and initials, in any order, and no other word.
import type { PreparedName, Token } from '../types.ts';
import { prepareName } from '../prepare/name.ts';
import { mayBeSuffixByLetterCase } from '../prepare/parse.ts';
import { getTitleWordSets } from '../title-words.ts';
import { haveOtherVietnameseMarks } from '../traditions/east-asia/customs.ts';
import { getNameOfHusband } from '../traditions/western.ts';
import { getNameWordRarityFraction, alignsFatherWithChild, isFamilyWord } from './evidence.ts';
import { dropRepeatedWords } from './assess.ts';
import { compareNameWords } from './words.ts';

/** Words of a longer name that a shorter name contains. */
export interface PartialNameMatch {
  /** Number of shared words that both names write out. */
  words: number;
  /** Number of words of which the shorter name has only the initial. */
  initials: number;
  /** Share (0-1) of the longer name's words that the shorter name contains. An initial counts as a third of a word. */
  coverage: number;
  /** True if both names consist of the same words, in any order. */
  isEqual: boolean;
  /** Rarity (0-1) of the rarest shared word, without initials; see `getNameWordRarityFraction`. */
  rarity: number;
  /** True if the shared words include a given name and a family name. */
  hasBothEnds: boolean;
  /** True if the shared words are all given names, or all family names. */
  hasOneEnd: boolean;
  /** True if the shared words include a given name, and an initial represents the family name: Jane D. */
  hasFamilyInitial: boolean;
}

/** Minimum quality (0-1) of a comparison of two words that are spellings of one word: letters, spaces or particles may differ. */
const MIN_WORD_QUALITY = 0.94;
const SAME_WORD_RELATIONS = new Set(['equal', 'script', 'part', 'joined']);
const INITIAL_SHARE = 1 / 3;

/**
 * Returns the words of the name `whole` that the name `part` contains. Null if `part` contains any other word, or if one of the names has
 * `alternatives`.
 */
export function findPartialNameMatch(part: PreparedName, whole: PreparedName): PartialNameMatch | null {
  if (!canBePart(part, whole)) return null;
  const remaining = [...new Set(whole.tokens)];
  const words: Token[] = [];
  const links: { a: [Token]; b: [Token] }[] = [];
  const letters: string[] = [];
  const isOneWord = part.tokens.filter(({ isInitial }) => !isInitial).length === 1;
  for (const token of part.tokens) {
    const word = findWord(token, remaining) ?? (isOneWord ? findFullForm(token, remaining) : undefined);
    if (word) {
      remaining.splice(remaining.indexOf(word), 1);
      words.push(word);
      links.push({ a: [token], b: [word] });
      continue;
    }
    const own = lettersOf(token, part.tokens);
    if (own === null) return null;
    letters.push(...own);
  }
  if (alignsFatherWithChild(links)) return null;
  // All words without the suffix (Jr) are the whole name, not a part.
  if (words.length === whole.tokens.length && part.generation !== whole.generation) return null;
  const initials: Token[] = [];
  for (const letter of letters) {
    const word = findInitial(letter, remaining);
    if (word) {
      remaining.splice(remaining.indexOf(word), 1);
      initials.push(word);
    } else if (!isParticleLetter(letter, whole)) return null;
  }
  const written = words.filter((token) => !token.isInitial);
  const has = (list: Token[], role: Token['role']) => list.some((token) => token.role === role);
  const shown = words.length + INITIAL_SHARE * initials.length;
  return {
    words: written.length,
    initials: initials.length + words.length - written.length,
    coverage: shown / whole.tokens.length,
    isEqual: words.length === whole.tokens.length && words.every((word) => hasEqualWord(part.tokens, word)),
    rarity: Math.max(0, ...written.map(getNameWordRarityFraction)),
    hasBothEnds: has(written, 'given') && written.some(isFamilyWord),
    hasOneEnd: written.every(isFamilyWord) || !written.some(isFamilyWord),
    hasFamilyInitial: has(written, 'given') && has(initials, 'family'),
  };
}

const lettersIn = ({ prefix, text }: Token) => prefix + text;

const hasEqualWord = (tokens: readonly Token[], word: Token) =>
  tokens.some((token) => lettersIn(token) === lettersIn(word));

/**
 * Writes the words of a name as the other name does. Joins two neighbouring words (D Angelo, DAngelo), splits a name without spaces
 * (AnnLee, Ann Lee) and removes a repeated word (Budi Budi, Budi).
 */
export function rewritePreparedNameLikeOther(name: PreparedName, other: PreparedName): PreparedName {
  if (other.generation > 0 && name.generation === 0) {
    const withSuffix = readSuffixOf(name, other);
    if (withSuffix) return withSuffix;
  }
  const split = name.tokens.length === 1 ? splitWord(name.tokens, other) : undefined;
  if (split?.length) return { ...name, tokens: split };
  if (!hasWordsToJoin(name.tokens, other.tokens)) return dropRepeatedWords(name, other);
  const tokens: Token[] = [];
  for (const token of name.tokens) {
    const before = tokens.at(-1);
    const word = before && other.tokens.find((candidate) => isJoined(candidate, before, token));
    if (word) tokens[tokens.length - 1] = word;
    else tokens.push(token);
  }
  return tokens.length === name.tokens.length ? name : { ...name, tokens };
}

/**
 * Returns the generations that a name may have. A name without a clear suffix may have one as a title or before its last word: Sr. Walter
 * Bright, Filho Carlos Figueira.
 */
export const listPossibleGenerations = (name: PreparedName): number[] =>
  name.generation > 0 ? [name.generation] : listPossibleSuffixes(name).map(getGeneration);

const listPossibleSuffixes = (name: PreparedName): string[] => [
  ...(name.tokens.length > 1 ? name.titles : []).filter((title) => getGeneration(title) > 0),
  ...listPossibleSuffixWords(name),
];

/** Returns the words before the last word of a name that may be its suffix. Titles are left out. */
export const listPossibleSuffixWords = ({ text: name, tokens }: PreparedName): string[] =>
  (tokens.length > 2 ? tokens.slice(0, -1) : [])
    .filter(({ raw, text }) => getGeneration(text) > 0 && mayBeSuffixByLetterCase(raw, text, name))
    .map(({ text }) => text);

function getGeneration(word: string): number {
  const { suffixes, suffixesOrNames } = getTitleWordSets();
  return word.length > 1 ? Number(suffixes.get(word) ?? suffixesOrNames.get(word) ?? 0) : 0;
}

/** Reads a word of a name as the suffix that the other name has. Undefined if no word can be this suffix. */
function readSuffixOf(name: PreparedName, { generation, tokens }: PreparedName): PreparedName | undefined {
  const suffix = listPossibleSuffixes(name).find((word) => getGeneration(word) === generation);
  if (suffix === undefined || tokens.some(({ text }) => text === suffix)) return undefined;
  const words = name.tokens
    .filter(({ text }) => text !== suffix)
    .map(({ prefix, raw }) => `${prefix} ${raw}`);
  const titles = name.titles.filter((title) => title !== suffix);
  return { ...prepareName(words.join(' ')), text: name.text, generation, suffix, titles };
}

/**
 * Finds two words of the other name that together form a word, in any order, or the family name in the other name of a Hungarian wife: Kovács in Kovács
 * Istvánné for Kovácsné. Undefined if there are none.
 */
function splitWord([word]: Token[], { tokens }: PreparedName): Token[] | undefined {
  if (!word || tokens.length < 2) return undefined;
  const family = getNameOfHusband(word);
  if (family !== undefined && tokens.some((token) => getNameOfHusband(token) !== undefined))
    return tokens.filter(({ text }) => text === family).slice(0, 1);
  for (const first of tokens)
    for (const second of tokens)
      if (first !== second && !first.isInitial && !second.isInitial && isJoined(word, first, second))
        return [first, second];
  return undefined;
}

/** True if two neighbouring tokens together form one of the words: D Angelo and DAngelo. */
function hasWordsToJoin(tokens: readonly Token[], words: readonly Token[]): boolean {
  for (let i = 1; i < tokens.length; i++) {
    const [first, second] = [tokens[i - 1], tokens[i]];
    if (first && second && words.some((word) => isJoined(word, first, second))) return true;
  }
  return false;
}

const countLetters = ({ prefix, text }: Token) => prefix.length + text.length;

/**
 * True if a word consists of two other words, one after the other. The lengths are compared first, because this test runs for every pair of
 * names.
 */
const isJoined = (word: Token, first: Token, second: Token) =>
  countLetters(word) === countLetters(first) + countLetters(second) &&
  lettersIn(word) === lettersIn(first) + lettersIn(second);

function canBePart(part: PreparedName, whole: PreparedName): boolean {
  const [few, many] = [part.tokens.length, whole.tokens.length];
  if (few === 0 || many < 2) return false;
  if (part.generation !== 0 && part.generation !== whole.generation) return false;
  if (part.alternatives.length + whole.alternatives.length > 0) return false;
  if (haveOtherVietnameseMarks(part, whole)) return false;
  return part.tokens.every(isWithoutCharacters) && whole.tokens.every(isWithoutCharacters);
}

const isWithoutCharacters = ({ characters }: Token) => characters === '';

/**
 * Returns the word of the other name that is the same as a token. An equal text is preferred, so that the order of the tokens does not matter.
 */
function findWord(token: Token, words: readonly Token[]): Token | undefined {
  const equal = words.find((word) => lettersIn(word) === lettersIn(token));
  if (equal || token.isInitial) return equal;
  return words.find((word) => {
    if (word.isInitial) return false;
    const { quality, relation } = compareNameWords(token, word);
    return quality >= MIN_WORD_QUALITY && SAME_WORD_RELATIONS.has(relation);
  });
}

/** Minimum quality (0-1) of a short form from the name tables and its full form. */
const SURE_SHORT_FORM = 0.85;

/** Returns the given name of which a token is a short form: Elizabeth for Liz. */
const findFullForm = (token: Token, words: readonly Token[]): Token | undefined =>
  token.isInitial
    ? undefined
    : words.find((word) => {
        if (word.isInitial || word.role === 'family') return false;
        const { quality, relation } = compareNameWords(token, word);
        return relation === 'nickname' && quality >= SURE_SHORT_FORM;
      });

const MAX_INITIALS = 4;

/**
 * Returns the letters of a token that may consist of initials (`V`, `VL`); null for a name. Two to four letters that are the whole name may
 * be initials or a name, and are returned.
 */
function lettersOf(
  { text, isInitial, entry, mayBeEastAsian }: Token,
  part: readonly Token[],
): string[] | null {
  if (isInitial) return [text];
  if (text.length > MAX_INITIALS) return null;
  return part.length === 1 || (!entry && !mayBeEastAsian) ? [...text] : null;
}

const findInitial = (letter: string, words: readonly Token[]): Token | undefined =>
  words.find(({ text, role }) => text[0] === letter && role === 'family') ??
  words.find(({ text }) => text[0] === letter);

/** True if a letter is the initial of a particle, such as v and d in P v d B (Pieter van den Berg). */
const isParticleLetter = (letter: string, { tokens }: PreparedName) =>
  tokens.some(({ prefix }) => prefix.includes(letter));
