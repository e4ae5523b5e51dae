import type { NameComparison } from '../../names/index.ts';
import {
  type LinkContext,
  type LinkEvidence,
  getPopulation,
  roundBits,
  hasErrorsWithoutHouseholds,
} from './evidence.ts';
import {
  compareBestNames,
  isLikelySameName,
  DIFFERENT_NAME_CONFIDENCE,
  haveDifferentGivenNames,
  findSharedGivenName,
  haveSameMiddleName,
  listSharedWords,
  areNamesTyposApart,
} from './name-similarity.ts';
import type { LinkRecord } from '../link-record.ts';

/** log2 of the odds of two names that are the same to the letter; a lesser likeness takes the difference away. */
const EXACT_ODDS = 6;
/** What is taken away where a letter differs that the name engine does not hold for a typo, but the birth dates agree. */
const TYPO_LOSS = 4;
/** The most that a name can say, however rare. */
const NAME_MOST = 16;
/** Two of those who bear a name are the two records that are compared. */
const PAIR = 2;

/** A given name in common where the family name differs: one in some hundred strangers, and one person in thirty changes name. */
const GIVEN_ONLY = 2.5;
/** What log2 of a word's rarity is beyond this counts, where a name agrees in the word alone. */
const WORD_SLACK = 6;
const WORD_MOST = 6;
/** A middle initial in common: one stranger in about eight has it. */
const MIDDLE = 3;
/** A generational suffix in common: that is what namesakes of one home have it for. */
const SUFFIX = 3;

export interface NameEvidence {
  evidence: LinkEvidence[];
  /** Too different for one person. */
  conflict: boolean;
  /** The generational suffixes differ: two people for certain. */
  suffixes: boolean;
  /** Share of the contacts' agreement that counts, 0-1: where the names differ, a household explains the rest. */
  credit: number;
}

/** What the names of two records say. @param dated do the birth dates speak for one person? */
export function weighNames(a: LinkRecord, b: LinkRecord, context: LinkContext, dated: boolean): NameEvidence {
  if (a.prepared.length === 0 || b.prepared.length === 0)
    return { evidence: [], conflict: false, suffixes: false, credit: 1 };
  const { evidence, conflict, credit } = wholeNames(a, b, context, dated);
  if (!conflict && credit > 0.5 && haveSameMiddleName(a, b))
    evidence.push({ code: 'name', what: 'the middle names or initials agree', bits: MIDDLE });
  const bothTell = a.generation > 0 && b.generation > 0;
  const suffixes = bothTell && a.generation !== b.generation;
  if (suffixes) evidence.push({ code: 'name', what: 'generational suffixes differ', bits: -10 });
  else if (bothTell && !conflict && credit > 0.5)
    evidence.push({ code: 'name', what: 'the generational suffixes agree', bits: SUFFIX });
  return { evidence, conflict, suffixes, credit };
}

type WholeNames = Omit<NameEvidence, 'suffixes'>;

function wholeNames(a: LinkRecord, b: LinkRecord, context: LinkContext, dated: boolean): WholeNames {
  const best = compareBestNames(a, b);
  const other = haveDifferentGivenNames(a, b, best);
  if (isLikelySameName(best) && !other) {
    const how = `${best.same ? 'are one' : 'may be one'} (${best.variation})`;
    const loss = EXACT_ODDS - Math.min(EXACT_ODDS, odds(best.confidence));
    const credit = best.same ? 1 : 0.7;
    return { evidence: [oneName(how, loss, [a, b], context)], conflict: false, credit };
  }
  const { name } = context.errorRates;
  const lone = name !== null && hasErrorsWithoutHouseholds(context.errorRates);
  // Undated, two strange words may be two people's names.
  const which = lone ? 'all' : dated || name !== null ? 'not both names' : 'misspellings';
  if (areNamesTyposApart(a, b, which))
    return {
      evidence: [oneName('are a letter apart', TYPO_LOSS, [a, b], context)],
      conflict: false,
      credit: 0.7,
    };
  const given = findSharedGivenName(a, b);
  if (given !== null) return { evidence: [otherFamily(given, context)], conflict: false, credit: 1 };
  // Where households share addresses, other given names are their members' far oftener than errors.
  if (lone)
    return {
      evidence: erringName(name.rate, [a, b], context),
      conflict: false,
      credit: 1,
    };
  const conflict = best.confidence < DIFFERENT_NAME_CONFIDENCE || other;
  return { evidence: [otherName(best)], conflict, credit: 0.25 };
}

