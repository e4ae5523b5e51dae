import { replaceTokenText } from '../prepare/token.ts';
import {
  WORD_AGREEMENT_RULES,
  ARTICLE_PATTERNS,
  chooseSoundComparisonMode,
  WORD_CONFLICT_RULES,
  INITIAL_COMPARISON_RULES,
  SCRIPT_RULES,
  SOUND_SIMILARITY_RULES,
} from '../traditions/index.ts';
import { DIFFERENT_WORDS_RESULT, type Token, type TokenComparison, createTokenComparison } from '../types.ts';
import { interpolateCurve, parseCurve } from './curves.ts';
import { computeSoundDistance } from './sound.ts';
import { compareSpellings } from './spelling.ts';
import { estimateTypoLikelihood } from './typo.ts';
import { compareWordsByNameTables } from './variants.ts';

const EQUAL = createTokenComparison('equal', 1);
const OTHER_SCRIPT = createTokenComparison('script', 0.98);
const SAME_WITH_PARTICLE = createTokenComparison('equal', 0.98);
const MISSING_PARTICLE = createTokenComparison('part', 0.98);
const OTHER_PARTICLE = createTokenComparison('part', 0.96);
const OTHER_SEX = createTokenComparison('gendered', 0.25);
/** Comparison result of two words that are equal except for a digit in place of a letter: R0bert. */
const DIGIT_FOR_LETTER = createTokenComparison('slip', 0.9);
const SAME_CONSONANTS = createTokenComparison('equal', 0.97);
const SAME_INITIAL = createTokenComparison('initial', 0.85);

export function compareNameWords(a: Token, b: Token): TokenComparison {
  if (a.text === b.text && !a.characters && !b.characters) return compareEqualLetters(a, b);
  if (a.isInitial || b.isInitial) return compareInitials(a, b);
  const withoutParticle = compareParticles(a, b);
  if (withoutParticle) return withoutParticle;
  const byTables = compareWordsByNameTables(a, b);
  if (byTables && a.script === b.script) return byTables;
  const byTradition =
    a.mayBeEastAsian || b.mayBeEastAsian
      ? (applyRules(WORD_AGREEMENT_RULES, a, b) ?? applyRules(WORD_CONFLICT_RULES, a, b))
      : undefined;
  if (byTradition) return byTradition;
  if (a.script !== b.script) return chooseAcrossScripts(byTables, compareSounds(a, b));
  return SCRIPT_RULES[a.script].omitsVowels ? compareConsonants(a, b) : compareSpellings(a, b);
}

function applyRules(rules: typeof WORD_AGREEMENT_RULES, a: Token, b: Token): TokenComparison | undefined {
  for (const rule of rules) {
    const result = rule(a, b);
    if (result) return result;
  }
  return undefined;
}

function compareEqualLetters(a: Token, b: Token): TokenComparison {
  if (a.script !== b.script) return OTHER_SCRIPT;
  if (a.hasDigit !== b.hasDigit) return DIGIT_FOR_LETTER;
  if (a.hasSexMarker && b.hasSexMarker && a.sex !== b.sex) return OTHER_SEX;
  if (a.prefix !== b.prefix) return a.prefix && b.prefix ? OTHER_PARTICLE : MISSING_PARTICLE;
  return a.raw !== b.raw && SCRIPT_RULES[a.script].omitsVowels ? SAME_CONSONANTS : EQUAL;
}

function compareInitials(a: Token, b: Token): TokenComparison {
  const mayUseRules = a.isInitial !== b.isInitial && (a.mayBeEastAsian || b.mayBeEastAsian);
  const byRule = mayUseRules ? applyRules(INITIAL_COMPARISON_RULES, a, b) : undefined;
  return byRule ?? (a.text[0] === b.text[0] ? SAME_INITIAL : DIFFERENT_WORDS_RESULT);
}

/**
 * Compares two words with a different particle or article: separate in one word, attached or missing in the other. Undefined if this does not
 * apply.
 */
