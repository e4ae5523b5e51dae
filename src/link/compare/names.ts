import { haveOtherVietnameseMarks, type NameComparison } from '../../names/index.ts';
import {
  type LinkStatistics,
  type LinkEvidence,
  getRecordCountForRarity,
  roundToHundredthBits,
  areSmallDifferencesErrors,
} from './evidence.ts';
import {
  findBestNameComparison,
  isLikelySameName,
  MIN_COMPATIBLE_NAME_CONFIDENCE,
  haveDifferentGivenNames,
  areGivenNameVariants,
  findSharedGivenName,
  haveSameMiddleInitial,
  listSharedWords,
  isShorterNameInLongerExceptTypos,
} from './name-similarity.ts';
import type { NamesForLinking } from '../link-name.ts';
import type { LinkableRecord } from '../link-record.ts';

/**
 * Minimum odds in bits (64 to 1) that two names are one person's for the full weight of the name. Lower odds reduce the weight by the difference.
 */
const EQUAL_NAME_ODDS_BITS = 6;
/** Bits subtracted if two names differ by one letter that the name comparison does not recognise as a typo, and the birth dates agree. */
const TYPO_LOSS = 4;
/** Maximum weight of a name in bits, however rare the name is. */
const NAME_MOST = 16;
/** Number of records that every count of a shared name contains: the two compared records. */
const PAIR = 2;

/**
 * Weight in bits of a shared given name with different family names. One stranger in a few hundred shares it, and one person in thirty changes
 * the family name.
 */
const GIVEN_ONLY = 2.5;
/** Bits subtracted from the rarity of a word if two names share only this word. */
const WORD_SLACK = 6;
const WORD_MOST = 6;
/** Weight of a shared middle initial in bits. About one stranger in eight has the same one. */
const MIDDLE = 3;
/** Weight of a shared generational suffix (Jr) in bits. Its purpose is to distinguish people with the same name in one home. */
const SUFFIX = 3;

export interface NameEvidence {
  evidence: LinkEvidence[];
  conflict: boolean;
  /** True if the names differ by a typo: the records may also be two people with similar names. */
  isTypo?: boolean;
  /** True if the generational suffixes (Jr, Sr) differ. The records are then certainly two people. */
  suffixes: boolean;
  /**
   * Factor (0-1) for the weights of shared contacts. It is below 1 if the names differ, because two people of a household share contacts.
   */
  credit: number;
}

/** Compares the names of two records and returns the evidence. @param dated true if the birth dates agree */
export function weighNames(
  a: LinkableRecord,
  b: LinkableRecord,
  context: LinkStatistics,
  dated: boolean,
): NameEvidence {
  const one = a.linkNames;
  const two = b.linkNames;
  if (one.named.length === 0 || two.named.length === 0)
    return { evidence: [], conflict: false, suffixes: false, credit: 1 };
  const { evidence, conflict, credit, isTypo } = wholeNames(a, b, context, dated);
  if (!conflict && credit > 0.5 && haveSameMiddleInitial(one, two))
    evidence.push({ code: 'name', what: 'the middle names or initials agree', bits: MIDDLE });
  const bothTell = one.generation > 0 && two.generation > 0;
  const suffixes = bothTell && one.generation !== two.generation;
  if (suffixes) evidence.push({ code: 'name', what: 'generational suffixes differ', bits: -10 });
  else if (bothTell && !conflict && credit > 0.5)
    evidence.push({ code: 'name', what: 'the generational suffixes agree', bits: SUFFIX });
  return { evidence, conflict, suffixes, credit, ...(isTypo && { isTypo }) };
}

/** Number of cached results of `weighNames`; a power of two. */
const CACHED_EVIDENCE = 256;

/**
 * Creates a cached `weighNames`, because the same two names are compared many times. Create a new one if the statistics change; only a
 * change of the error rates to `UNMEASURED_ERROR_RATES` and back needs none.
 */
export function createCachedNameWeigher(): typeof weighNames {
  const [firsts, seconds] = [new Float64Array(CACHED_EVIDENCE), new Float64Array(CACHED_EVIDENCE)];
  const cached: NameEvidence[] = [];
  return (a, b, context, dated) => {
    // The evidence depends on the error rates only by whether that of names is null.
    const first = a.linkNames.id * 4 + Number(dated) * 2 + Number(context.errorRates.name === null);
    const second = b.linkNames.id;
    const slot = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> (32 - 8);
    let evidence = cached[slot];
    if (!evidence || firsts[slot] !== first || seconds[slot] !== second) {
      firsts[slot] = first;
      seconds[slot] = second;
      cached[slot] = evidence = weighNames(a, b, context, dated);
    }
    return evidence;
  };
}

type WholeNames = Omit<NameEvidence, 'suffixes'>;

