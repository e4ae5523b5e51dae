// Two words of one alphabet: other forms, spellings, typing errors, short forms.
import { typoDistance } from '../../normalise/typo.ts';
import { letterSet } from '../prepare/token.ts';
import { DIFFERENT, type Token, type TokenComparison } from '../types.ts';
import { GIVEN, SURNAME } from '../lexicon.ts';
import { FORMS, MASCULINE } from '../traditions/index.ts';
import { genderVariant } from '../traditions/western.ts';
import { type Curve, onCurve } from './curves.ts';
import { byShortening } from './variants.ts';
import { soundDistance } from './sound.ts';
import { typoQuality } from './typo.ts';

const SPELLINGS: Curve = [
  [0, 0.94],
  [0.04, 0.85],
  [0.09, 0.65],
  [0.15, 0.35],
  [0.22, 0.12],
  [0.35, 0],
];
/** Distances from 0.35 on say nothing. */
const LATIN = { mode: 'latin', far: 0.35 } as const;

/** Letters that only one of two words has, beyond which they are two names. */
const MOST_UNLIKE = 7;

const REAL = GIVEN | SURNAME;
const isGiven = ({ role, info }: Token) => role === 'given' && ((info?.flags ?? 0) & GIVEN) !== 0;
const isKnown = (t: Token) => ((t.info?.flags ?? 0) & REAL) !== 0;

/** Compares two different words of one alphabet. Symmetric. */
export function sameAlphabet(a: Token, b: Token): TokenComparison {
  if (a.text.length < 2 || b.text.length < 2) return DIFFERENT;
  if (a.text[0] !== b.text[0] && unlike(a.letters, b.letters) > MOST_UNLIKE) return DIFFERENT;
  const form = byForms(a, b);
  if (form) return form;
  const best = oneOfTwoPeople(a, b);
  if (best.quality > 0.6) return best;
  const short = byShortening(a, b);
  return short.quality > best.quality ? short : best;
}

/** Number of letters that only one of two words has, from their letter sets. */
function unlike(a: number, b: number): number {
  let bits = a ^ b;
  let count = 0;
  for (; bits; count++) bits &= bits - 1;
  return count;
}

/** The first form that two words share. */
function byForms(a: Token, b: Token): TokenComparison | undefined {
  if (a.text.length < 4 || b.text.length < 4) return undefined;
  for (let i = 0; i < FORMS.length; i++) {
    const form = FORMS[i];
    // Men and women have forms of one family name; of a given name (Amin, Amina) each has an own one.
    if (i === MASCULINE && isGiven(a) && isGiven(b)) continue;
    if (form && a.forms[i] === b.forms[i])
      return a.forms[i] !== a.text && b.forms[i] !== b.text ? form.both : form.one;
  }
  return undefined;
}

/** A likeness that is also that of a man's and a woman's name speaks for two people. */
function oneOfTwoPeople(a: Token, b: Token): TokenComparison {
  const known = Number(isKnown(a)) + Number(isKnown(b));
  const best = bySpelling(a, b, known);
  if (best.quality <= 0.05 || a.role === 'family' || b.role === 'family' || !genderVariant(a, b)) return best;
  const left = known === 1 && best.relation === 'slip' ? 0.35 : 0.2;
  return { relation: best.relation, quality: best.quality * left };
}

/** `known` = how many of the two words are in the tables. */
function bySpelling(a: Token, b: Token, known: number): TokenComparison {
  if (Math.abs(a.text.length - b.text.length) > 4) return DIFFERENT;
  const typo = typoQuality(a.text, b.text, known);
  const distance = a.sound === b.sound ? 0 : soundDistance(a.sound, b.sound, LATIN);
  let spelling = onCurve(SPELLINGS, distance);
  if (known === 2) {
    const alike = a.text.length > 3 && evenlySpelt(a, b);
    spelling = alike ? 0.75 : spelling * (distance < 0.03 ? 0.8 : 0.15);
  }
  const quality = Math.max(typo, spelling) * (otherLastVowel(a.text, b.text) ? 0.5 : 1);
  if (quality <= 0) return DIFFERENT;
  const typed = typo > 0 && known < 2 && typoDistance(a.text, b.text, 1) === 1;
  return { relation: typo >= spelling || typed ? 'slip' : 'spelling', quality };
}

/** Short words that differ in their last vowel alone are often two names. */
function otherLastVowel(a: string, b: string): boolean {
  return a.length < 6 && /[aeiou]$/.test(a) && /[aeiou]$/.test(b) && a.slice(0, -1) === b.slice(0, -1);
}

/** Letters that spellings do not tell apart: Kamel and Kamil, Alonso and Alonzo, but not Sara and Zara. */
function evenlySpelt(a: Token, b: Token): boolean {
  return ((a.letters ^ b.letters) & ~EVENED) === 0 && evenLetters(a.text) === evenLetters(b.text);
}

const EVENED = letterSet('eiyouzsphfctkdw');
const evenLetters = (text: string) =>
  text.charAt(0) +
  text
    .slice(1)
    .replace(/sch/g, 'sh')
    .replace(/t[sz]/g, 'z')
    .replace(/dt/g, 't')
    .replace(/ck/g, 'k')
    .replace(/w/g, 'u')
    .replace(/(.)\1/g, '$1')
    .replaceAll('e', 'i')
    .replaceAll('y', 'i')
    .replaceAll('o', 'u')
    .replaceAll('z', 's')
    .replace(/ph/g, 'f');
