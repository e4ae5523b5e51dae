// Korean names: Hangul, spellings in Latin letters, readings of characters.
import { relation } from '../../relation.ts';
import type { Token, TokenComparison } from '../../types.ts';
import { cutAt, isForeign } from '../han/customs.ts';
import { readingsOf, surnamesMeet } from '../han/readings.ts';
import { IN_KOREA, KOREAN_READINGS } from '../han/table.ts';
import type { Draft, Tradition } from '../tradition.ts';
import { hangulLatin, hangulSound } from './hangul.ts';
import { givenForm, syllableForm } from './latin.ts';

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
