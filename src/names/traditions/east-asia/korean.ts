// Korean names: Hangul, spellings in Latin letters, readings of characters.
import { relation, type Token, type TokenComparison } from '../../types.ts';
import { cutAt, isForeign } from './customs.ts';
import { readingsOf, surnamesMeet } from './han-readings.ts';
import { IN_KOREA, KOREAN_READINGS } from './han-table.ts';
import type { Draft, Tradition } from '../tradition.ts';

/** Family names of two syllables. */
const TWO_SYLLABLES = /^(남궁|황보|제갈|사공|선우|독고|서문)/;

function cuts(word: string): [string, string][] {
  const letters = word.match(/\p{L}/gu) ?? [];
  return cutAt(letters, letters.length > 3 || TWO_SYLLABLES.test(word) ? [1, 2] : [1]);
}

/** Beside a Korean family name words are read as Korean syllables. */
function arrange({ tokens }: Draft): void {
  if (tokens.length < 2 || !tokens.some((t) => t.surnameOf & IN_KOREA)) return;
  for (const t of tokens) {
    if (t.script !== 'latin') continue;
    t.korean = givenForm(t.text);
    t.eastern = true;
  }
}

/** Forms of the Korean readings of up to three characters, as `givenForm` writes them. */
function formsOf(characters: string): string[] {
  if (characters.length > 3) return [];
  let forms = [''];
  for (const c of characters) {
    const readings = readingsOf(c, KOREAN_READINGS).slice(0, 3).map(syllableForm);
    forms = forms.flatMap((form) => readings.map((reading) => `${form}${reading}.`));
  }
  return forms;
}

const READ = relation('script', 0.9);
const SURNAME = relation('script', 0.95);
const SPELLING = relation('spelling', 0.86);

function same(a: Token, b: Token): TokenComparison | undefined {
  if (a.characters || b.characters) {
    const [han, other] = a.characters ? [a, b] : [b, a];
    return other.korean && formsOf(han.characters).includes(other.korean) ? READ : undefined;
  }
  if (a.script === 'hangul' || b.script === 'hangul') {
    const name = a.script === 'hangul' ? a.raw : b.raw;
    return name.length === 1 && surnamesMeet(a.text, b.text) === 'same' ? SURNAME : undefined;
  }
  return sameSyllables(a, b);
}

/** I and Yi are one syllable, not a name and its initial. */
function sameSyllables(a: Token, b: Token): TokenComparison | undefined {
  return a.korean && a.korean === b.korean ? SPELLING : undefined;
}

const OTHER_SYLLABLES = relation('slip', 0.2);
/** A first sound that spellings do not tell apart is none. */
const startOf = (syllable: string) => syllable.replace(/^[lny]+/, '').replace(/[aeiou].*/, '');

/** Two given names of two syllables, one of which begins otherwise; or a syllable that is half of the other word. */
function unlike(a: Token, b: Token): TokenComparison | undefined {
  if (a.script !== 'latin' || b.script !== 'latin' || a.role === 'family' || b.role === 'family')
    return undefined;
  const [x, y] = [a.korean.split('.'), b.korean.split('.')];
  if (x.length + y.length === 5 && !a.info && !b.info) return OTHER_SYLLABLES;
  if (x.length !== 3 || y.length !== 3) return undefined;
  return x.some((syllable, i) => startOf(syllable) !== startOf(y[i] ?? '')) ? OTHER_SYLLABLES : undefined;
}

export const KOREAN: Tradition = {
  writings: {
    hangul: {
      read: (word) => ({ text: hangulLatin(word), sound: hangulSound(word) }),
      sounds: { mode: 'eastern', rank: 3 },
      syllabic: true,
      familyLeads: ([lead], text) => lead?.raw.length === 1 && !isForeign(text),
      cuts,
    },
  },
  arrange,
  initials: sameSyllables,
  same,
  unlike,
};

// Hangul: the Revised Romanization for showing and keys, and sounds that also meet McCune-Reischauer and the
// spellings that Koreans use in passports.

const INITIALS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const MEDIALS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const INITIAL_SOUNDS = '< k n > t R m = p ! ! - ? J 0 k t P H'.split(' ');
const MEDIAL_SOUNDS = 'a e ya ye @ e y@ ye o Wa We We yo u W@ We Wi yu U U3 i'.split(' ');
const FINAL_SOUNDS = '- < < < n n n > R < m R R R = R m = = ! ! - > ! < ! = !'.split(' ');

const BASE = 0xac00;
/** Initial, medial and final of a syllable as their numbers; undefined for any other character. */
function parts(syllable: string): [number, number, number] | undefined {
  const code = syllable.charCodeAt(0) - BASE;
  if (code < 0 || code >= 11_172) return undefined;
  return [Math.floor(code / 588), Math.floor((code % 588) / 28), code % 28];
}

/** `-` stands for nothing. */
const part = (list: readonly string[], at: number) => (list[at] ?? '-').replace(/^-$/, '');

/** Revised Romanization of a Hangul word, syllable by syllable. */
function hangulLatin(word: string): string {
  let out = '';
  for (const c of word) {
    const p = parts(c);
    if (p) out += part(INITIALS, p[0]) + part(MEDIALS, p[1]) + part(FINALS, p[2]);
  }
  return out;
}

/** The final ng. */
const NASAL = 21;

/** Sounds of a Hangul word. */
function hangulSound(word: string): string {
  let out = '';
  for (const c of word) {
    const p = parts(c);
    if (!p) continue;
    const start = part(INITIAL_SOUNDS, p[0]);
    const end = p[2] === NASAL ? 'N' : part(FINAL_SOUNDS, p[2]);
    out += (start === 'R' && out.endsWith('R') ? '' : start) + part(MEDIAL_SOUNDS, p[1]) + end;
  }
  return out;
}

// Korean in Latin letters, as Koreans spell it.

const RULES: [RegExp, string][] = [
  [/^(sh|ss)/, 's'],
  [/^(ch|jj|j)/, 'c'],
  [/^(kk|g)/, 'k'],
  [/^(tt|d)/, 't'],
  [/^(pp|b)/, 'p'],
  [/^r/, 'l'],
  [/eo|ou|oo|eu/g, 'u'],
  [/^woo?(?!n)/, 'u'],
  [/u?ee|ui|yi/g, 'i'],
  [/ae|ai|ay/g, 'e'],
  [/wu/g, 'u'],
  [/h$/, ''],
  [/[gk]$/, 'k'],
  [/nk$/, 'ng'],
];

/** One form for the spellings of a Korean syllable: Young, Yeong and Yung, Chung, Jung and Jeong. */
function syllableForm(syllable: string): string {
  let out = syllable;
  for (const [pattern, to] of RULES) out = out.replace(pattern, to);
  return out;
}

const SYLLABLE = /[^aeiouyw]*[yw]?[aeiou]+(?:ng|[nmklpt](?![aeiouyw])|g(?![aeiouyw]))?(?:h(?![aeiouyw]))?/g;

/** Form of a Korean name of one or two syllables; empty for words that do not divide so. */
function givenForm(text: string): string {
  const word = text.replace('rk', 'k');
  const parts = word.match(SYLLABLE) ?? [];
  return parts.length <= 2 && parts.join('') === word ? `${parts.map(syllableForm).join('.')}.` : '';
}
