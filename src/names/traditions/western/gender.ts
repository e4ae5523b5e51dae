// Given names that have a form for men and one for women: they look like one name and make two people.
import { FEMALE, MALE } from '../../tables/lexicon.ts';
import type { Token } from '../../types.ts';

const FEMININE = /^(a|e|ia|ina|ine|ne|na|lle|le|te|tte|ette|ie|ya|ah|iane|iana|ane|ke|ique)$/;
const evenly = (text: string) =>
  text
    .replace(/ck|qu/g, 'k')
    .replace(/c(?![eiyh])/g, 'k')
    .replace(/(.)\1+/g, '$1');

/** Maria and Mario, Daniel and Danielle, Alan and Alana: two people's names that look like one. */
export function genderVariant(a: Token, b: Token): boolean {
  return a.sex && b.sex ? a.sex !== b.sex : genderForms(a, b);
}

/** Whether two words look like the man's and the woman's form of one name, whoever bears them. */
export function genderForms(a: Token, b: Token): boolean {
  const [one, two] = [evenly(a.text), evenly(b.text)];
  const [short, long, shorter, longer] = one.length <= two.length ? [one, two, a, b] : [two, one, b, a];
  // The longer form is the woman's: Wayn is no man's form of Wayne.
  if (short.length < long.length && (longer.sex === MALE || shorter.sex === FEMALE)) return false;
  if (short !== long && long.startsWith(short)) return FEMININE.test(long.slice(short.length));
  const stem = short.replace(/(ien|ian|ain|in|on)$/, '');
  if (stem !== short && stem === long.replace(/(ine|ienne|iane|ia|ina|onne)$/, '')) return true;
  const [s, l] = [short.slice(0, -1), long.slice(0, -1)];
  return s === l && short !== long && /[aeoi]$/.test(short) && /[aeoi]$/.test(long);
}
