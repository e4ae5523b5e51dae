import {
  type LinkStatistics,
  type LinkEvidence,
  type SmallBirthDateDifferenceType,
  roundToHundredthBits,
} from './evidence.ts';
import type { LinkableRecord } from '../link-record.ts';

/** Bits added to the rarity of a shared birth date, because up to four (2²) of the records with the date may be the person's own. */
const SEVERAL = 2;
/** Maximum weight of equal birth dates in bits. Some different people share name and birth date. */
const EQUAL_MOST = 13;
/**
 * Minimum number of records when the rarity of a birth date is computed. A smaller graph counts as this size, because otherwise an equal
 * date could not outweigh a common name.
 */
const LEAST_RECORDS = 1024;
const AS_FAR_AS_THEY_GO = 3;
/** Minimum and maximum age difference between parent and child, in years. */
const GENERATION = [15, 50] as const;
export const GENERATION_GAP_TEXT = 'a generation lies between the birth dates';
/** Maximum difference in years that counts as an error if day and month are equal and more than one digit of the year differs. */
const MAX_YEARS_OF_A_SLIP = 5;
/** Minimum weight in bits of nearly equal birth dates. Very different dates have a lower weight. */
const NEAR_LEAST = -4;
/** Maximum weight in bits of nearly equal birth dates, whatever rate was measured. Equal dates can have more. */
const NEAR_MOST = 7;
/** Maximum weight in bits of equal dates that give only the year, or year and month. */
const PARTIAL_MOST = 5;
/** Highest plausible rate (0-1) of a year that one person's records write differently. A higher rate comes from namesakes. */
const YEAR_ERRORS_MOST = 0.4;

type Births = Pick<LinkStatistics, 'errorRates' | 'records' | 'dateCount' | 'nameAndBirthCount'>;

/**
 * Compares two birth dates and returns the evidence; null if one is missing. Partial dates are compared by the parts that both have.
 * @param atHome returns true if the records share an address
 */
export function weighBirthDates(
  one: LinkableRecord,
  two: LinkableRecord,
  context: Births,
  atHome: () => boolean,
): LinkEvidence | null {
  const a = one.birthDate;
  const b = two.birthDate;
  if (a === null || b === null) return null;
  const dateEvidence = a === b ? sameDate(a, [one, two], context) : datesApart(a, b, context);
  if (dateEvidence.bits > NEAR_LEAST && isGenerationApart(a, b) && atHome())
    return { code: 'birth', what: GENERATION_GAP_TEXT, bits: NEAR_LEAST };
  return { code: 'birth', what: dateEvidence.what, bits: roundToHundredthBits(dateEvidence.bits) };
}

const countYears = (a: string, b: string) => Math.abs(Number(a.slice(0, 4)) - Number(b.slice(0, 4)));

function isGenerationApart(a: string, b: string): boolean {
  const years = countYears(a, b);
  return years >= GENERATION[0] && years <= GENERATION[1];
}

/**
 * Returns the weight in bits of a birth date that two records share. For a date without a day or month, the caller limits it further. In a small
 * graph, only a date on at most four records counts as rare: a more frequent date may be a form's default value.
 * @param count number of records with the date
 */
export function weighSharedBirthDate(count: number, { records }: Pick<LinkStatistics, 'records'>): number {
  const drawn = count <= 2 ** SEVERAL ? Math.max(records, LEAST_RECORDS) : records;
  return Math.min(EQUAL_MOST, Math.log2(drawn / count) + SEVERAL);
}

interface Dates {
  what: string;
  bits: number;
}

/** True if a graph is so small that most of its records may belong to one person. */
export function isSmallGraph({ records }: Pick<LinkStatistics, 'records'>): boolean {
  return records < LEAST_RECORDS;
}

function sameDate(date: string, pair: LinkableRecord[], context: Births): Dates {
  const all = context.dateCount(date);
  const count = isSmallGraph(context) ? Math.max(2, all - ownDates(pair, context)) : all;
  const bits = Math.min(
    date.length < 10 || isYearAlone(date) ? PARTIAL_MOST : EQUAL_MOST,
    weighSharedBirthDate(count, context),
  );
  return { what: 'the birth dates are equal', bits };
}

/**
 * Counts the records that have the shared birth date and one of the two names. In a small file these are the person's own records, which do not
 * make the date common.
 */
function ownDates(pair: LinkableRecord[], { nameAndBirthCount }: Births): number {
  return Math.max(
    ...pair.map(({ nameAndBirth }) => (nameAndBirth === null ? 0 : nameAndBirthCount(nameAndBirth))),
  );
}

