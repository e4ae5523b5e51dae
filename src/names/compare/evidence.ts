// Likelihood that two aligned names are one person's, from the aligned word pairs and the words without a pair.
import { COMMON_SURNAME_FLAG, GIVEN_NAME_FLAG, MALE_FLAG, SURNAME_FLAG } from '../lexicon.ts';
import type { NameAlignment, AlignedPairSide, Token, AlignedTokenPair } from '../types.ts';

interface LinkSummary {
  /** Product of the qualities (0-1) of all aligned word pairs. */
  quality: number;
  /** Factor (0-1) on the likelihood: below 1 if an initial abbreviates a word at another position of the name. */
  initialFactor: number;
  wholeWords: number;
  /** True if aligned pairs contain the given name and the family name of both names. */
  hasBothEnds: boolean;
}

/**
 * Returns the likelihood (0-1) that two aligned names belong to one person: the product of a factor for every aligned pair and for the
 * words without a partner.
 */
export function computeSamePersonLikelihood(
  a: readonly Token[],
  b: readonly Token[],
  { links, onlyA, onlyB }: NameAlignment,
): number {
  const areBothIncomplete = onlyA.length > 0 && onlyB.length > 0;
  const { quality, initialFactor, wholeWords, hasBothEnds } = summariseLinks(links, areBothIncomplete);
  if (wholeWords === 0) return links.length > 0 ? quality * 0.15 : 0;
  const missing = [
    ...missingWords(onlyA, links, ({ a: side }) => side),
    ...missingWords(onlyB, links, ({ b: side }) => side),
  ];
  let product = quality;
  if (isInitialWithoutGivenName(links, missing)) product *= 0.12;
  if (isManBesideWoman(a, b, links)) product *= 0.2;
  if (alignsFatherWithChild(links)) product *= 0.1;
  product *= initialFactor * unmatchedFactor(onlyA, onlyB, a, b);
  if (wholeWords === 1 && missing.some((token) => token.isInitial || !token.mayBeTitle))
    product *= oneWordFactor(a, b, links, missing);
  else if (missing.length > 0 && !hasBothEnds) product *= 0.8;
  if (wholeWords > 1 && links.every((link) => link.comparison.quality > 0.9))
    product *= 0.985 + 0.015 * maxRarity(links);
  product *= isSwapped(links, a, b) ? 0.96 : 1;
  return links.some(mayBeRelatives) ? Math.min(product, RELATIVES_LIKELIHOOD) : product;
}

/** Maximum likelihood (0-1) of two names whose given names two relatives may have: Sean and Ian Hale. It is a confidence of 74. */
const RELATIVES_LIKELIHOOD = 0.55;

/** True for two given names that two relatives may have, although the name tables relate them. */
export const mayBeRelatives = ({ comparison, a, b }: AlignedTokenPair): boolean =>
  comparison.mayBeRelatives === true && (a[0].role === 'given' || b[0].role === 'given');

/**
 * Summarises the pairs of aligned words.
 * @param areBothIncomplete true if each of the two names has words without a partner. The first of two family names is then not the whole family
 * name.
 */
function summariseLinks(links: readonly AlignedTokenPair[], areBothIncomplete: boolean): LinkSummary {
  const summary: LinkSummary = { quality: 1, initialFactor: 1, wholeWords: 0, hasBothEnds: false };
  let ends = 0;
  for (const { comparison, a, b } of links) {
    summary.quality *= comparison.quality;
    if (isInitialSide(a) || isInitialSide(b)) summary.initialFactor *= a[0].role === b[0].role ? 1 : 0.8;
    else summary.wholeWords++;
    if (comparison.quality < 0.3) continue;
    for (const token of a) ends |= endBit(token, areBothIncomplete);
    for (const token of b) ends |= endBit(token, areBothIncomplete) << 2;
  }
  summary.hasBothEnds = ends === 0b1111;
  return summary;
}

/** True for an initial. An initial that is joined with the next word is part of this word: D Angelo. */
const isInitialSide = (side: AlignedPairSide) => side.length === 1 && side[0].isInitial;

export const isFamilyWord = ({ role, isFirstFamilyName = false }: Token) =>
  role === 'family' || isFirstFamilyName;
const endBit = (token: Token, areBothIncomplete: boolean) =>
  token.role === 'given' ? 1 : token.role === 'family' || (!areBothIncomplete && isFamilyWord(token)) ? 2 : 0;

/**
 * Returns the words of one name that have no partner. If an initial of the other name represents one of several given names, the remaining given
 * names do not count (J Moreau, Jean-Luc Moreau).
 */
function missingWords(
  unmatched: readonly Token[],
  links: readonly AlignedTokenPair[],
  ownSide: (link: AlignedTokenPair) => AlignedPairSide,
): readonly Token[] {
  if (!unmatched.some((token) => token.role === 'given')) return unmatched;
  const isShortened = links.some((link) => {
    const [word] = ownSide(link);
    return word.role === 'given' && !word.isInitial && (link.a[0].isInitial || link.b[0].isInitial);
  });
  return isShortened ? unmatched.filter((token) => token.role !== 'given') : unmatched;
}