function otherFamily(given: string, context: LinkContext): LinkEvidence {
  const bits = context.errorRates.name === null ? GIVEN_ONLY : wordBits(given, context);
  return { code: 'name', what: 'the given names are one, the family names differ', bits };
}

function otherName({ variation, confidence }: NameComparison): LinkEvidence {
  const what = `the names differ (${variation}, ${Math.round(confidence)} of 100)`;
  return { code: 'name', what, bits: roundBits(Math.max(-9, Math.min(-1, odds(confidence) * 1.5))) };
}

/** The names are likely one: the more, the fewer records bear it. @param loss for their not being the same to the letter */
function oneName(
  how: string,
  loss: number,
  [a, b]: [LinkRecord, LinkRecord],
  context: LinkContext,
): LinkEvidence {
  const borne = Math.max(borneBy(a, context), borneBy(b, context));
  return {
    code: 'name',
    what: `the names ${how}, borne by ${borne} of about ${context.records} records`,
    bits: roundBits(Math.max(0.5, weighSharedName(borne, context) - loss)),
  };
}

/**
 * How many records bear the record's name: as many as do, and not fewer than its first and its last word make likely. Of a single word, how
 * many have it in their name.
 */
function borneBy({ nameKeys, prepared }: LinkRecord, context: LinkContext): number {
  const ends = getEndWords(prepared).map(context.wordCount);
  const [name] = nameKeys;
  return estimateNameCount(name === undefined ? 1 : context.nameCount(name), ends, context);
}

/** The first and the last word of a record's first name, or the only one; none where it has no name. */
export function getEndWords([first]: LinkRecord['prepared']): string[] {
  if (!first) return [];
  const { canonical: name } = first;
  const end = name.indexOf(' ');
  return end < 0 ? [name] : [name.slice(0, end), name.slice(name.lastIndexOf(' ') + 1)];
}

/** @param ends how often the first and the last word of the name are counted, or the only one */
export function estimateNameCount(
  name: number,
  ends: number[],
  { records }: Pick<LinkContext, 'records'>,
): number {
  const [first = 0, last] = ends;
  const likely = last === undefined ? first : (first * last) / records;
  return Math.max(name, Math.round(likely));
}

/** What a name in common says that so many records bear. Of two names the commoner one counts, which says no more than the other. */
export function weighSharedName(borne: number, context: Pick<LinkContext, 'records' | 'perPerson'>): number {
  const share = Math.min(1, Math.max(PAIR, context.perPerson) / (borne + 1));
  return Math.min(NAME_MOST, Math.log2(getPopulation(context) * share));
}

const wordBits = (word: string, context: LinkContext) => weighSharedWord(context.wordCount(word), context);

/** What a word in common says that so many records have in their name. */
export function weighSharedWord(count: number, context: Pick<LinkContext, 'records' | 'perPerson'>): number {
  const rarity = Math.log2((getPopulation(context) * context.perPerson) / (count + 1));
  return roundBits(Math.max(0, Math.min(WORD_MOST, rarity - WORD_SLACK)));
}

/** The names differ where one person's are known to. @param rate how often, 0-1 */
function erringName(rate: number, [a, b]: [LinkRecord, LinkRecord], context: LinkContext): LinkEvidence[] {
  const what = `the names differ, as ${Math.round(rate * 100)} % of one person's do here`;
  const evidence: LinkEvidence[] = [{ code: 'name', what, bits: roundBits(Math.log2(rate)) }];
  const bits = Math.max(0, ...listSharedWords(a, b).map((word) => wordBits(word, context)));
  if (bits > 0) evidence.push({ code: 'name', what: 'a word of the names is one', bits });
  return evidence;
}

function odds(confidence: number): number {
  return Math.log2((confidence + 0.5) / (100.5 - confidence));
}