function datesApart(a: string, b: string, context: Births): Dates {
  if (a.startsWith(b) || b.startsWith(a))
    return { what: 'the birth dates agree as far as they go', bits: AS_FAR_AS_THEY_GO };
  if (a.length !== b.length) return { what: 'the birth dates differ', bits: -5 };
  const { near, birth } = context.errorRates;
  const nearness = classifySmallBirthDateDifference(a, b);
  const rate = nearness && near && near[nearness];
  const isErrorRate = rate !== null && rate <= YEAR_ERRORS_MOST;
  // Years that differ by more than a slip are two people's, unless the graph has such errors.
  const isOtherYear = nearness === 'part' && !isErrorRate && countYears(a, b) > MAX_YEARS_OF_A_SLIP;
  if (nearness !== null && !isOtherYear) {
    const { what, chance, usual } = SMALL_BIRTH_DATE_DIFFERENCE_DETAILS[nearness];
    const odds = areYearsAlone(a, b)
      ? (isErrorRate ? rate : usual) / SIMILAR_YEARS_CHANCE
      : (rate ?? usual) / chance;
    const bits = Math.max(NEAR_LEAST, Math.min(NEAR_MOST, Math.log2(odds)));
    return { what: `the birth dates ${what}`, bits };
  }
  if (birth === null) return { what: 'the birth dates differ', bits: -7 };
  const often = Math.round(birth.rate * 100);
  return {
    what: `the birth dates differ, as ${often} % of one person's do here`,
    bits: Math.log2(birth.rate),
  };
}

/**
 * Types of nearly equal birth dates. `chance` is the rate (0-1) of this difference between two random dates within sixty years; `usual` is the
 * rate that is assumed between two records of one person if it was not measured.
 */
export const SMALL_BIRTH_DATE_DIFFERENCE_DETAILS = {
  swapped: { what: 'have day and month exchanged', chance: 0.00002, usual: 0.0006 },
  digit: { what: 'are one digit apart', chance: 0.0014, usual: 0.03 },
  exchanged: { what: 'have two digits exchanged', chance: 0.0002, usual: 0.0035 },
  part: { what: 'differ in one part', chance: 0.0045, usual: 0.012 },
} as const satisfies Record<SmallBirthDateDifferenceType, unknown>;

/**
 * Assumed rate (0-1) of years that differ in one digit only, between two random dates without month and day. Random years have 0.2, but such
 * dates are often estimates: 0.2 lowered F1 from .886 to .884 on records of former centuries.
 */
const SIMILAR_YEARS_CHANCE = 0.02;

/** True for a year without month and day, also if forms fill these in: 1980, 1980-01-01. */
const isYearAlone = (date: string) => date.length === 4 || date.endsWith('-01-01');

/** True for two dates that may have only the year right: their equal day and month are no agreement. */
const areYearsAlone = (a: string, b: string) => isYearAlone(a) && isYearAlone(b);

/** Returns how two birth dates differ, if the difference is small (`1980-05-04`, `1980-04-05`: `swapped`). Null if it is not. */
export function classifySmallBirthDateDifference(a: string, b: string): SmallBirthDateDifferenceType | null {
  const [x, y] = [a.split('-'), b.split('-')];
  if (x.length !== y.length) return null;
  if (x.length === 3 && x[0] === y[0] && x[1] === y[2] && x[2] === y[1]) return 'swapped';
  const digits = [...a].filter((digit, i) => digit !== b[i]).length;
  if (digits === 1) return 'digit';
  if (digits === 2 && [...a].toSorted().join('') === [...b].toSorted().join('')) return 'exchanged';
  const parts = x.filter((part, i) => part !== y[i]).length;
  return x.length === 3 && parts === 1 && !areYearsAlone(a, b) ? 'part' : null;
}

/**
 * True if each record's name with its birth date also occurs on a third record. The two records then belong to two people, because a person
 * hardly repeats the same error.
 */
export function haveDifferentNameAndBirthDatesSeenElsewhere(
  a: LinkableRecord,
  b: LinkableRecord,
  { nameAndBirthCount }: Pick<LinkStatistics, 'nameAndBirthCount'>,
): boolean {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.nameAndBirth === b.nameAndBirth) return false;
  return nameAndBirthCount(a.nameAndBirth) > 1 && nameAndBirthCount(b.nameAndBirth) > 1;
}
