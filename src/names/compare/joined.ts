// Words that are one on one side and two on the other: Maryann and Mary Ann.
import { joinTokens } from '../prepare/token.ts';
import { DIFFERENT, relation } from '../relation.ts';
import type { Token, TokenComparison } from '../types.ts';
import { type Alignment, FIRM, type Link, type Side } from './alignment.ts';
import { compareTokens } from './words.ts';

const JOINED = relation('joined', 0.97);
const TWO_INITIALS = relation('initial', 0.75);

/** A link between a pair of words and a whole one; `swapped` when the pair is of the second name. */
function linkOf(pair: Side, whole: Token, comparison: TokenComparison, swapped: boolean): Link {
  return swapped ? { a: [whole], b: pair, comparison } : { a: pair, b: [whole], comparison };
}

/** A word whose letters are just those of two neighbours in the other name, which has more words. */
export function writtenTogether(a: readonly Token[], b: readonly Token[]): Link | undefined {
  const swapped = a.length < b.length;
  const [parts, wholes] = swapped ? [b, a] : [a, b];
  for (const [one, two] of neighbours(parts)) {
    const letters = one.text + two.text;
    const whole = wholes.find((word) => isWritten(word, letters));
    if (whole) return linkOf([one, two], whole, JOINED, swapped);
  }
  return undefined;
}

function neighbours(tokens: readonly Token[]): [Token, Token][] {
  return tokens.slice(1).map((two, i) => [tokens[i] ?? two, two]);
}

function isWritten(whole: Token, letters: string): boolean {
  if (whole.characters || whole.prefix.length + whole.text.length < letters.length) return false;
  return whole.text === letters || whole.prefix + whole.text === letters;
}

/** Joins neighbours that are alone and make up one lonely word of the other name, in both directions. */
export function joinSplit({ links, onlyA, onlyB }: Alignment): void {
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

function pairFor(
  parts: readonly Token[],
  whole: Token,
): { pair: [Token, Token]; comparison: TokenComparison } | undefined {
  for (const pair of neighbours(parts)) {
    const comparison = compareJoined(pair, whole);
    if (comparison.quality >= FIRM) return { pair, comparison };
  }
  return undefined;
}

function compareJoined([one, two]: [Token, Token], whole: Token): TokenComparison {
  const { text } = whole;
  if (text.length === 2 && text === one.text.charAt(0) + two.text.charAt(0) && !whole.info)
    return TWO_INITIALS;
  const size = one.text.length + two.prefix.length + two.text.length;
  if (whole.script === 'latin' && one.script === 'latin' && Math.abs(size - text.length) > 3)
    return DIFFERENT;
  const comparison = compareTokens(joinTokens(one, two), whole);
  return comparison.relation === 'equal' ? JOINED : comparison;
}
