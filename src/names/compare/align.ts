import { joinTokens } from '../prepare/token.ts';
import {
  type NameAlignment,
  DIFFERENT_WORDS_RESULT,
  type AlignedPairSide,
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
  type AlignedTokenPair,
} from '../types.ts';
import { compareNameWords } from './words.ts';

/** Minimum quality (0-1) of a word pair for aligning it. */
export const MIN_WORD_PAIR_QUALITY = 0.05;
/**
 * Quality (0-1) below which a word pair is compared again, after words that only one of the names splits (De Vries, DeVries) were joined.
 */
const FIRM_QUALITY = 0.6;
const JOINED = createTokenComparisonResult('joined', 0.97);
const TWO_INITIALS = createTokenComparisonResult('initial', 0.75);

/** Aligns two names: pairs the words that may be one word in both. If one name writes a word in two parts, both parts are linked to the word. */
export function alignNameWords(a: readonly Token[], b: readonly Token[]): NameAlignment {
  if (a.length === b.length) return linkBestPairs(a, b);
  const joined = findExactJoin(a, b);
  if (!joined) return linkBestPairs(a, b);
  const alignment = alignNameWords(
    a.filter((token) => !joined.a.includes(token)),
    b.filter((token) => !joined.b.includes(token)),
  );
  alignment.links.push(joined);
  return alignment;
}

/** Aligns the best word pairs first. Every word is in at most one pair. */
function linkBestPairs(a: readonly Token[], b: readonly Token[]): NameAlignment {
  const firm: AlignedTokenPair[] = [];
  const loose: AlignedTokenPair[] = [];
  const linked = { a: 0, b: 0, firmA: 0, firmB: 0 };
  for (const { i, j, first, second, comparison } of comparePairs(a, b)) {
    const x = 1 << i;
    const y = 1 << j;
    if (linked.a & x || linked.b & y) continue;
    linked.a |= x;
    linked.b |= y;
    const link: AlignedTokenPair = { a: [first], b: [second], comparison };
    if (comparison.quality < FIRM_QUALITY) loose.push(link);
    else {
      linked.firmA |= x;
      linked.firmB |= y;
      firm.push(link);
    }
  }
  if (a.length === b.length)
    return { links: [...firm, ...loose], onlyA: unlinked(a, linked.a), onlyB: unlinked(b, linked.b) };
  const alignment = { links: firm, onlyA: unlinked(a, linked.firmA), onlyB: unlinked(b, linked.firmB) };
  linkSplitWords(alignment);
  for (const link of loose) addIfUnlinked(alignment, link);
  return alignment;
}

const unlinked = (tokens: readonly Token[], linked: number) => tokens.filter((_, i) => !(linked & (1 << i)));

function addIfUnlinked(alignment: NameAlignment, link: AlignedTokenPair): void {
  const [i, j] = [alignment.onlyA.indexOf(link.a[0]), alignment.onlyB.indexOf(link.b[0])];
  if (i < 0 || j < 0) return;
  alignment.onlyA.splice(i, 1);
  alignment.onlyB.splice(j, 1);
  alignment.links.push(link);
}

interface ComparedPair {
  i: number;
  j: number;
  first: Token;
  second: Token;
  comparison: TokenComparison;
  rank: number;
}

/** Compares every word of one name with every word of the other. Returns the pairs, the best first. */
function comparePairs(a: readonly Token[], b: readonly Token[]): ComparedPair[] {
  const pairs: ComparedPair[] = [];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      const first = a[i];
      const second = b[j];
      if (!first || !second) continue;
      const comparison = compareNameWords(first, second);
      if (comparison.quality <= MIN_WORD_PAIR_QUALITY) continue;
      const sameRole = first.role === second.role ? 0.02 : 0;
      const rank = comparison.quality + sameRole - (comparison.relation === 'initial' ? 0.3 : 0);
      pairs.push({ i, j, first, second, comparison, rank });
    }
  }
  return pairs.length > 1 ? pairs.sort(byRank) : pairs;
}

