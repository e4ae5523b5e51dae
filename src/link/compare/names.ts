import { comparePrepared, nameParts, type NameComparison, type PreparedName } from '../../names/index.ts';
import { type LinkContext, type LinkEvidence, RECORDS_PER_PERSON, round } from './evidence.ts';
import { nearAddress } from './likeness.ts';
import type { LinkRecord, NameWords } from '../record.ts';

/** log2 of the odds of two names that are the same to the letter; a lesser likeness takes the difference away. */
const EXACT_ODDS = 6;
/** The most that a name can say, however rare. */
const NAME_MOST = 16;
/** Confidence below which two names belong to two people, whatever else they share (a household does share everything else). */
const OTHER_NAME = 5;
/** Confidence from which a likeness of names counts for a person rather than against. */
const LIKELY_NAME = 25;

/** A given name in common where the family name differs: one in some hundred strangers, and one person in thirty changes name. */
const GIVEN_ONLY = 2.5;
/** A middle initial in common: one stranger in about eight has it. */
const MIDDLE = 3;

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
export function nameEvidence(
  a: LinkRecord,
  b: LinkRecord,
  context: LinkContext,
  dated: boolean,
): NameEvidence {
  if (a.prepared.length === 0 || b.prepared.length === 0)
    return { evidence: [], conflict: false, suffixes: false, credit: 1 };
  const { evidence, conflict, credit } = wholeNames(a, b, context, dated);
  if (!conflict && credit > 0.5 && sameMiddle(a, b))
    evidence.push({ code: 'name', what: 'the middle names or initials agree', bits: MIDDLE });
  const suffixes = a.suffix !== '' && b.suffix !== '' && a.suffix !== b.suffix;
  if (suffixes) evidence.push({ code: 'name', what: 'generational suffixes differ', bits: -10 });
  return { evidence, conflict, suffixes, credit };
}

type WholeNames = Omit<NameEvidence, 'suffixes'>;

function wholeNames(a: LinkRecord, b: LinkRecord, context: LinkContext, dated: boolean): WholeNames {
  const best = bestName(a, b);
  if (likely(best) && !otherGiven(a, b))
    return { evidence: [oneName(best, [a, b], context)], conflict: false, credit: best.same ? 1 : 0.7 };
  if (sameGivenOnly(a, b)) {
    const what = 'the given names are one, the family names differ';
    return { evidence: [{ code: 'name', what, bits: GIVEN_ONLY }], conflict: false, credit: 1 };
  }
  const { name } = context.errorRates;
  if (name !== null && (dated || nearAddress(a, b)))
    return { evidence: erringName(name.rate, dated && sharesWord(a, b)), conflict: false, credit: 1 };
  const what = `the names differ (${best.variation}, ${Math.round(best.confidence)} of 100)`;
  const bits = round(Math.max(-9, Math.min(-1, odds(best.confidence) * 1.5)));
  const conflict = best.confidence < OTHER_NAME || otherGiven(a, b);
  return { evidence: [{ code: 'name', what, bits }], conflict, credit: 0.25 };
}

/** The names are likely one: the more, the fewer records bear it. */
function oneName(best: NameComparison, [a, b]: [LinkRecord, LinkRecord], context: LinkContext): LinkEvidence {
  const borne = Math.max(context.nameCount(a.nameKeys[0] ?? 0), context.nameCount(b.nameKeys[0] ?? 0));
  const loss = EXACT_ODDS - Math.min(EXACT_ODDS, odds(best.confidence));
  const rarity = Math.log2((context.records * RECORDS_PER_PERSON) / (borne + 1));
  return {
    code: 'name',
    what: `the names ${best.same ? 'are one' : 'may be one'} (${best.variation}), borne by ${borne} of ${context.records} records`,
    bits: round(Math.max(0.5, Math.min(NAME_MOST, rarity) - loss)),
  };
}

/** The names differ where one person's are known to. @param rate how often, 0-1 */
function erringName(rate: number, sharesAWord: boolean): LinkEvidence[] {
  const what = `the names differ, as ${Math.round(rate * 100)} % of one person's do here`;
  const evidence: LinkEvidence[] = [{ code: 'name', what, bits: round(Math.log2(rate)) }];
  if (sharesAWord) evidence.push({ code: 'name', what: 'a word of the names is one', bits: GIVEN_ONLY });
  return evidence;
}

/** Are the names likely enough one person's to count for it? Both records must have one. */
export function namesAgree(a: LinkRecord, b: LinkRecord): boolean {
  return (likely(bestName(a, b)) && !otherGiven(a, b)) || sameGivenOnly(a, b);
}

function likely({ same, confidence }: NameComparison): boolean {
  return same || confidence >= LIKELY_NAME;
}

/** Both records have a full given name, and neither's is any word of the other's name: a household's members, whatever else agrees. */
function otherGiven(a: LinkRecord, b: LinkRecord): boolean {
  const apart = (given: PreparedName, { words }: NameWords) =>
    !words.some((word) => comparePrepared(given, word).same);
  const bothApart = (one: NameWords, two: NameWords) =>
    one.given !== null && two.given !== null && apart(one.given, two) && apart(two.given, one);
  return a.words().every((one) => b.words().every((two) => bothApart(one, two)));
}

function sharesWord(a: LinkRecord, b: LinkRecord): boolean {
  const words = (record: LinkRecord) => record.words().flatMap((name) => name.words);
  const theirs = words(b);
  return words(a).some((one) => theirs.some((two) => comparePrepared(one, two).same));
}

function sameMiddle(a: LinkRecord, b: LinkRecord): boolean {
  return a.prepared.some((one) =>
    b.prepared.some((two) => {
      const [x, y] = [nameParts(one).middle[0], nameParts(two).middle[0]];
      return x !== undefined && y !== undefined && x[0] === y[0];
    }),
  );
}

function odds(confidence: number): number {
  return Math.log2((confidence + 0.5) / (100.5 - confidence));
}

function sameGivenOnly(a: LinkRecord, b: LinkRecord): boolean {
  return a.prepared.some((one) =>
    b.prepared.some((two) => {
      const [x, y] = [nameParts(one).given[0], nameParts(two).given[0]];
      return x !== undefined && x.length > 2 && x === y;
    }),
  );
}

function bestName(a: LinkRecord, b: LinkRecord): NameComparison {
  let best: NameComparison | undefined;
  for (const one of a.prepared)
    for (const two of b.prepared) {
      const found = comparePrepared(one, two);
      if (!best || found.confidence > best.confidence) best = found;
    }
  if (!best) throw new Error('only records with names are compared by name');
  return best;
}
