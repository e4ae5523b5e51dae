// From aligned words to one figure: every link and every lone word multiplies the odds down, then the product is
// mapped to a confidence.
import { align, type Alignment } from './align.ts';
import type { PreparedName, Token } from './prepare.ts';

export type Variation =
  | 'exact'
  | 'nickname'
  | 'cultural'
  | 'transliteration'
  | 'typo'
  | 'partial'
  | 'no_match';

export interface Judgement {
  confidence: number;
  variation: Variation;
  same: boolean;
  alignment: Alignment;
}

export const SAME_AT = 60;

const nothing: Alignment = { links: [], onlyA: [], onlyB: [] };

/** Judges two prepared names. Symmetric up to the sides of the alignment. */
export function judge(a: PreparedName, b: PreparedName): Judgement {
  if (a.tokens.length === 0 || b.tokens.length === 0) {
    return { confidence: 0, variation: 'no_match', same: false, alignment: nothing };
  }
  const alignment = align(a, b);
  const raw = evidence(a, b, alignment);
  const confidence = Math.round(raw * 1000) / 10;
  const same = confidence >= SAME_AT;
  return {
    confidence,
    variation: same || confidence >= 30 ? variation(a, b, alignment) : 'no_match',
    same,
    alignment,
  };
}

function full(tokens: Token[]): Token[] {
  return tokens.filter((t) => !t.initial);
}

function evidence(a: PreparedName, b: PreparedName, { links, onlyA, onlyB }: Alignment): number {
  let product = 0.99;
  let whole = 0;
  let given = false;
  let family = false;
  for (const { related, a: left, b: right } of links) {
    product *= related.quality;
    if (related.relation !== 'initial') whole++;
    if (related.quality < 0.3) continue;
    for (const t of [...left, ...right]) {
      given ||= t.role === 'given';
      family ||= t.role === 'family';
    }
  }
  if (whole === 0) return product * 0.2;
  const lonelyA = full(onlyA);
  const lonelyB = full(onlyB);
  product *= loneWords(lonelyA, lonelyB);
  if (lonelyA.length + lonelyB.length > 0) product *= given && family ? 1 : 0.6;
  if (whole === 1 && Math.max(a.tokens.length, b.tokens.length) > 1)
    product *= initialsOnly(a, b) ? 0.45 : 0.4;
  if (a.generation && b.generation && a.generation !== b.generation) product *= 0.1;
  if (crossed(links, a, b)) product *= 0.93;
  return product;
}

function initialsOnly(a: PreparedName, b: PreparedName): boolean {
  return a.tokens.some((t) => t.initial) || b.tokens.some((t) => t.initial);
}

/** A word missing on one side is common; words that stand against each other are two people's. */
function loneWords(onlyA: Token[], onlyB: Token[]): number {
  if (onlyA.length === 0 || onlyB.length === 0) return 0.97 ** (onlyA.length + onlyB.length);
  const givens = onlyA.some((t) => t.role === 'given') || onlyB.some((t) => t.role === 'given');
  const families = onlyA.some((t) => t.role === 'family') || onlyB.some((t) => t.role === 'family');
  if (givens) return 0.03;
  if (families) return 0.16;
  return 0.4;
}

function crossed(links: Alignment['links'], a: PreparedName, b: PreparedName): boolean {
  if (a.tokens.length < 2 || b.tokens.length < 2) return false;
  return links.some(({ a: [x], b: [y] }) => x!.role === 'given' && y!.role === 'family');
}

function variation(a: PreparedName, b: PreparedName, { links, onlyA, onlyB }: Alignment): Variation {
  const seen = new Set(links.map((link) => link.related.relation));
  if (seen.has('nickname')) return 'nickname';
  if (seen.has('cultural')) return 'cultural';
  if (seen.has('script') || seen.has('spelling')) return 'transliteration';
  if (seen.has('slip')) return 'typo';
  const asides = a.generation !== b.generation || a.titles.length !== b.titles.length;
  if (onlyA.length || onlyB.length || seen.has('initial') || asides) return 'partial';
  return 'exact';
}