/** True if an initial is aligned with a given name although the given name beside the initial has no partner: Ann B Lee, Beth Lee. */
function isInitialWithoutGivenName(links: readonly AlignedTokenPair[], missing: readonly Token[]): boolean {
  if (!missing.some((token) => token.role === 'given' && !token.isInitial && !token.mayBeTitle)) return false;
  return links.some(
    ({ a, b }) => a[0].isInitial !== b[0].isInitial && (a[0].role === 'given' || b[0].role === 'given'),
  );
}

/**
 * Returns the factor (0-1) on the likelihood for names that share only one full word: `Smith` and `John Smith`, `J Smith` and `Ann J
 * Smith`.
 */
function oneWordFactor(
  a: readonly Token[],
  b: readonly Token[],
  links: readonly AlignedTokenPair[],
  missing: readonly Token[],
): number {
  if (a.length === 1 && b.length === 1) return 1;
  if (links.length > 1)
    return missing.some((token) => token.role === 'given' && !token.isInitial) ? 0.35 : 0.7;
  return 0.22 + 0.14 * maxRarity(links);
}

/** Returns the rarity (0-1, see `getNameWordRarityFraction`) of the rarest full word that both names share. */
function maxRarity(links: readonly AlignedTokenPair[]): number {
  let rarest = 0;
  for (const { a } of links) if (!a[0].isInitial) rarest = Math.max(rarest, getNameWordRarityFraction(a[0]));
  return rarest;
}

const isWholeWord = (token: Token) => !token.isInitial;
const isSurelyWholeName = (token: Token) => !token.isInitial && !token.mayBeTitle;

/**
 * Returns the factor (0-1) on the likelihood for words without a partner. One name often leaves out a word. If both names have such a word,
 * they probably belong to two people.
 */
function unmatchedFactor(onlyA: Token[], onlyB: Token[], a: readonly Token[], b: readonly Token[]): number {
  if (onlyA.length + onlyB.length === 0) return 1;
  // A word that may be a title is a name if the other name also has a word without a partner.
  const areBothIncomplete = onlyA.length > 0 && onlyB.length > 0;
  const isName = areBothIncomplete ? isWholeWord : isSurelyWholeName;
  const [wholeA, wholeB] = [onlyA.filter(isName), onlyB.filter(isName)];
  if (wholeA.length === 0 || wholeB.length === 0) {
    const initialFactor = areBothIncomplete ? (wholeA.length + wholeB.length > 0 ? 0.45 : 0.3) : 1;
    return initialFactor * 0.98 ** (onlyA.length + onlyB.length);
  }
  const facing = [...wholeA, ...wholeB];
  if (facing.some((token) => token.role === 'given')) return 0.03;
  if (!facing.some((token) => token.role === 'family')) return 0.35;
  if (Math.min(a.length, b.length) > 2) return facing.some(isHusbandName) && !isManName(a) ? 0.5 : 0.3;
  return isManName(a) ? 0.1 : 0.16;
}

/** True for a last family name after `de`, with which a married woman replaces her second family name: Pardo Salinas, Pardo de Vega. */
const isHusbandName = ({ prefix, role }: Token) => prefix === 'de' && role === 'family';

/** Matches the word for son or daughter before the name of the father: Khalid bin Saeed. */
const CHILD_OF = /^(?:bin|ibn|bint|ben)$/;

/**
 * True if the given name in one name is the father's name in the other name, and the given names do not agree (Saeed Hadi, Khalid bin Saeed Hadi):
 * the two are probably father and child.
 */
export const alignsFatherWithChild = (links: readonly Pick<AlignedTokenPair, 'a' | 'b'>[]): boolean =>
  links.some(({ a: [a], b: [b] }) => isFatherOf(a, b) || isFatherOf(b, a)) &&
  !links.some(({ a: [a], b: [b] }) => a.role === 'given' && b.role === 'given');

/** True if a token is a father's name after the word for child, and the other one is a given name that does not contain this word (binSaeed). */
const isFatherOf = (father: Token, other: Token) =>
  father.prefix !== '' &&
  other.prefix === '' &&
  other.role === 'given' &&
  CHILD_OF.test(father.prefix) &&
  !other.text.startsWith(father.prefix);

/** True if the given name is a man's. A man's family name seldom changes; a woman's may change by marriage. */
const isManName = (tokens: readonly Token[]) =>
  tokens.some((token) => token.role === 'given' && token.sex === MALE_FLAG);

/**
 * True if one family name has the form for women and a given name is a man's: Alexander Smirnov, Александра Смирнова. Names in one script are
 * compared by their letters, which show the sex.
 */
const isManBesideWoman = (a: readonly Token[], b: readonly Token[], links: readonly AlignedTokenPair[]) =>
  links.some((link) => link.comparison.relation === 'gendered' && link.a[0].script !== link.b[0].script) &&
  (isManName(a) || isManName(b));

function isSwapped(links: readonly AlignedTokenPair[], a: readonly Token[], b: readonly Token[]): boolean {
  if (a.length < 2 || b.length < 2) return false;
  return links.some((link) => link.a[0].role === 'given' && link.b[0].role === 'family');
}

/** Returns the rarity of a word according to the name tables: 0 for common surnames, 0.5 for other known names, 1 for unknown words. */
export function getNameWordRarityFraction({ entry }: Token): number {
  const flags = entry?.flags ?? 0;
  if (flags & COMMON_SURNAME_FLAG) return 0;
  return flags & (SURNAME_FLAG | GIVEN_NAME_FLAG) ? 0.5 : 1;
}
