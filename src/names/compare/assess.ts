// The judgement on two names: the best of their readings, its confidence, and what explains the difference.
import type { PreparedName, Relation, Token, Alignment, Link } from '../types.ts';
import { align } from './align.ts';
import { calibrate } from './curves.ts';
import { evidence } from './evidence.ts';

export type NameVariation =
  | 'exact'
  | 'nickname'
  | 'cultural'
  | 'transliteration'
  | 'typo'
  | 'partial'
  | 'no_match';

export interface Judgement {
  confidence: number;
  variation: NameVariation;
  same: boolean;
  /** Missing where the names are equal. */
  alignment?: Alignment;
}

const SAME_AT = 50;

/** Another reading of a name has to be clearly better than the first. */
const MARGIN = 0.03;
const ENOUGH = 0.85;

const NOTHING: Alignment = { links: [], onlyA: [], onlyB: [] };

/** Equal names need no alignment to be judged; an initial on both sides leaves room for two people. */
function alike(a: PreparedName, b: PreparedName): number {
  if (a.canonical !== b.canonical || a.generation !== b.generation || a.script !== b.script) return 0;
  if (a.others.length + b.others.length > 0 || a.tokens.every((t) => t.initial)) return 0;
  if (a.titles.length !== b.titles.length) return 0.98;
  return a.tokens.some((t) => t.initial && t.role === 'given') ? 0.88 : 1;
}

/** Judges two prepared names. Symmetric up to the sides of the alignment. */
export function judge(a: PreparedName, b: PreparedName): Judgement {
  if (a.tokens.length === 0 || b.tokens.length === 0) {
    return { confidence: 0, variation: 'no_match', same: false, alignment: NOTHING };
  }
  const equal = alike(a, b);
  if (equal > 0) {
    return { confidence: calibrate(equal), variation: equal === 0.98 ? 'partial' : 'exact', same: true };
  }
  const simple = a.others.length + b.others.length === 0;
  const { alignment, raw } = simple ? read(a.tokens, b.tokens) : bestReading(a, b);
  const confidence = calibrate(raw * generations(a, b) * (simple ? 1 : byOtherName(alignment)));
  const same = confidence >= SAME_AT;
  return { confidence, variation: same ? variation(a, b, alignment) : 'no_match', same, alignment };
}

/** An undivided name is cut when the other has several words; else its whole could hide a part that differs. */
function readings(p: PreparedName, other: PreparedName): Token[][] {
  const divided = p.tokens.length === 1 && p.others.length > 0 && other.tokens.length > 1;
  return divided && p.script === 'han' ? p.others : [p.tokens, ...p.others];
}

function read(x: Token[], y: Token[]): { alignment: Alignment; raw: number } {
  const alignment = align(x, y);
  return { alignment, raw: evidence(x, y, alignment) };
}

/** Tries every reading of one name with every reading of the other, and stops at a good one. */
function bestReading(a: PreparedName, b: PreparedName): { alignment: Alignment; raw: number } {
  let best = { alignment: NOTHING, raw: -1 };
  for (const x of readings(a, b)) {
    for (const y of readings(b, a)) {
      const found = read(x, y);
      if (found.raw > best.raw + (best.raw < 0 ? 0 : MARGIN)) best = found;
      if (best.raw > ENOUGH) return best;
    }
  }
  return best;
}

/** The alignment of a judgement; that of equal names is worked out here. */
export function alignmentOf(judgement: Judgement, a: PreparedName, b: PreparedName): Alignment {
  return judgement.alignment ?? align(a.tokens, b.tokens);
}

/** A name that matches only by its birth name or by what stands in brackets is a little less sure. */
function byOtherName({ links }: Alignment): number {
  return links.some((link) => isBracketed(link) || isBirthName(link)) ? 0.94 : 1;
}

const isBracketed = ({ a, b }: Link) => a[0].bracketed || b[0].bracketed;
const isBirthName = ({ a, b }: Link) => a[0].birthName || b[0].birthName;

function generations(a: PreparedName, b: PreparedName): number {
  if (a.generation === b.generation) return 1;
  return a.generation && b.generation ? 0.08 : 0.97;
}

function variation(a: PreparedName, b: PreparedName, { links, onlyA, onlyB }: Alignment): NameVariation {
  const seen = (relation: Relation) => links.some((link) => link.comparison.relation === relation);
  if (seen('nickname')) return 'nickname';
  if (seen('script')) return 'transliteration';
  if (seen('cultural')) return 'cultural';
  if (seen('spelling') || seen('gendered')) return 'transliteration';
  if (seen('slip')) return 'typo';
  if (links.some(isBracketed)) return 'nickname';
  const around =
    links.some(isBirthName) || a.generation !== b.generation || a.titles.length !== b.titles.length;
  if (onlyA.length || onlyB.length || seen('initial') || around) return 'partial';
  return 'exact';
}
