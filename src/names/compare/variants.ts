// Given names that are one name by the tables, or by the way short forms are made.
import { typoDistance } from '../../normalise/typo.ts';
import { DIFFERENT, relation, type Token, type TokenComparison } from '../types.ts';
import { GIVEN, type NameInfo } from '../lexicon.ts';
import { genderForms, genderVariant } from '../traditions/western.ts';
import { soundDistance } from './sound.ts';

const LATIN = { mode: 'latin', far: Infinity } as const;

function shares<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  for (const x of a) if (b.includes(x)) return true;
  return false;
}

/** `short` is a short form of a name that is spelt otherwise than `full`, or of its foreign equivalent. */
function throughFull(short: NameInfo, full: NameInfo): 'spelling' | 'culture' | undefined {
  let found: 'culture' | undefined;
  for (const formal of short.formals) {
    if (shares(formal.spellings, full.spellings)) return 'spelling';
    if (shares(formal.cultures, full.cultures)) found = 'culture';
  }
  return found;
}

/** Two equivalents that look alike and do not sound so (Adam, Adan) are more often two people's names. */
function equivalent(a: Token, b: Token): number {
  if (genderVariant(a, b)) return 0.3;
  if (a.script !== b.script || typoDistance(a.text, b.text, 1) > 1) return 0.82;
  return soundDistance(a.sound, b.sound, LATIN) > 0.12 ? 0.5 : 0.82;
}

/** Gigi is short for Luigi too, but Jana is more often a woman than a Jan. */
const crossNickname = (a: Token, b: Token) => (genderForms(a, b) ? 0.3 : 0.75);

/** A short form and a foreign equivalent of its full name: likelier when the one begins the other (Al, Alfredo). */
const abroad = (a: Token, b: Token) => (a.text.startsWith(b.text) || b.text.startsWith(a.text) ? 0.8 : 0.45);

const SHORT_FORM = relation('nickname', 0.89);
const SPELLING = relation('spelling', 0.9);
const SPELLINGS_OF_TWO_SEXES = relation('spelling', 0.4);
const SHORT_OF_A_SPELLING = relation('nickname', 0.85);
const TWO_SHORT_FORMS = relation('nickname', 0.75);

/** What the tables say of two words; undefined when nothing. */
export function byTables(a: Token, b: Token): TokenComparison | undefined {
  const x = a.info;
  const y = b.info;
  if (!x || !y) return undefined;
  const sexes = a.sex !== 0 && b.sex !== 0 && a.sex !== b.sex;
  if (x.formals.includes(y) || y.formals.includes(x))
    return sexes ? { relation: 'nickname', quality: crossNickname(a, b) } : SHORT_FORM;
  if (shares(x.spellings, y.spellings)) return sexes ? SPELLINGS_OF_TWO_SEXES : SPELLING;
  if (shares(x.cultures, y.cultures))
    return { relation: 'cultural', quality: sexes ? 0.15 : equivalent(a, b) };
  const through = throughFull(x, y) ?? throughFull(y, x);
  if (through === 'spelling') return SHORT_OF_A_SPELLING;
  if (!sexes && shares(x.formals, y.formals)) return TWO_SHORT_FORMS;
  if (through !== 'culture') return undefined;
  return { relation: 'nickname', quality: sexes || genderForms(a, b) ? 0.05 : abroad(a, b) };
}

/** Endings of pet names, in many languages. */
const ENDINGS = /(ie|ey|ee|y|i|o|a|e|ito|ita|inho|inha|ino|ina|chen|lein|ek|ik|ka|ko|cio|uca)$/;

/**
 * Short forms that no table lists are still made in known ways: a name cut off (Greg, Fran), cut off with a pet ending
 * (Roby, Mellie), or its last part (Tina, Fred).
 */
export function byShortening(a: Token, b: Token): TokenComparison {
  if (a.role === 'family' && b.role === 'family') return DIFFERENT;
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a];
  if (long.text.length - short.text.length < 2 || short.text.length < 3 || long.text.length < 5)
    return DIFFERENT;
  const quality = shortening(short, long);
  return quality > 0 && !genderVariant(short, long) ? { relation: 'nickname', quality } : DIFFERENT;
}

function shortening(short: Token, long: Token): number {
  const full = long.info ? (long.info.flags & GIVEN) !== 0 : false;
  if (long.text.startsWith(short.text)) return cutQuality(short, full);
  if (long.text.startsWith(short.text.slice(0, 2))) {
    const stem = short.text.replace(ENDINGS, '').replace(/(.)\1$/, '$1');
    if (stem !== short.text && stem.length >= 3 && long.text.startsWith(stem))
      return 0.85 * cutQuality(short, full);
  }
  return short.text.length >= 4 && full && long.text.endsWith(short.text) ? 0.5 : 0;
}

function cutQuality(short: Token, full: boolean): number {
  const own = short.info && short.info.flags & GIVEN && short.info.formals.length === 0;
  if (own) return 0.3;
  return full ? 0.75 : 0.6;
}
