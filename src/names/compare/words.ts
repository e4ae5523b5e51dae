import { replaceTokenText } from '../prepare/token.ts';
import type { Script } from '../script.ts';
import { getTitleWordSets, areParticleAndItsAbbreviation } from '../title-words.ts';
import { areOtherNamesInOwnScript, hasArabicArticle } from '../traditions/arabic-and-hebrew.ts';
import {
  WORD_MATCH_RULES,
  ARTICLE_PATTERNS,
  GENDERED_FAMILY_NAME_RULE_INDEXES,
  chooseSoundComparisonMode,
  WORD_CONFLICT_RULES,
  RULES_FOR_COMPARING_INITIALS,
  SCRIPT_RULES,
  SOUND_SIMILARITY_RULES,
  WORD_VARIANT_FORM_RULES,
} from '../traditions/index.ts';
import { isOtherVietnameseWord } from '../traditions/east-asia/customs.ts';
import { compareWithNameOfHusband } from '../traditions/western.ts';
import {
  DIFFERENT_WORDS_RESULT,
  SAME_INITIAL_RESULT,
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
} from '../types.ts';
import { interpolateCurve, parseCurve } from './curves.ts';
import { computeSoundDistance } from './sound.ts';
import { compareTokenSpellings } from './spelling.ts';
import { estimateTypoLikelihood } from './typo.ts';
import { compareWordsByNameTables } from './variants.ts';

const EQUAL = createTokenComparisonResult('equal', 1);
const OTHER_SCRIPT = createTokenComparisonResult('script', 0.98);
const SAME_WITH_PARTICLE = createTokenComparisonResult('equal', 0.98);
const MISSING_PARTICLE = createTokenComparisonResult('part', 0.98);
/** Comparison result of an Irish family name with and without O': O'Sullivan, Sullivan. */
const MISSING_IRISH_PARTICLE = createTokenComparisonResult('part', 0.9);
const OTHER_PARTICLE = createTokenComparisonResult('part', 0.96);
const SHORT_FORM_OF_FULL_NAME = createTokenComparisonResult('nickname', 0.85);
const OTHER_SEX = createTokenComparisonResult('gendered', 0.25);
/** Comparison result of two Vietnamese names with equal letters and other marks: Hùng and Hưng. */
const OTHER_MARKS = createTokenComparisonResult('spelling', 0.1);
/** Comparison result of two words that are equal except for a digit in place of a letter: R0bert. */
const DIGIT_FOR_LETTER = createTokenComparisonResult('slip', 0.9);
/** Comparison result of two given names in two scripts that have only their consonants in common: محمود and Muhammad. */
const OTHER_NAME = createTokenComparisonResult('script', 0.1);
const SAME_CONSONANTS = createTokenComparisonResult('equal', 0.97);

export function compareNameWords(a: Token, b: Token): TokenComparison {
  if (a.text === b.text && !a.characters && !b.characters) return compareEqualLetters(a, b);
  if (a.isInitial || b.isInitial) return compareInitials(a, b);
  const withoutParticle = compareParticles(a, b);
  if (withoutParticle) return withoutParticle;
  if (lacksIrishParticle(a, b) || lacksIrishParticle(b, a)) return MISSING_IRISH_PARTICLE;
  if (areMcAndMac(a, b) || areMcAndMac(b, a)) return SAME_WITH_PARTICLE;
  const byTables = compareWordsByNameTables(a, b);
  if (byTables && a.script === b.script) return byTables;
  const byTradition =
    a.mayBeEastAsian || b.mayBeEastAsian
      ? (applyRules(WORD_MATCH_RULES, a, b) ?? applyRules(WORD_CONFLICT_RULES, a, b))
      : undefined;
  if (byTradition) return byTradition;
  if (a.script !== b.script)
    return chooseAcrossScripts(byTables ?? compareWithFullForms(a, b), compareSounds(a, b));
  if (SCRIPT_RULES[a.script].omitsVowels) return compareConsonants(a, b);
  return (
    compareWithNameOfHusband(a, b) ??
    compareMasculineForms(a, b) ??
    compareMasculineForms(b, a) ??
    compareTokenSpellings(a, b)
  );
}

