// Assesses two names: chooses the best of their readings, computes the confidence, and finds what explains the difference.
import { isNameOfCouple } from '../non-person.ts';
import { hasRepeatedWord, listNamesWithoutRepetition } from '../prepare/repetition.ts';
import { haveOtherVietnameseMarks } from '../traditions/east-asia/customs.ts';
import type { NameAlignment, PreparedName, Token, AlignedTokenPair, WordRelation } from '../types.ts';
import { alignNameWords, MIN_WORD_PAIR_QUALITY } from './align.ts';
import { toNameConfidencePercent } from './curves.ts';
import { computeSamePersonLikelihood } from './evidence.ts';
import { compareNameWords } from './words.ts';

export type NameDifferenceType =
  | 'exact'
  | 'nickname'
  | 'cultural'
  | 'transliteration'
  | 'typo'
  | 'partial'
  | 'no_match';

export interface NamePairAssessment {
  /** Confidence (0-100) that both names belong to one person; see `toNameConfidencePercent`. */
  confidence: number;
  variation: NameDifferenceType;
  /** True if both names may belong to one person. */
  same: boolean;
  /** Alignment of the words; undefined if the names are equal. */
  alignment?: NameAlignment;
}

/** Minimum confidence (0-100) with which two names count as the same. */
const MIN_SAME_CONFIDENCE = 50;

/** Minimum difference in likelihood (0-1) by which a later pair of readings (see `readingsOf`) must exceed the best one so far to replace it. */
const MIN_IMPROVEMENT = 0.03;
/** Likelihood (0-1) above which no further readings of the names are tried. */
const GOOD_ENOUGH = 0.85;

const NO_ALIGNMENT: NameAlignment = { links: [], onlyA: [], onlyB: [] };

/**
 * True if name `a` must be compared as the first of the two names. This fixed order makes the result independent of the order of the
 * arguments.
 */
export function isFirst(a: PreparedName, b: PreparedName): boolean {
  return a.canonical === b.canonical ? a.text <= b.text : a.canonical < b.canonical;
}

/** Compares two prepared names. If the two names are exchanged, only the sides of the alignment change. */
export function assessNamePair(a: PreparedName, b: PreparedName): NamePairAssessment {
  if (a.tokens.length === 0 || b.tokens.length === 0)
    return { confidence: 0, variation: 'no_match', same: false, alignment: NO_ALIGNMENT };
  const equality = likelihoodOfEqual(a, b);
  if (equality > 0) {
    const variation = equality === OTHER_TITLES ? 'partial' : 'exact';
    return { confidence: toNameConfidencePercent(equality), variation, same: true };
  }
  const hasOneReading = a.alternatives.length + b.alternatives.length === 0;
  const reading = hasOneReading ? alignReading(a.tokens, b.tokens) : findBestReading(a, b);
  const { alignment } = reading;
  const likelihood = likelihoodOfPersonInCouple(a, b, alignment) ?? reading.likelihood;
  const otherName = hasOneReading ? 1 : alternativeNameFactor(alignment);
  const confidence = toNameConfidencePercent(likelihood * generationFactor(a, b) * otherName);
  const same = confidence >= MIN_SAME_CONFIDENCE;
  return { confidence, variation: same ? findMainDifference(a, b, alignment) : 'no_match', same, alignment };
}

/**
 * Returns a name without its repeated words, if it then agrees with the other name at least as well. Otherwise, and if the other name repeats a word
 * too, returns the name itself.
 */
export function dropRepeatedWords(name: PreparedName, other: PreparedName): PreparedName {
  if (!hasRepeatedWord(name) || hasRepeatedWord(other) || isDoubleName(name, other)) return name;
  let [best, most] = [name, getConfidence(name, other)];
  for (const single of listNamesWithoutRepetition(name)) {
    const confidence = getConfidence(single, other);
    if (confidence > most || (best === name && confidence === most)) [best, most] = [single, confidence];
  }
  return best;
}

const getConfidence = (a: PreparedName, b: PreparedName) =>
  (isFirst(a, b) ? assessNamePair(a, b) : assessNamePair(b, a)).confidence;

/**
 * True if a name has a word twice at an end where the other name has another word beside it, so that it is a double name: Juan García García and
 * Juan García López, Maung Maung Soe and Khin Maung Soe.
 */
function isDoubleName({ tokens }: PreparedName, other: PreparedName): boolean {
  if (tokens.length < 3) return false;
  const ends = [tokens.slice(0, 2), tokens.slice(-2)].filter(([x, y]) => x?.text === y?.text);
  return ends.some(([end]) => other.tokens.slice(1, -1).some(({ text }) => text === end?.text));
}

/** Matches the words between two people. Most names lack them and need no further test. */
const JOINT_OF_COUPLE = /[&+/]| (?:and|und|u\.|et|og|och|[yei]) /i;

/**
 * Returns the likelihood (0-1) that the name of a couple contains that of a person, if both names have words without a partner: Sven and Ida Lund,
 * Sven Erik Lund. The words of the other person do not count. Undefined for other names.
 */
