// Which word of one name belongs to which word of the other.
import { joinTokens } from '../prepare/token.ts';
import {
  DIFFERENT,
  relation,
  type Token,
  type TokenComparison,
  type Alignment,
  type Link,
  type Side,
} from '../types.ts';
import { compareTokens } from './words.ts';

/** Pairs that are no better are none; pairs below `FIRM` are looked at again once split words are joined. */
const WORTH = 0.05;
const FIRM = 0.6;
const JOINED = relation('joined', 0.97);
const TWO_INITIALS = relation('initial', 0.75);

/** Best pairs first; words that fit nothing stay alone. Joined and split words are tried on what is left. */
export function align(a: readonly Token[], b: readonly Token[]): Alignment {
  if (a.length === b.length) return bestPairs(a, b);
  const together = writtenTogether(a, b);
  if (!together) return bestPairs(a, b);
  const rest = align(
    a.filter((token) => !together.a.includes(token)),
    b.filter((token) => !together.b.includes(token)),
  );
  rest.links.push(together);
  return rest;
}

/** Every word at most once, the best pairs first. */
function bestPairs(a: readonly Token[], b: readonly Token[]): Alignment {
  const [firm, loose]: [Link[], Link[]] = [[], []];
  const taken = { a: 0, b: 0, firmA: 0, firmB: 0 };
  for (const { i, j, one, two, comparison } of cellsOf(a, b)) {
    const [x, y] = [1 << i, 1 << j];
    if (taken.a & x || taken.b & y) continue;
    taken.a |= x;
    taken.b |= y;
    const link: Link = { a: [one], b: [two], comparison };
    if (comparison.quality < FIRM) loose.push(link);
    else {
      taken.firmA |= x;
      taken.firmB |= y;
      firm.push(link);
    }
  }
  if (a.length === b.length)
    return { links: [...firm, ...loose], onlyA: free(a, taken.a), onlyB: free(b, taken.b) };
  const found = { links: firm, onlyA: free(a, taken.firmA), onlyB: free(b, taken.firmB) };
  joinSplit(found);
  for (const link of loose) keep(found, link);
  return found;
}

const free = (tokens: readonly Token[], taken: number) => tokens.filter((_, i) => !(taken & (1 << i)));

/** Links two words that are still alone. */
function keep(found: Alignment, link: Link): void {
  const [i, j] = [found.onlyA.indexOf(link.a[0]), found.onlyB.indexOf(link.b[0])];
  if (i < 0 || j < 0) return;
  found.onlyA.splice(i, 1);
  found.onlyB.splice(j, 1);
  found.links.push(link);
}

interface Cell {
  i: number;
  j: number;
  one: Token;
  two: Token;
  comparison: TokenComparison;
  rank: number;
}

function cellsOf(a: readonly Token[], b: readonly Token[]): Cell[] {
  const cells: Cell[] = [];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      const [one, two] = [a[i], b[j]];
      if (!one || !two) continue;
      const comparison = compareTokens(one, two);
      if (comparison.quality <= WORTH) continue;
      const sameRole = one.role === two.role ? 0.02 : 0;
      const rank = comparison.quality + sameRole - (comparison.relation === 'initial' ? 0.3 : 0);
      cells.push({ i, j, one, two, comparison, rank });
    }
  }
  return cells.length > 1 ? cells.sort(byRank) : cells;
}

const byRank = (x: Cell, y: Cell) =>
  y.rank - x.rank || Math.abs(x.i - x.j) - Math.abs(y.i - y.j) || x.i + x.j - y.i - y.j;

/** A link between a pair of words and a whole one; `swapped` when the pair is of the second name. */
function linkOf(pair: Side, whole: Token, comparison: TokenComparison, swapped: boolean): Link {
  return swapped ? { a: [whole], b: pair, comparison } : { a: pair, b: [whole], comparison };
}

/** A word whose letters are just those of two neighbours in the other name, which has more words. */
function writtenTogether(a: readonly Token[], b: readonly Token[]): Link | undefined {
  const swapped = a.length < b.length;
  const [parts, wholes] = swapped ? [b, a] : [a, b];
  let one: Token | undefined;
  for (const two of parts) {
    for (const whole of wholes)
      if (one && isWritten(whole, one, two)) return linkOf([one, two], whole, JOINED, swapped);
    one = two;
  }
  return undefined;
}

function isWritten(whole: Token, one: Token, two: Token): boolean {
  const size = one.text.length + two.text.length;
  if (whole.characters || whole.prefix.length + whole.text.length < size) return false;
  const letters = one.text + two.text;
  return whole.text === letters || whole.prefix + whole.text === letters;
}

/** Joins neighbours that are alone and make up one lonely word of the other name, in both directions. */
function joinSplit({ links, onlyA, onlyB }: Alignment): void {
  for (const [parts, wholes] of [
    [onlyA, onlyB],
    [onlyB, onlyA],
  ] as const) {
    for (const whole of wholes.slice()) {
      const found = whole.initial ? undefined : pairFor(parts, whole);
      if (!found) continue;
      links.push(linkOf(found.pair, whole, found.comparison, parts === onlyB));
      parts.splice(parts.indexOf(found.pair[0]), 2);
      wholes.splice(wholes.indexOf(whole), 1);
    }
  }
}

/** Two neighbours that make up a word. */
function pairFor(
  parts: readonly Token[],
  whole: Token,
): { pair: [Token, Token]; comparison: TokenComparison } | undefined {
  let one: Token | undefined;
  for (const two of parts) {
    const comparison = one && compareJoined(one, two, whole);
    if (one && comparison && comparison.quality >= FIRM) return { pair: [one, two], comparison };
    one = two;
  }
  return undefined;
}

function compareJoined(one: Token, two: Token, whole: Token): TokenComparison {
  const { text } = whole;
  if (text.length === 2 && text === one.text.charAt(0) + two.text.charAt(0) && !whole.info)
    return TWO_INITIALS;
  const size = one.text.length + two.prefix.length + two.text.length;
  if (whole.script === 'latin' && one.script === 'latin' && Math.abs(size - text.length) > 3)
    return DIFFERENT;
  const comparison = compareTokens(joinedOnce(one, two), whole);
  return comparison.relation === 'equal' ? JOINED : comparison;
}

/** One name is compared with many, and its words joined for each of them. */
const JOINED_TOKENS = new WeakMap<Token, { two: Token; joined: Token }>();

function joinedOnce(one: Token, two: Token): Token {
  const known = JOINED_TOKENS.get(one);
  if (known?.two === two) return known.joined;
  const joined = joinTokens(one, two);
  JOINED_TOKENS.set(one, { two, joined });
  return joined;
}