function applyRules(rules: typeof WORD_MATCH_RULES, a: Token, b: Token): TokenComparison | undefined {
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
  if (isOtherVietnameseWord(a, b)) return OTHER_MARKS;
  if (a.prefix !== b.prefix)
    return a.prefix && b.prefix && !areParticleAndItsAbbreviation(a.prefix, b.prefix)
      ? OTHER_PARTICLE
      : MISSING_PARTICLE;
  return a.raw !== b.raw && SCRIPT_RULES[a.script].omitsVowels ? SAME_CONSONANTS : EQUAL;
}

function compareInitials(a: Token, b: Token): TokenComparison {
  const mayUseRules = a.isInitial !== b.isInitial && (a.mayBeEastAsian || b.mayBeEastAsian);
  const byRule = mayUseRules ? applyRules(RULES_FOR_COMPARING_INITIALS, a, b) : undefined;
  return byRule ?? (a.text[0] === b.text[0] ? SAME_INITIAL_RESULT : DIFFERENT_WORDS_RESULT);
}

/**
 * Compares two words whose particles or articles differ: one is a separate word, the other is attached or missing. Undefined for other
 * words.
 */
function compareParticles(a: Token, b: Token): TokenComparison | undefined {
  if (a.prefix || b.prefix) {
    const longA = a.prefix + a.text;
    const longB = b.prefix + b.text;
    if (longA === b.text || longB === a.text || longA === longB) return SAME_WITH_PARTICLE;
    if (lacksFirstParticle(a, b) || lacksFirstParticle(b, a)) return MISSING_PARTICLE;
  }
  return compareAttachedParticle(a, b) ?? compareAttachedParticle(b, a);
}

const lacksIrishParticle = (long: Token, short: Token) =>
  long.text.length === short.text.length + 1 &&
  long.text === `o${short.text}` &&
  getTitleWordSets().elidedNames.has(long.text);

/** True if a word begins with Mc and another, equal word with Mac, which may be separate: McNeil, Mac Neil. */
function areMcAndMac(a: Token, b: Token): boolean {
  const [mc, mac] = [a.prefix + a.text, b.prefix + b.text];
  return mac.length > 5 && mac.startsWith('mac') && mc.startsWith('mc') && mc.slice(2) === mac.slice(3);
}

/** True if a word has the second of two particles attached and lacks the first: Latour for de La Tour. */
function lacksFirstParticle(attached: Token, { prefix, text }: Token): boolean {
  if (attached.prefix || !attached.text.endsWith(text)) return false;
  const second = attached.text.slice(0, -text.length);
  const { particles } = getTitleWordSets();
  return particles.has(second) && prefix.endsWith(second) && particles.has(prefix.slice(0, -second.length));
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
  if (!prefix && !hasArabicArticle(separate)) return undefined;
  return compareNameWords({ ...separate, prefix: '' }, replaceTokenText(attached, rest));
}

const isArticleOrNone = (prefix: string) => ARTICLE_PATTERNS.some(({ separate }) => separate.test(prefix));

/** Compares a Latin short form with a word in a script that the name tables do not contain: Yossi and יוסף, by Yosef. */
function compareWithFullForms(a: Token, b: Token): TokenComparison | undefined {
  const [short, full] = a.script === 'latin' ? [a, b] : [b, a];
  if (!short.entry || full.entry || full.characters || short.role === 'family') return undefined;
  const isSpelt = short.entry.fullForms.some(({ name }) => qualityOfSounds(name, full) >= SURE_SOUND_QUALITY);
  return isSpelt ? SHORT_FORM_OF_FULL_NAME : undefined;
}

/** Returns the quality (0-1) of a text as the spelling of a word in another script. */
function qualityOfSounds(text: string, word: Token, script: Script = 'latin'): number {
  const mode = chooseSoundComparisonMode(script, word.script);
  const { sound } = SCRIPT_RULES[script].readWord(text, false);
  return interpolateCurve(
    QUALITY_ACROSS_SCRIPTS,
    computeSoundDistance(sound, word.sound, { mode, far: FAR }),
  );
}

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

