import type { NameComparison } from '../../names/index.ts';
import {
  type LinkStatistics,
  type LinkEvidence,
  getPopulation,
  roundToHundredthBits,
  hasErrorsWithoutHouseholds,
} from './evidence.ts';
import {
  findBestNameComparison,
  isLikelySameName,
  DIFFERENT_NAME_CONFIDENCE,
  haveDifferentGivenNames,
  haveGivenNameForms,
  findSharedGivenName,
  haveSameMiddleName,
  listSharedWords,
  areNamesTyposApart,
} from './name-similarity.ts';
import type { LinkNames } from '../link-name.ts';
import type { LinkRecord } from '../link-record.ts';

/** Evidence of two exactly equal names in bits (log2 of the odds). Less similar names have less. */
const EXACT_ODDS = 6;
/** Bits subtracted if one letter differs, the name engine sees no typo, and the birth dates agree. */
const TYPO_LOSS = 4;
/** Maximum weight of a name in bits, however rare. */
const NAME_MOST = 16;
/** Number of records with the name that are not counted: the two compared records themselves. */
const PAIR = 2;

/**
 * Weight in bits of a shared given name with different family names: shared by one in a few hundred strangers, and one person in thirty changes
 * the family name.
 */
const GIVEN_ONLY = 2.5;
/** Bits subtracted from a word's rarity, if the names share only this word. */
const WORD_SLACK = 6;
const WORD_MOST = 6;
/** Weight of a shared middle initial in bits: one stranger in about eight has the same one. */
const MIDDLE = 3;
/** Weight of a shared generational suffix in bits: its purpose is to distinguish namesakes of one home. */
const SUFFIX = 3;

export interface NameEvidence {
  evidence: LinkEvidence[];
  conflict: boolean;
  /** True if the generational suffixes differ, so that the records are certainly two people. */
  suffixes: boolean;
  /** Factor (0 to 1) for the weight of shared contacts. It is lower if the names differ, because a household can explain shared contacts. */
  credit: number;
}

/**
 * Returns the evidence of the names of two records.
 *
 * @param dated true if the birth dates agree
 */
export function weighNames(
  a: LinkRecord,
  b: LinkRecord,
  context: LinkStatistics,
  dated: boolean,
): NameEvidence {
  const [one, two] = [a.linkNames, b.linkNames];
  if (one.named.length === 0 || two.named.length === 0)
    return { evidence: [], conflict: false, suffixes: false, credit: 1 };
  const { evidence, conflict, credit } = wholeNames(a, b, context, dated);
  if (!conflict && credit > 0.5 && haveSameMiddleName(one, two))
    evidence.push({ code: 'name', what: 'the middle names or initials agree', bits: MIDDLE });
  const bothTell = one.generation > 0 && two.generation > 0;
  const suffixes = bothTell && one.generation !== two.generation;
  if (suffixes) evidence.push({ code: 'name', what: 'generational suffixes differ', bits: -10 });
  else if (bothTell && !conflict && credit > 0.5)
    evidence.push({ code: 'name', what: 'the generational suffixes agree', bits: SUFFIX });
  return { evidence, conflict, suffixes, credit };
}

/** Number of cached results of `weighNames`, a power of two. */
const CACHED_EVIDENCE = 256;

/**
 * Returns `weighNames` with a cache. It is valid for one set of statistics, whose error rates may be replaced by `NO_RECORD_ERRORS`. Most pairs
 * of names recur, because the records of one person are compared one after the other.
 */
export function createCachedNameWeigher(): typeof weighNames {
  const [firsts, seconds] = [new Float64Array(CACHED_EVIDENCE), new Float64Array(CACHED_EVIDENCE)];
  const cached: NameEvidence[] = [];
  return (a, b, context, dated) => {
    // The error rates of names are the only ones that matter here.
    const first = a.linkNames.id * 4 + Number(dated) * 2 + Number(context.errorRates.name === null);
    const second = b.linkNames.id;
    const slot = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> (32 - 8);
    let evidence = cached[slot];
    if (!evidence || firsts[slot] !== first || seconds[slot] !== second) {
      [firsts[slot], seconds[slot]] = [first, second];
      cached[slot] = evidence = weighNames(a, b, context, dated);
    }
    return evidence;
  };
}