function wholeNames(
  a: LinkableRecord,
  b: LinkableRecord,
  context: LinkStatistics,
  dated: boolean,
): WholeNames {
  const one = a.linkNames;
  const two = b.linkNames;
  const best = findBestNameComparison(one, two);
  const other = haveDifferentGivenNames(one, two, best);
  if (isLikelySameName(best) && !other) {
    const how = `${best.same ? 'are one' : 'may be one'} (${best.variation})`;
    const loss = EQUAL_NAME_ODDS_BITS - Math.min(EQUAL_NAME_ODDS_BITS, odds(best.confidence));
    const credit = best.same ? 1 : 0.7;
    const isTypo = best.variation === 'typo';
    return { evidence: [oneName(how, loss, [a, b], context)], conflict: false, credit, isTypo };
  }
  if (!best.same && one.prepared.every((x) => two.prepared.every((y) => haveOtherVietnameseMarks(x, y))))
    return { evidence: [otherName(best)], conflict: true, credit: 0.25 };
  const { name } = context.errorRates;
  const lone = name !== null && areSmallDifferencesErrors(context.errorRates);
  // Unknown words without equal birth dates may be two people's names.
  const which = lone ? 'all' : dated || name !== null ? 'not both names' : 'misspellings';
  if (isShorterNameInLongerExceptTypos(one, two, which))
    return {
      evidence: [oneName('are a letter apart', TYPO_LOSS, [a, b], context)],
      conflict: false,
      credit: 0.7,
      isTypo: true,
    };
  const given = findSharedGivenName(one, two);
  if (given !== null) return { evidence: [otherFamily(given, context)], conflict: false, credit: 1 };
  // In households that share addresses, different given names are usually different members, rarely errors.
  if (lone)
    return {
      evidence: erringName(name.rate, listSharedWords(one, two), context),
      conflict: false,
      credit: 1,
    };
  if (dated && areGivenNameVariants(one, two))
    return { evidence: [GIVEN_NAME_FORMS], conflict: false, credit: 1 };
  const conflict = best.confidence < MIN_COMPATIBLE_NAME_CONFIDENCE || other;
  return { evidence: [otherName(best)], conflict, credit: 0.25 };
}

/** Evidence of two given names that are variants of one name (Kate and Katherine). The weight is lower than for equal given names. */
const GIVEN_NAME_FORMS: LinkEvidence = {
  code: 'name',
  what: 'the given names are forms of one, the family names differ',
  bits: 1.5,
};

function otherFamily(given: string, context: LinkStatistics): LinkEvidence {
  const bits = context.errorRates.name === null ? GIVEN_ONLY : wordBits(given, context);
  return { code: 'name', what: 'the given names are one, the family names differ', bits };
}

function otherName({ variation, confidence }: NameComparison): LinkEvidence {
  const what = `the names differ (${variation}, ${Math.round(confidence)} of 100)`;
  return {
    code: 'name',
    what,
    bits: roundToHundredthBits(Math.max(-9, Math.min(-1, odds(confidence) * 1.5))),
  };
}

/**
 * Returns the evidence of two names that probably belong to one person. Rare names have more weight. @param loss bits subtracted because the
 * names are not equal
 */
function oneName(
  how: string,
  loss: number,
  [a, b]: [LinkableRecord, LinkableRecord],
  context: LinkStatistics,
): LinkEvidence {
  const borne = Math.max(borneBy(a, context), borneBy(b, context));
  return {
    code: 'name',
    what: `the names ${how}; records with this name: about ${borne}`,
    bits: roundToHundredthBits(Math.max(0.5, weighSharedName(borne, context) - loss)),
  };
}

/**
 * Returns the number of records with the name of a record: the counted number, or the number estimated from first and last word if that is
 * higher.
 */
function borneBy({ nameKeys, linkNames }: LinkableRecord, context: LinkStatistics): number {
  const ends = getFirstAndLastWord(linkNames).map(context.wordCount);
  const [name] = nameKeys;
  return estimateRecordsWithName(name === undefined ? 1 : context.nameCount(name), ends, context);
}

/** Returns the first and the last word of a record's first listed name. A name of one word returns this word, a missing name nothing. */
export function getFirstAndLastWord({ prepared: [first] }: NamesForLinking): string[] {
  if (!first) return [];
  const { canonical: name } = first;
  const end = name.indexOf(' ');
  return end < 0 ? [name] : [name.slice(0, end), name.slice(name.lastIndexOf(' ') + 1)];
}

/**
 * Returns the number of records with a name: the counted number, or the number expected from its words if that is higher.
 * @param ends number of records with the first word, and with the last word if there is another
 */
export function estimateRecordsWithName(
  name: number,
  ends: number[],
  { records }: Pick<LinkStatistics, 'records'>,
): number {
  const [first = 0, last] = ends;
  const likely = last === undefined ? first : (first * last) / records;
  return Math.max(name, Math.round(likely));
}

/**
 * Returns the weight in bits of two records having the same name, or two spellings of one. @param borne number of records with this name; with
 * two spellings, with the more common one
 */
export function weighSharedName(
  borne: number,
  context: Pick<LinkStatistics, 'records' | 'perPerson'>,
): number {
  const share = Math.min(1, Math.max(PAIR, context.perPerson) / (borne + 1));
  return Math.min(NAME_MOST, Math.log2(getRecordCountForRarity(context) * share));
}

const wordBits = (word: string, context: LinkStatistics) => weighSharedWord(context.wordCount(word), context);

export function weighSharedWord(
  count: number,
  context: Pick<LinkStatistics, 'records' | 'perPerson'>,
): number {
  const rarity = Math.log2((getRecordCountForRarity(context) * context.perPerson) / (count + 1));
  return roundToHundredthBits(Math.max(0, Math.min(WORD_MOST, rarity - WORD_SLACK)));
}

/**
 * Returns the evidence of two different names, in a graph whose names were found to contain errors.
 * @param rate share (0-1) of the record pairs of one person in which the names differ
 * @param shared words that both names contain
 */
function erringName(rate: number, shared: string[], context: LinkStatistics): LinkEvidence[] {
  const what = `the names differ, as ${Math.round(rate * 100)} % of one person's do here`;
  const evidence: LinkEvidence[] = [{ code: 'name', what, bits: roundToHundredthBits(Math.log2(rate)) }];
  const bits = Math.max(0, ...shared.map((word) => wordBits(word, context)));
  if (bits > 0) evidence.push({ code: 'name', what: 'a word of the names is one', bits });
  return evidence;
}

function odds(confidence: number): number {
  return Math.log2((confidence + 0.5) / (100.5 - confidence));
}
