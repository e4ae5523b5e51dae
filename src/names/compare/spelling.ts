// Compares two words of one alphabet: variant forms, spellings, typing errors, short forms.
import { getTypoDistance } from '../../normalise/typo.ts';
import { GIVEN_NAME_FLAG, hasNameFlag, SURNAME_FLAG } from '../lexicon.ts';
import { toLetterBitmask } from '../prepare/token.ts';
import { applyTextReplacements, parseTextReplacements } from '../tables.ts';
import { MASCULINE_FORM_RULE_INDEX, WORD_VARIANT_FORM_RULES } from '../traditions/index.ts';
import { computeArabicSpellingSimilarity } from '../traditions/arabic-and-hebrew.ts';
import { areGenderVariants } from '../traditions/western.ts';
import { DIFFERENT_WORDS_RESULT, type Token, type TokenComparison } from '../types.ts';
import { interpolateCurve, parseCurve } from './curves.ts';
import { computeSoundDistance } from './sound.ts';
import { estimateTypoLikelihood } from './typo.ts';
import { compareNameWithShortForm } from './variants.ts';

/**
 * Curve from the sound distance of two words to their quality (0-1) as two spellings of one word. From distance 0.35 on, the quality is 0.
 */
const SPELLING_QUALITY = parseCurve('0 0.94  0.04 0.85  0.09 0.65  0.15 0.35  0.22 0.12  0.35 0');
const SOUND_OPTIONS = { mode: 'latin', far: 0.35 } as const;

/** Maximum number of letters that occur in only one of two spellings of a word. With more, the words are two names. */
const MAX_UNSHARED_LETTERS = 7;

const isKnownGivenName = (token: Token) =>
  token.role === 'given' && hasNameFlag(token.entry, GIVEN_NAME_FLAG);
const isKnownName = (token: Token) => hasNameFlag(token.entry, GIVEN_NAME_FLAG | SURNAME_FLAG);

/** Compares two different words of one alphabet. The result does not depend on their order. */
export function compareTokenSpellings(a: Token, b: Token): TokenComparison {
  if (a.text.length < 2 || b.text.length < 2) return DIFFERENT_WORDS_RESULT;
  if (a.text[0] !== b.text[0] && countUnshared(a.letterSet, b.letterSet) > MAX_UNSHARED_LETTERS)
    return DIFFERENT_WORDS_RESULT;
  const byForm = compareVariantForms(a, b);
  if (byForm) return byForm;
  const bySpelling = compareWithGender(a, b);
  if (bySpelling.quality > 0.6) return bySpelling;
  if (a.mayBeArabic && b.mayBeArabic && !(a.entry && b.entry)) {
    const isFamilyName = a.role === 'family' && b.role === 'family';
    const quality = !isFamilyName && areGenderVariants(a, b) ? 0 : computeArabicSpellingSimilarity(a, b);
    if (quality > bySpelling.quality) return { relation: 'spelling', quality };
  }
  const byShortForm = compareNameWithShortForm(a, b);
  return byShortForm.quality > bySpelling.quality ? byShortForm : bySpelling;
}

function countUnshared(a: number, b: number): number {
  let bits = a ^ b;
  let count = 0;
  for (; bits; count++) bits &= bits - 1;
  return count;
}

function compareVariantForms(a: Token, b: Token): TokenComparison | undefined {
  if (a.text.length < 4 || b.text.length < 4) return undefined;
  for (let i = 0; i < WORD_VARIANT_FORM_RULES.length; i++) {
    const form = WORD_VARIANT_FORM_RULES[i];
    // Men and women share a family name in two forms; a given name with two forms (Amin, Amina) is two names.
    if (i === MASCULINE_FORM_RULE_INDEX && isKnownGivenName(a) && isKnownGivenName(b)) continue;
    if (form && a.variantForms[i] === b.variantForms[i])
      return a.variantForms[i] !== a.text && b.variantForms[i] !== b.text
        ? form.ifBothChanged
        : form.ifOneChanged;
  }
  return undefined;
}