type WholeNames = Omit<NameEvidence, 'suffixes'>;

function wholeNames(a: LinkRecord, b: LinkRecord, context: LinkStatistics, dated: boolean): WholeNames {
  const [one, two] = [a.linkNames, b.linkNames];
  const best = findBestNameComparison(one, two);
  const other = haveDifferentGivenNames(one, two, best);
  if (isLikelySameName(best) && !other) {
    const how = `${best.same ? 'are one' : 'may be one'} (${best.variation})`;
    const loss = EXACT_ODDS - Math.min(EXACT_ODDS, odds(best.confidence));
    const credit = best.same ? 1 : 0.7;
    return { evidence: [oneName(how, loss, [a, b], context)], conflict: false, credit };
  }
  const { name } = context.errorRates;
  const lone = name !== null && hasErrorsWithoutHouseholds(context.errorRates);
  // Unknown words without equal birth dates may be two people's names.
  const which = lone ? 'all' : dated || name !== null ? 'not both names' : 'misspellings';
  if (areNamesTyposApart(one, two, which))
    return {
      evidence: [oneName('are a letter apart', TYPO_LOSS, [a, b], context)],
      conflict: false,
      credit: 0.7,
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
  if (dated && haveGivenNameForms(one, two))
    return { evidence: [GIVEN_NAME_FORMS], conflict: false, credit: 1 };
  const conflict = best.confidence < DIFFERENT_NAME_CONFIDENCE || other;
  return { evidence: [otherName(best)], conflict, credit: 0.25 };
}

/** Evidence of given names that are forms of one name. Its weight is less than that of equal given names. */
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
 * Returns the evidence of names that are likely one person's. Rare names have more weight.
 *
 * @param loss bits subtracted because the names are not exactly equal
 */
function oneName(
  how: string,
  loss: number,
  [a, b]: [LinkRecord, LinkRecord],
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
 * Returns the number of records with the record's name: as counted, or as estimated from its first and last word if that is more. For a name of
 * one word, returns the number of records with this word.
 */
function borneBy({ nameKeys, linkNames }: LinkRecord, context: LinkStatistics): number {
  const ends = getFirstAndLastWord(linkNames).map(context.wordCount);
  const [name] = nameKeys;
  return estimateRecordsWithName(name === undefined ? 1 : context.nameCount(name), ends, context);
}

/** Returns the first and the last word of a record's first name, or its only word; empty without a name. */
export function getFirstAndLastWord({ prepared: [first] }: LinkNames): string[] {
  if (!first) return [];
  const { canonical: name } = first;
  const end = name.indexOf(' ');
  return end < 0 ? [name] : [name.slice(0, end), name.slice(name.lastIndexOf(' ') + 1)];
}

/**
 * Returns the number of records with a name: as counted, or as expected from its words if that is more.
 *
 * @param ends counts of the first and the last word of the name, or of its only word
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

/** Returns the weight in bits of a shared name that `borne` records have. If the two names differ in frequency, pass the more common one. */
export function weighSharedName(
  borne: number,
  context: Pick<LinkStatistics, 'records' | 'perPerson'>,
): number {
  const share = Math.min(1, Math.max(PAIR, context.perPerson) / (borne + 1));
  return Math.min(NAME_MOST, Math.log2(getPopulation(context) * share));
}

const wordBits = (word: string, context: LinkStatistics) => weighSharedWord(context.wordCount(word), context);

export function weighSharedWord(
  count: number,
  context: Pick<LinkStatistics, 'records' | 'perPerson'>,
): number {
  const rarity = Math.log2((getPopulation(context) * context.perPerson) / (count + 1));
  return roundToHundredthBits(Math.max(0, Math.min(WORD_MOST, rarity - WORD_SLACK)));
}

/**
 * Returns the evidence of different names, in records whose names contain errors.
 *
 * @param rate rate of different names on one person's records, 0 to 1 @param shared words that the names share
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