const byRank = (x: ComparedPair, y: ComparedPair) =>
  y.rank - x.rank || Math.abs(x.i - x.j) - Math.abs(y.i - y.j) || x.i + x.j - y.i - y.j;

/** Links two words of one name to one word of the other. `isSwapped` is true if the two words are in the second name. */
function linkParts(
  parts: AlignedPairSide,
  whole: Token,
  comparison: TokenComparison,
  isSwapped: boolean,
): AlignedTokenPair {
  return isSwapped ? { a: [whole], b: parts, comparison } : { a: parts, b: [whole], comparison };
}

/** Finds a word that equals two neighbouring words of the other name written together. The other name must have more words. */
function findExactJoin(a: readonly Token[], b: readonly Token[]): AlignedTokenPair | undefined {
  const isSwapped = a.length < b.length;
  const parts = isSwapped ? b : a;
  const wholes = isSwapped ? a : b;
  let first: Token | undefined;
  for (const second of parts) {
    for (const whole of wholes)
      if (first && isExactJoin(whole, first, second))
        return linkParts([first, second], whole, JOINED, isSwapped);
    first = second;
  }
  return undefined;
}

function isExactJoin(whole: Token, first: Token, second: Token): boolean {
  const length = first.text.length + second.text.length;
  if (whole.characters || whole.prefix.length + whole.text.length < length) return false;
  const letters = first.text + second.text;
  return whole.text === letters || whole.prefix + whole.text === letters;
}

/** Links two unlinked neighbouring words of one name to the unlinked word of the other name that they form together (De Vries, DeVries). */
function linkSplitWords({ links, onlyA, onlyB }: NameAlignment): void {
  for (const [parts, wholes] of [
    [onlyA, onlyB],
    [onlyB, onlyA],
  ] as const) {
    for (const whole of wholes.slice()) {
      const match = whole.isInitial ? undefined : findParts(parts, whole);
      if (!match) continue;
      links.push(linkParts(match.pair, whole, match.comparison, parts === onlyB));
      parts.splice(parts.indexOf(match.pair[0]), 2);
      wholes.splice(wholes.indexOf(whole), 1);
    }
  }
}

/**
 * Finds two adjacent words that together form `whole`, a word of the other name (Mary Anne, Maryanne). Returns the first such pair and its
 * comparison with `whole`; undefined if there is none.
 */
function findParts(
  parts: readonly Token[],
  whole: Token,
): { pair: [Token, Token]; comparison: TokenComparison } | undefined {
  let first: Token | undefined;
  for (const second of parts) {
    const comparison = first && compareJoined(first, second, whole);
    if (first && comparison && comparison.quality >= FIRM_QUALITY)
      return { pair: [first, second], comparison };
    first = second;
  }
  return undefined;
}

function compareJoined(first: Token, second: Token, whole: Token): TokenComparison {
  const { text } = whole;
  if (text.length === 2 && text === first.text.charAt(0) + second.text.charAt(0) && !whole.entry)
    return TWO_INITIALS;
  const length = first.text.length + second.prefix.length + second.text.length;
  if (whole.script === 'latin' && first.script === 'latin' && Math.abs(length - text.length) > 3)
    return DIFFERENT_WORDS_RESULT;
  const comparison = compareNameWords(joinCached(first, second), whole);
  return comparison.relation === 'equal' ? JOINED : comparison;
}

/** Cache of joined words by their first word. One name is compared with many names, and each comparison would join its words again. */
const JOINED_TOKENS = new WeakMap<Token, { second: Token; joined: Token }>();

function joinCached(first: Token, second: Token): Token {
  const cached = JOINED_TOKENS.get(first);
  if (cached?.second === second) return cached.joined;
  const joined = joinTokens(first, second);
  JOINED_TOKENS.set(first, { second, joined });
  return joined;
}