function likelihoodOfPersonInCouple(
  a: PreparedName,
  b: PreparedName,
  { links, onlyA, onlyB }: NameAlignment,
): number | undefined {
  if (links.length < 2 || onlyA.length === 0 || onlyB.length === 0) return undefined;
  if (!JOINT_OF_COUPLE.test(a.text) && !JOINT_OF_COUPLE.test(b.text)) return undefined;
  const [isCoupleA, isCoupleB] = [isNameOfCouple(a.text), isNameOfCouple(b.text)];
  if (isCoupleA === isCoupleB) return undefined;
  const words = isCoupleA ? { onlyA: [], onlyB } : { onlyA, onlyB: [] };
  return computeSamePersonLikelihood(a.tokens, b.tokens, { links, ...words });
}

/**
 * True if two names may belong to one person (`NamePairAssessment.same`). Fast for two single words that differ, as linking compares them most
 * often.
 */
export function mayBeOnePerson(a: PreparedName, b: PreparedName): boolean {
  const [x] = a.tokens;
  const [y] = b.tokens;
  if (
    x &&
    y &&
    a.tokens.length + b.tokens.length === 2 &&
    a.alternatives.length + b.alternatives.length === 0 &&
    a.letters !== b.letters &&
    compareNameWords(x, y).quality <= MIN_WORD_PAIR_QUALITY
  )
    return false;
  return assessNamePair(a, b).same;
}

const OTHER_TITLES = 0.98;
const INITIAL_AS_GIVEN_NAME = 0.88;

/**
 * Returns the likelihood (0-1) that two names with equal letters belong to one person. Returns 0 if the words must be aligned to tell: the letters
 * differ, all words are initials, or a name has `alternatives`.
 */
function likelihoodOfEqual(a: PreparedName, b: PreparedName): number {
  if (a.letters !== b.letters || a.generation !== b.generation || a.script !== b.script) return 0;
  if (a.alternatives.length + b.alternatives.length > 0 || a.tokens.every((token) => token.isInitial))
    return 0;
  if (haveOtherVietnameseMarks(a, b)) return 0;
  if (a.titles.length !== b.titles.length) return OTHER_TITLES;
  return a.tokens.some((token) => token.isInitial && token.role === 'given') ? INITIAL_AS_GIVEN_NAME : 1;
}

interface AlignedReading {
  alignment: NameAlignment;
  likelihood: number;
}

function alignReading(a: Token[], b: Token[]): AlignedReading {
  const alignment = alignNameWords(a, b);
  return { alignment, likelihood: computeSamePersonLikelihood(a, b, alignment) };
}

/** Aligns every reading of one name with every reading of the other. Stops at a good alignment. */
function findBestReading(a: PreparedName, b: PreparedName): AlignedReading {
  let best: AlignedReading = { alignment: NO_ALIGNMENT, likelihood: -1 };
  for (const tokensOfA of readingsOf(a, b)) {
    for (const tokensOfB of readingsOf(b, a)) {
      const reading = alignReading(tokensOfA, tokensOfB);
      if (reading.likelihood > best.likelihood + (best.likelihood <= 0 ? 0 : MIN_IMPROVEMENT)) best = reading;
      if (best.likelihood > GOOD_ENOUGH) return best;
    }
  }
  return best;
}

/**
 * Returns the readings of a name: its words, and the `alternatives` to them. A name in Chinese characters without spaces is split into words if the
 * other name has several words.
 */
function readingsOf(name: PreparedName, other: PreparedName): Token[][] {
  const mustSplit = name.tokens.length === 1 && name.alternatives.length > 0 && other.tokens.length > 1;
  return mustSplit && name.script === 'han' ? name.alternatives : [name.tokens, ...name.alternatives];
}

/** Returns the alignment of two compared names. For equal names it is computed here, because their assessment contains none. */
export function getNameAlignment(
  assessment: NamePairAssessment,
  a: PreparedName,
  b: PreparedName,
): NameAlignment {
  return assessment.alignment ?? alignNameWords(a.tokens, b.tokens);
}

function alternativeNameFactor({ links }: NameAlignment): number {
  return links.some((link) => hasBracketedWord(link) || hasBirthName(link)) ? 0.94 : 1;
}

const hasBracketedWord = ({ a, b }: AlignedTokenPair) => a[0].isBracketed || b[0].isBracketed;
const hasBirthName = ({ a, b }: AlignedTokenPair) => a[0].isBirthName || b[0].isBirthName;

function generationFactor(a: PreparedName, b: PreparedName): number {
  if (a.generation === b.generation) return 1;
  return a.generation && b.generation ? 0.08 : 0.97;
}

export function findMainDifference(
  a: PreparedName,
  b: PreparedName,
  { links, onlyA, onlyB }: NameAlignment,
): NameDifferenceType {
  const has = (relation: WordRelation) => links.some((link) => link.comparison.relation === relation);
  if (has('nickname')) return 'nickname';
  if (has('script')) return 'transliteration';
  if (has('cultural')) return 'cultural';
  if (has('spelling') || has('gendered')) return 'transliteration';
  if (has('slip')) return 'typo';
  if (links.some(hasBracketedWord)) return 'nickname';
  const hasOtherAffixes =
    links.some(hasBirthName) || a.generation !== b.generation || a.titles.length !== b.titles.length;
  if (onlyA.length || onlyB.length || has('initial') || hasOtherAffixes) return 'partial';
  return 'exact';
}
