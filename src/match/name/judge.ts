// From aligned words to one figure: every link and every lone word multiplies the odds down, then the product is
// mapped to a confidence.
import { align, type Alignment } from './align.ts';
import { calibrate } from './calibrate.ts';
import { sexOf } from './gender.ts';
import { MALE } from './lexicon.ts';
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

export const SAME_AT = 50;

/** Another reading of a name has to be clearly better than the first. */
const margin = 0.03;

const nothing: Alignment = { links: [], onlyA: [], onlyB: [] };

/** Judges two prepared names. Symmetric up to the sides of the alignment. */
export function judge(a: PreparedName, b: PreparedName): Judgement {
  if (a.tokens.length === 0 || b.tokens.length === 0) {
    return { confidence: 0, variation: 'no_match', same: false, alignment: nothing };
  }
  let alignment = nothing;
  let raw = -1;
  const tryOut = (x: readonly Token[], y: readonly Token[]) => {
    const found = align(x, y);
    const value = evidence(x, y, found);
    if (value > raw + (raw < 0 ? 0 : margin)) {
      raw = value;
      alignment = found;
    }
  };
  tryOut(a.tokens, b.tokens);
  if (a.others.length || b.others.length) {
    for (const x of [a.tokens, ...a.others]) for (const y of [b.tokens, ...b.others]) tryOut(x, y);
  }
  raw *= generations(a, b) * byOtherName(alignment);
  const confidence = calibrate(raw);
  const same = confidence >= SAME_AT;
  return { confidence, variation: same ? variation(a, b, alignment) : 'no_match', same, alignment };
}

/** A name that matches only by its birth name or by what stands in brackets is a little less sure. */
function byOtherName({ links }: Alignment): number {
  return links.some(({ a: [x], b: [y] }) => x!.aside || y!.aside || x!.birth || y!.birth) ? 0.94 : 1;
}

function generations(a: PreparedName, b: PreparedName): number {
  if (a.generation === b.generation) return 1;
  return a.generation && b.generation ? 0.08 : 0.97;
}

function full(tokens: Token[]): Token[] {
  return tokens.filter((t) => !t.initial && !t.soft);
}

function evidence(a: readonly Token[], b: readonly Token[], { links, onlyA, onlyB }: Alignment): number {
  let product = 1;
  let whole = 0;
  let ends = 0;
  let initials = 1;
  for (const { related, a: left, b: right } of links) {
    product *= related.quality;
    if (left[0]!.initial || right[0]!.initial) initials *= left[0]!.role === right[0]!.role ? 1 : 0.8;
    else whole++;
    if (related.quality < 0.3) continue;
    for (const t of left) ends |= bit(t);
    for (const t of right) ends |= bit(t) << 2;
  }
  if (whole === 0) return product * 0.15;
  product *= initials * loneWords(onlyA, onlyB, a, b);
  if (whole === 1 && links.length < Math.max(a.length, b.length))
    product *= single(a, b, links.length, onlyA.concat(onlyB));
  else if (onlyA.length + onlyB.length > 0 && !(covers(ends) && covers(ends >> 2))) product *= 0.8;
  return product * (swapped(links, a, b) ? 0.93 : 1);
}

const bit = (t: Token) => (t.role === 'given' ? 1 : t.role === 'family' ? 2 : 0);
const covers = (ends: number) => (ends & 3) === 3;

/** Only one whole word agrees: `Smith` against `John Smith`, `J Smith` against `Ann J Smith`. */
function single(a: readonly Token[], b: readonly Token[], links: number, lone: Token[]): number {
  if (a.length === 1 && b.length === 1) return 1;
  if (links > 1) return lone.some((t) => t.role === 'given' && !t.initial) ? 0.35 : 0.7;
  return 0.3;
}

/** A word missing on one side is common; words that stand against each other are two people's. */
function loneWords(onlyA: Token[], onlyB: Token[], a: readonly Token[], b: readonly Token[]): number {
  const wholeA = full(onlyA);
  const wholeB = full(onlyB);
  if (wholeA.length === 0 || wholeB.length === 0) {
    const clash = onlyA.length > 0 && onlyB.length > 0 ? (wholeA.length + wholeB.length ? 0.45 : 0.3) : 1;
    return clash * 0.98 ** (onlyA.length + onlyB.length);
  }
  const lone = [...wholeA, ...wholeB];
  if (lone.some((t) => t.role === 'given')) return 0.03;
  if (lone.some((t) => t.role === 'family'))
    return Math.min(a.length, b.length) > 2 ? 0.3 : givenOfMan(a) ? 0.1 : 0.16;
  return 0.35;
}

/** A man's family name seldom changes; a woman's may by marriage. */
const givenOfMan = (tokens: readonly Token[]) => tokens.some((t) => t.role === 'given' && sexOf(t) === MALE);

function swapped(links: Alignment['links'], a: readonly Token[], b: readonly Token[]): boolean {
  if (a.length < 2 || b.length < 2) return false;
  return links.some(({ a: [x], b: [y] }) => x!.role === 'given' && y!.role === 'family');
}

function variation(a: PreparedName, b: PreparedName, { links, onlyA, onlyB }: Alignment): Variation {
  const seen = new Set(links.map((link) => link.related.relation));
  if (seen.has('nickname')) return 'nickname';
  if (seen.has('script')) return 'transliteration';
  if (seen.has('cultural')) return 'cultural';
  if (seen.has('spelling') || seen.has('gendered')) return 'transliteration';
  if (seen.has('slip')) return 'typo';
  if (links.some((link) => link.a[0]!.aside || link.b[0]!.aside)) return 'nickname';
  const birth = links.some((link) => link.a[0]!.birth || link.b[0]!.birth);
  const asides = birth || a.generation !== b.generation || a.titles.length !== b.titles.length;
  if (onlyA.length || onlyB.length || seen.has('initial') || asides) return 'partial';
  return 'exact';
}
