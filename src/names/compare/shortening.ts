// Short forms of given names that no table lists.
import { DIFFERENT, relation } from '../relation.ts';
import { GIVEN } from '../tables/lexicon.ts';
import { genderVariant } from '../traditions/western/gender.ts';
import type { Token, TokenComparison } from '../types.ts';

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
  return quality > 0 && !genderVariant(short, long) ? relation('nickname', quality) : DIFFERENT;
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