function compareParticles(a: Token, b: Token): TokenComparison | undefined {
  if (a.prefix || b.prefix) {
    const longA = a.prefix + a.text;
    const longB = b.prefix + b.text;
    if (longA === b.text || longB === a.text || longA === longB) return SAME_WITH_PARTICLE;
  }
  return compareAttachedParticle(a, b) ?? compareAttachedParticle(b, a);
}

/** Compares a word that has a separate particle with a word that has an attached one: Al-Subaiy and Alsubaie, Ó Briain and O'Brien. */
function compareAttachedParticle(separate: Token, attached: Token): TokenComparison | undefined {
  const { prefix } = separate;
  if (attached.prefix || attached.text.length < prefix.length + 3) return undefined;
  const startsWithPrefix = prefix !== '' && attached.text.startsWith(prefix);
  const length = startsWithPrefix
    ? prefix.length
    : attached.articleLength && isArticleOrNone(prefix)
      ? attached.articleLength
      : 0;
  if (length === 0) return undefined;
  const rest = attached.text.slice(length);
  if (rest === separate.text) return SAME_WITH_PARTICLE;
  return prefix ? compareNameWords({ ...separate, prefix: '' }, replaceTokenText(attached, rest)) : undefined;
}

const isArticleOrNone = (prefix: string) => ARTICLE_PATTERNS.some(({ separate }) => separate.test(prefix));

/** Compares words in two scripts by the name tables or by their sounds. The tables are used only if the sounds differ. */
function chooseAcrossScripts(
  byTables: TokenComparison | undefined,
  bySound: TokenComparison,
): TokenComparison {
  if (!byTables || bySound.quality >= byTables.quality) return bySound;
  return bySound.quality > 0.5 || byTables.relation === 'spelling'
    ? { relation: 'script', quality: byTables.quality }
    : byTables;
}

/** Curve from the sound distance of words in two scripts to their quality (0-1). The quality is 0 from the distance `FAR`. */
const QUALITY_ACROSS_SCRIPTS = parseCurve(
  '0 0.97  0.08 0.94  0.15 0.79  0.22 0.5  0.3 0.21  0.4 0.06  0.55 0',
);
const FAR = 0.55;

function compareSounds(a: Token, b: Token): TokenComparison {
  const mode = chooseSoundComparisonMode(a.script, b.script);
  const distance = computeSoundDistance(a.sound, b.sound, { mode, far: FAR });
  let quality = interpolateCurve(QUALITY_ACROSS_SCRIPTS, distance);
  if (a.mayBeEastAsian || b.mayBeEastAsian)
    for (const trust of SOUND_SIMILARITY_RULES) quality *= trust(a, b);
  if (quality > OTHER_SEX.quality && haveOtherEndings(a, b)) return OTHER_SEX;
  return quality > 0 ? { relation: 'script', quality } : DIFFERENT_WORDS_RESULT;
}

/**
 * True if two words cannot end in the same sound. Only the ending distinguishes Александр from Alexandra, and سمير from Samira. An a at the end
 * of a family name is ignored, because family names have male and female endings.
 */
function haveOtherEndings(a: Token, b: Token): boolean {
  const isFamilyName = a.role === 'family' || b.role === 'family';
  const endingsOfA = endingSounds(a, isFamilyName);
  const endingsOfB = endingSounds(b, isFamilyName);
  if (!endingsOfA || !endingsOfB) return false;
  return ![...endingsOfA].some((ending) => endingsOfB.includes(ending));
}

/** Returns the possible last sounds of a word, without a for a family name. Undefined or empty if they are unknown. */
function endingSounds({ script, raw }: Token, isFamilyName: boolean): string | undefined {
  const sounds = SCRIPT_RULES[script].endingSounds?.(raw);
  return isFamilyName ? sounds?.replace('a', '') : sounds;
}

function compareConsonants(a: Token, b: Token): TokenComparison {
  if (a.text.length < 5 || b.text.length < 5) return DIFFERENT_WORDS_RESULT;
  return { relation: 'slip', quality: estimateTypoLikelihood(a.text, b.text, 1) };
}