/** Compares the spellings of two words. The quality is much lower if the words look like the male and the female form of one name. */
function compareWithGender(a: Token, b: Token): TokenComparison {
  const knownCount = Number(isKnownName(a)) + Number(isKnownName(b));
  const result = compareLettersAndSounds(a, b, knownCount);
  const isGenderPair =
    result.quality > 0.05 && a.role !== 'family' && b.role !== 'family' && areGenderVariants(a, b);
  if (!isGenderPair) return result;
  const factor = knownCount === 1 && result.relation === 'slip' ? 0.35 : 0.2;
  return { relation: result.relation, quality: result.quality * factor };
}

/** Compares two words by letters and sounds. @param knownCount number of these two words that the name tables contain */
function compareLettersAndSounds(a: Token, b: Token, knownCount: number): TokenComparison {
  if (Math.abs(a.text.length - b.text.length) > 4) return DIFFERENT_WORDS_RESULT;
  const typo = estimateTypoLikelihood(a.text, b.text, knownCount);
  const distance = a.sound === b.sound ? 0 : computeSoundDistance(a.sound, b.sound, SOUND_OPTIONS);
  let spelling = interpolateCurve(SPELLING_QUALITY, distance);
  if (knownCount === 2) {
    const isSameSpelling = a.text.length > 3 && haveEvenSpelling(a, b);
    spelling = isSameSpelling ? 0.75 : spelling * (distance < 0.03 ? 0.8 : 0.15);
    if (differInUnstressedEnding(a, b)) spelling = Math.max(spelling, UNSTRESSED_ENDING_QUALITY);
  }
  const quality = Math.max(typo, spelling) * (differInLastVowel(a.text, b.text) ? 0.5 : 1);
  if (quality <= 0) return DIFFERENT_WORDS_RESULT;
  const isTypo = typo > 0 && knownCount < 2 && getTypoDistance(a.text, b.text, 1) === 1;
  return { relation: typo >= spelling || isTypo ? 'slip' : 'spelling', quality };
}

/** Quality (0-1) of two family names that differ only in an unstressed ending. */
const UNSTRESSED_ENDING_QUALITY = 0.6;
const UNSTRESSED_ENDING = /(?<=[aeiouy].*[^aeiouy]|[aeiouy])[aeiou](?=[nrlms]$)/;

/** True for two family names whose endings differ in one vowel but sound the same: O'Brien and O'Brian, Larsen and Larson. */
function differInUnstressedEnding(a: Token, b: Token): boolean {
  if (a.role !== 'family' || b.role !== 'family' || a.text.length < 5) return false;
  const ending = a.text.replace(UNSTRESSED_ENDING, '*');
  return ending !== a.text && ending === b.text.replace(UNSTRESSED_ENDING, '*');
}

/** True for two short words that differ only in the last vowel. They are often two names. */
function differInLastVowel(a: string, b: string): boolean {
  return a.length < 6 && /[aeiou]$/.test(a) && /[aeiou]$/.test(b) && a.slice(0, -1) === b.slice(0, -1);
}

/** True for two words that become equal by `unifySpelling`: Kamel and Kamil, Alonso and Alonzo, but not Sara and Zara. */
function haveEvenSpelling(a: Token, b: Token): boolean {
  return (
    ((a.letterSet ^ b.letterSet) & ~CHANGED_LETTERS) === 0 && unifySpelling(a.text) === unifySpelling(b.text)
  );
}

/** Letters that `unifySpelling` may change. */
const CHANGED_LETTERS = toLetterBitmask('eiyouzsphfctkdw');
const EVEN_RULES = parseTextReplacements(
  'sch sh  t[sz] z  dt t  ck k  w u  (.)\\1 $1  e i  y i  o u  z s  ph f',
);
/** Replaces letters that different spellings exchange by one of them (s for z, i for y), except for the first letter. */
const unifySpelling = (text: string) => text.charAt(0) + applyTextReplacements(text.slice(1), EVEN_RULES);
