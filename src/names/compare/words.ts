// How two single words of names stand to each other.
import { withText } from '../prepare/token.ts';
import { DIFFERENT, relation, type Token, type TokenComparison } from '../types.ts';
import { ARTICLES, INITIALS, SAME, soundMode, TRUST, UNLIKE, WRITINGS } from '../traditions/index.ts';
import { type Curve, onCurve } from './curves.ts';
import { sameAlphabet } from './spelling.ts';
import { soundDistance } from './sound.ts';
import { byTables } from './variants.ts';
import { typoQuality } from './typo.ts';

const EQUAL = relation('equal', 1);
const OTHER_SCRIPT = relation('script', 0.98);
const PARTICLE = relation('equal', 0.98);
const NO_PARTICLE = relation('part', 0.98);
const OTHER_PARTICLE = relation('part', 0.96);
/** One word in a woman's and in a man's name. */
const OTHER_SEX = relation('gendered', 0.25);
const SAME_CONSONANTS = relation('equal', 0.97);
const INITIAL = relation('initial', 0.85);

/** Compares two words. Symmetric. */
export function compareTokens(a: Token, b: Token): TokenComparison {
  if (a.text === b.text && !a.characters && !b.characters) return sameLetters(a, b);
  if (a.initial || b.initial) return byInitial(a, b);
  const particle = byParticle(a, b);
  if (particle) return particle;
  const table = byTables(a, b);
  if (table && a.script === b.script) return table;
  const found = a.eastern || b.eastern ? (ask(SAME, a, b) ?? ask(UNLIKE, a, b)) : undefined;
  if (found) return found;
  if (a.script !== b.script) return acrossBoth(table, bySound(a, b));
  return WRITINGS[a.script].consonants ? sameConsonants(a, b) : sameAlphabet(a, b);
}

/** The first answer that a tradition has. */
function ask(rules: typeof SAME, a: Token, b: Token): TokenComparison | undefined {
  for (const rule of rules) {
    const found = rule(a, b);
    if (found) return found;
  }
  return undefined;
}

function sameLetters(a: Token, b: Token): TokenComparison {
  if (a.script !== b.script) return OTHER_SCRIPT;
  if (a.sexTold && b.sexTold && a.sex !== b.sex) return OTHER_SEX;
  if (a.prefix !== b.prefix) return a.prefix && b.prefix ? OTHER_PARTICLE : NO_PARTICLE;
  return a.raw !== b.raw && WRITINGS[a.script].consonants ? SAME_CONSONANTS : EQUAL;
}

function byInitial(a: Token, b: Token): TokenComparison {
  const whole = a.initial !== b.initial && (a.eastern || b.eastern) ? ask(INITIALS, a, b) : undefined;
  return whole ?? (a.text[0] === b.text[0] ? INITIAL : DIFFERENT);
}

/** Two words of which one has its particle or article apart, and the other joined on, or not at all. */
function byParticle(a: Token, b: Token): TokenComparison | undefined {
  if (a.prefix || b.prefix) {
    const long = a.prefix + a.text;
    const other = b.prefix + b.text;
    if (long === b.text || other === a.text || long === other) return PARTICLE;
  }
  return particleJoined(a, b) ?? particleJoined(b, a);
}

/** Al-Subaiy and Alsubaie, Ó Briain and O'Brien: the particle apart in one and joined in the other. */
function particleJoined(apart: Token, joined: Token): TokenComparison | undefined {
  const { prefix } = apart;
  if (joined.prefix || joined.text.length < prefix.length + 3) return undefined;
  const withPrefix = prefix !== '' && joined.text.startsWith(prefix);
  const size = withPrefix ? prefix.length : joined.article && isArticle(prefix) ? joined.article : 0;
  if (size === 0) return undefined;
  const rest = joined.text.slice(size);
  if (rest === apart.text) return PARTICLE;
  return prefix ? compareTokens({ ...apart, prefix: '' }, withText(joined, rest)) : undefined;
}

/** The article stands apart in the other word, or is left out. */
const isArticle = (prefix: string) => ARTICLES.some(({ apart }) => apart.test(prefix));

/** In two scripts a name that sounds alike is that name; only where it does not, the tables speak. */
function acrossBoth(table: TokenComparison | undefined, sound: TokenComparison): TokenComparison {
  if (!table || sound.quality >= table.quality) return sound;
  return sound.quality > 0.5 || table.relation === 'spelling'
    ? { relation: 'script', quality: table.quality }
    : table;
}

const ACROSS_SCRIPTS: Curve = [
  [0, 0.97],
  [0.08, 0.94],
  [0.15, 0.79],
  [0.22, 0.5],
  [0.3, 0.21],
  [0.4, 0.06],
  [0.55, 0],
];
/** Distance from which on the curve says nothing. */
const FAR = 0.55;

function bySound(a: Token, b: Token): TokenComparison {
  const mode = soundMode(a.script, b.script);
  let quality = onCurve(ACROSS_SCRIPTS, soundDistance(a.sound, b.sound, { mode, far: FAR }));
  if (a.eastern || b.eastern) for (const trust of TRUST) quality *= trust(a, b);
  if (quality > OTHER_SEX.quality && endApart(a, b)) return OTHER_SEX;
  return quality > 0 ? { relation: 'script', quality } : DIFFERENT;
}

/** Александр and Alexandra, سمير and Samira: only the end tells a man's name from a woman's. Family names have forms for both. */
function endApart(a: Token, b: Token): boolean {
  if (a.role === 'family' || b.role === 'family') return false;
  const [x, y] = [WRITINGS[a.script].ends?.(a.raw), WRITINGS[b.script].ends?.(b.raw)];
  return x !== undefined && y !== undefined && ![...x].some((end) => y.includes(end));
}

function sameConsonants(a: Token, b: Token): TokenComparison {
  if (a.text.length < 5 || b.text.length < 5) return DIFFERENT;
  return { relation: 'slip', quality: typoQuality(a.text, b.text, 1) };
}