/** Curve from the sound distance of two words in two scripts to their quality (0-1). From the distance `FAR` on, the quality is 0. */
const QUALITY_ACROSS_SCRIPTS = parseCurve(
  '0 0.97  0.08 0.94  0.15 0.79  0.22 0.5  0.3 0.21  0.4 0.06  0.55 0',
);
const FAR = 0.55;
/** Minimum quality (0-1) at which the sounds of two words in two scripts certainly are those of one word. */
const SURE_SOUND_QUALITY = 0.9;

function compareSounds(a: Token, b: Token): TokenComparison {
  const mode = chooseSoundComparisonMode(a.script, b.script);
  const distance = computeSoundDistance(a.sound, b.sound, { mode, far: FAR });
  let quality = interpolateCurve(QUALITY_ACROSS_SCRIPTS, distance);
  if (quality > OTHER_NAME.quality && areOtherNamesInOwnScript(a, b)) return OTHER_NAME;
  if (a.mayBeEastAsian || b.mayBeEastAsian)
    for (const trust of SOUND_SIMILARITY_RULES) quality *= trust(a, b);
  if (quality > OTHER_SEX.quality) {
    const gendered = compareMasculineForms(a, b) ?? compareMasculineForms(b, a);
    if (gendered || haveOtherEndings(a, b)) return gendered ?? OTHER_SEX;
  }
  return quality > 0 ? { relation: 'script', quality } : DIFFERENT_WORDS_RESULT;
}

/** Compares family names of which only the first has a feminine ending: Смирнова and Smirnov. Undefined if the rest differs. */
function compareMasculineForms(a: Token, b: Token): TokenComparison | undefined {
  if (a.role !== 'family' || b.role !== 'family' || b.text.endsWith('a')) return undefined;
  for (const i of GENDERED_FAMILY_NAME_RULE_INDEXES) {
    if (!hasFeminineForm(a, i) || hasFeminineForm(b, i)) continue;
    const form = a.variantForms[i] ?? '';
    const isShortened = form === a.text.slice(0, -1);
    const quality = isShortened ? qualityOfSounds(a.raw.slice(0, -1), b, a.script) : qualityOfSounds(form, b);
    if (quality >= SURE_SOUND_QUALITY) return WORD_VARIANT_FORM_RULES[i]?.ifOneChanged;
  }
  return undefined;
}

/** True for a feminine form by a rule for family names. The rule also unifies masculine forms, which end in i, j or y: Kowalski. */
const hasFeminineForm = ({ text, variantForms }: Token, rule: number) =>
  variantForms[rule] !== text && !/[ijy]$/.test(text);

/**
 * True if two words cannot end in the same sound. Only the ending distinguishes Александр from Alexandra, and سمير from Samira. The a at
 * the end of a family name is ignored, because family names have male and female endings.
 */
function haveOtherEndings(a: Token, b: Token): boolean {
  const isFamilyName = a.role === 'family' || b.role === 'family';
  const endingsOfA = endingSounds(a, isFamilyName);
  const endingsOfB = endingSounds(b, isFamilyName);
  if (!endingsOfA || !endingsOfB) return false;
  return ![...endingsOfA].some((ending) => endingsOfB.includes(ending));
}

/** Returns the possible last sounds of a word, without a for a family name (see `haveOtherEndings`). Undefined or empty if they are unknown. */
function endingSounds({ script, raw }: Token, isFamilyName: boolean): string | undefined {
  const sounds = SCRIPT_RULES[script].endingSounds?.(raw);
  return isFamilyName ? sounds?.replace('a', '') : sounds;
}

function compareConsonants(a: Token, b: Token): TokenComparison {
  if (a.text.length < 5 || b.text.length < 5) return DIFFERENT_WORDS_RESULT;
  return { relation: 'slip', quality: estimateTypoLikelihood(a.text, b.text, 1) };
}
