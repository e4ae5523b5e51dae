// How two single words of names stand to each other.
import { genderVariant, masculineFamily } from './gender.ts';
import { GIVEN, SURNAME } from './lexicon.ts';
import { soundDistance } from './phonemes.ts';
import type { Token } from './prepare.ts';
import { isReadingOf, sinoSurnames } from './reading/han.ts';
import { isBare } from './reading/index.ts';
import { isPinyin } from './reading/sino.ts';
import { slipQuality } from './slip.ts';

export type Relation =
  | 'equal'
  | 'initial'
  | 'nickname'
  | 'cultural'
  | 'spelling'
  | 'script'
  | 'gendered'
  | 'slip'
  | 'joined'
  | 'different';

/** How likely two words are one person's name word, 0-1, given that the rest of the name agrees. */
export interface Related {
  quality: number;
  relation: Relation;
}

const make = (relation: Relation, quality: number): Related => ({ relation, quality });
const EQUAL = make('equal', 1);
const SCRIPT = make('script', 0.98);
const PARTICLE = make('equal', 0.98);
const INITIAL = make('initial', 0.85);
const DIFFERENT = make('different', 0);

/** Points of a falling curve: [distance, quality]. */
type Curve = readonly (readonly [number, number])[];
const acrossScripts: Curve = [[0, 0.97], [0.08, 0.94], [0.15, 0.82], [0.22, 0.55], [0.3, 0.25], [0.4, 0.06], [0.55, 0]];
const withinLatin: Curve = [[0, 0.94], [0.04, 0.85], [0.09, 0.65], [0.15, 0.35], [0.22, 0.12], [0.35, 0]];

function onCurve(curve: Curve, x: number): number {
  for (let i = 1; i < curve.length; i++) {
    const [right, low] = curve[i]!;
    if (x > right) continue;
    const [left, high] = curve[i - 1]!;
    return high + ((low - high) * (x - left)) / (right - left);
  }
  return 0;
}

function shares(a: readonly number[], b: readonly number[]): boolean {
  for (const x of a) if (b.includes(x)) return true;
  return false;
}

function known(a: Token, b: Token): Related | undefined {
  const x = a.info;
  const y = b.info;
  if (!x || !y) return undefined;
  if (x.formals.includes(y.id) || y.formals.includes(x.id)) return make('nickname', 0.93);
  if (shares(x.spellings, y.spellings)) return make('spelling', 0.92);
  if (shares(x.cultures, y.cultures)) return make('cultural', 0.85);
  if (shares(x.formals, y.formals)) return make('nickname', 0.75);
  return undefined;
}

const real = GIVEN | SURNAME;
const isKnown = (t: Token) => ((t.info?.flags ?? 0) & real) !== 0;

function chinese(a: Token, b: Token): Related | undefined {
  if (a.han && b.han) {
    if (a.han === b.han) return EQUAL;
    return a.text === b.text ? make('spelling', 0.35) : DIFFERENT;
  }
  const han = a.han ? a : b;
  const other = a.han ? b : a;
  if (han.han) {
    if (other.text === han.text || (other.sino && other.sino === han.sino)) return make('script', 0.96);
    if (isReadingOf(han.han, other.text, han.role === 'family')) return make('script', 0.93);
    return undefined;
  }
  if (a.script !== 'latin' || b.script !== 'latin') return undefined;
  if (a.sino && a.sino === b.sino) return make('spelling', isPinyin(a.text) && isPinyin(b.text) ? 0.5 : 0.88);
  const meet = sinoSurnames(a.text, b.text);
  return meet ? make('spelling', meet === 'same' ? 0.8 : 0.35) : undefined;
}

function sameLatin(a: Token, b: Token): Related {
  if (a.text.length < 2 || b.text.length < 2) return DIFFERENT;
  if (masculineFamily(a.text) === masculineFamily(b.text)) return make('gendered', 0.8);
  const table = isKnown(a) && isKnown(b);
  const slip = slipQuality(a.text, b.text, Number(isKnown(a)) + Number(isKnown(b)));
  const sound = a.sound === b.sound ? 0 : differ(a, b) ? 1 : soundDistance(a.sound, b.sound, false);
  let spelling = onCurve(withinLatin, sound);
  if (table) spelling *= sound < 0.03 ? 0.8 : 0.15;
  let best = slip > spelling ? make('slip', slip) : make('spelling', spelling);
  if (best.quality > 0.05 && genderVariant(a, b)) best = make(best.relation, best.quality * 0.2);
  return best.quality > 0 ? best : DIFFERENT;
}

/** Words whose lengths are too far apart to sound alike are not worth the arithmetic. */
function differ(a: Token, b: Token): boolean {
  return Math.abs(a.sound.length - b.sound.length) > 4;
}

/** Compares two words. Symmetric. */
export function relate(a: Token, b: Token): Related {
  if (a.text === b.text && !a.han && !b.han) {
    if (a.script === b.script) return isBare(a.script) && a.raw !== b.raw ? SCRIPT : EQUAL;
    return SCRIPT;
  }
  if (a.initial || b.initial) return a.text[0] === b.text[0] ? INITIAL : DIFFERENT;
  if (a.prefix || b.prefix) {
    const long = a.prefix + a.text;
    const other = b.prefix + b.text;
    if (long === b.text || other === a.text || long === other) return PARTICLE;
  }
  const found = known(a, b) ?? chinese(a, b);
  if (found) return found;
  if (a.script === 'latin' && b.script === 'latin') return sameLatin(a, b);
  if (a.script === b.script && isBare(a.script)) return a.text.length > 4 ? make('slip', slipQuality(a.text, b.text, 1)) : DIFFERENT;
  if (a.script === b.script) return sameLatin(a, b);
  const quality = onCurve(acrossScripts, soundDistance(a.sound, b.sound, isBare(a.script) || isBare(b.script)));
  return quality > 0 ? make('script', quality) : DIFFERENT;
}
