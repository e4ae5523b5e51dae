import {
  haveDifferentNameAndBirthDatesSeenElsewhere,
  classifySmallBirthDateDifference,
} from '../compare/birth-dates.ts';
import { type RecordErrorRates, type LinkStatistics, UNMEASURED_ERROR_RATES } from '../compare/evidence.ts';
import { haveSimilarNames } from '../compare/name-similarity.ts';
import { getMaxRecordsOfWeakKey } from '../blocking.ts';
import type { LinkableRecord } from '../link-record.ts';
import {
  type ComparisonPattern,
  createErrorRateEstimator,
  estimateSmallBirthDateDifferenceRates,
  type SmallBirthDateDifferenceCounts,
} from './error-rates.ts';
import { roundErrorRates } from './levels.ts';
import type { CollectedLinkStatistics } from './collected.ts';

/** Number of people with different names up to which a contact counts as one household's. */
const HOUSEHOLD = 8;

export type LinkStatisticsWithoutErrorRates = Omit<LinkStatistics, 'errorRates'>;

/**
 * Compares names and birth dates of two records that share a contact or place that few others have. Returns null if they share none, if a record
 * lacks a name or birth date, or if the generations in the names (Sr, Jr) differ.
 */
function getComparisonPattern(
  a: LinkableRecord,
  b: LinkableRecord,
  context: LinkStatisticsWithoutErrorRates,
): ComparisonPattern | null {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.linkNames.generation !== b.linkNames.generation)
    return null;
  const shares = sharedBy(a, b, context);
  if (shares === null) return null;
  return {
    names: haveSimilarNames(a.linkNames, b.linkNames),
    births: birthsAgree(a.birthDate ?? '', b.birthDate ?? ''),
    recurring: haveDifferentNameAndBirthDatesSeenElsewhere(a, b, context),
    shares,
  };
}

function sharedBy(
  a: LinkableRecord,
  b: LinkableRecord,
  context: LinkStatisticsWithoutErrorRates,
): ComparisonPattern['shares'] | null {
  if (sharesContact(a, b, context, 'address')) return 'address';
  if (sharesContact(a, b, context)) return 'contact';
  return sharesPlace(a, b, context) ? 'place' : null;
}

/** True if two dates are equal, allowing for a typo or missing parts. */
function birthsAgree(a: string, b: string): boolean {
  const near = classifySmallBirthDateDifference(a, b);
  return a.startsWith(b) || b.startsWith(a) || (near !== null && near !== 'part');
}

/**
 * True if two records share a contact that few people have. Similar addresses do not count: such records are compared only if their names
 * are similar, so they would distort the measured rate of name errors.
 */
function sharesContact(
  a: LinkableRecord,
  b: LinkableRecord,
  { sharers }: LinkStatisticsWithoutErrorRates,
  kind?: 'address',
): boolean {
  const keys = (record: LinkableRecord) =>
    record.contacts
      .filter((contact) => kind === undefined || contact.kind === kind)
      .flatMap((contact) => contact.keys.filter(([type]) => type !== 'street').map(([, key]) => key));
  const theirs = new Set(keys(b));
  return keys(a).some((key) => theirs.has(key) && sharers(key) <= HOUSEHOLD);
}

/** True if two records share a place (postcode or city) with so few records that all pairs in the place are compared. */
function sharesPlace(
  a: LinkableRecord,
  b: LinkableRecord,
  { placeCount, perPerson }: LinkStatisticsWithoutErrorRates,
): boolean {
  const places = (record: LinkableRecord) => record.contacts.flatMap((contact) => contact.places);
  const theirs = new Set(places(b));
  return places(a).some(
    (place) => theirs.has(place) && placeCount(place) <= getMaxRecordsOfWeakKey(perPerson),
  );
}

// Kinds of shared values, by their position in the encoded comparison pattern.
const SHARES = ['address', 'contact', 'place'] as const;
const DATES = ['equal', 'swapped', 'digit', 'exchanged', 'part'] as const;
/** Base of an encoded pattern: 8 × (8 × type of the shared value + flags + 1) + type of difference between the birth dates. */
const STEP = 8;

/** Limit that all sort numbers of records (see `orderOf`) are below. */
const ORDERS = 2 ** 52;
/**
 * Number of records with a birth date up to which all pairs are used to measure error rates. Of more records, a sample of the pairs is
 * used.
 */
const MEASURED = 4000;

/** Sample of record pairs for measuring error rates. It depends neither on the order of import nor on the secret. */
interface PairSample {
  /** Share (0-1) of all pairs that are in the sample. It halves when the number of records doubles. */
  share: number;
  /** True if the pair of records with these sort numbers is in the sample. */
  isDrawn(orderA: number, orderB: number): boolean;
}

export function createErrorRatePairSampler({ dated }: Pick<CollectedLinkStatistics, 'dated'>): PairSample {
  const share = 2 ** -Math.max(0, Math.ceil(Math.log2(dated / MEASURED)));
  return { share, isDrawn: (a, b) => (a + b) % ORDERS < share * ORDERS };
}

/** Encodes the comparison of two records as a number. Returns 0 for a pair that does not help to measure error rates. */
export function computeComparisonPatternCode(
  a: LinkableRecord,
  b: LinkableRecord,
  counts: LinkStatisticsWithoutErrorRates,
): number {
  const pattern = getComparisonPattern(a, b, counts);
  const apart = a.nameKeys[0] === b.nameKeys[0] ? datesOf(a, b) : null;
  const date = apart === null ? 0 : DATES.indexOf(apart) + 1;
  if (!pattern) return date;
  const { names, births, recurring, shares } = pattern;
  const flags = Number(names) + 2 * Number(births) + 4 * Number(recurring);
  return date + STEP * (1 + flags + STEP * SHARES.indexOf(shares));
}

/** Returns the type of difference between two birth dates. Null if they are far apart or one is missing. */
function datesOf(a: LinkableRecord, b: LinkableRecord): keyof SmallBirthDateDifferenceCounts | null {
  if (a.birthDate === null || b.birthDate === null) return null;
  if (a.birthDate === b.birthDate) return 'equal';
  return classifySmallBirthDateDifference(a.birthDate, b.birthDate);
}

/** Returns the number of pairs with each comparison pattern. */
export function countPairsByComparisonPattern(
  measured: Iterable<[a: number, b: number, pattern: number]>,
): Map<number, number> {
  const patterns = new Map<number, number>();
  for (const [, , pattern] of measured) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  return patterns;
}

/**
 * Estimates the error rates and rounds them to levels.
 * @param patterns number of pairs by pattern; see `computeComparisonPatternCode`
 */
export function estimateErrorRates(
  patterns: Map<number, number>,
  statistics: CollectedLinkStatistics,
): RecordErrorRates {
  const counter = createErrorRateEstimator();
  const dates: SmallBirthDateDifferenceCounts = { equal: 0, swapped: 0, digit: 0, exchanged: 0, part: 0 };
  for (const [number, times] of patterns) {
    const date = DATES[(number % STEP) - 1];
    if (date) dates[date] += times;
    if (number < STEP) continue;
    const [flags, shares] = splitPattern(Math.floor(number / STEP) - 1);
    counter.see(
      { names: (flags & 1) > 0, births: (flags & 2) > 0, recurring: (flags & 4) > 0, shares },
      times,
    );
  }
  if (statistics.dated === 0) return UNMEASURED_ERROR_RATES;
  const pairs = statistics.namePairs * createErrorRatePairSampler(statistics).share;
  return roundErrorRates({
    ...counter.errorRates(statistics.recurring),
    near: estimateSmallBirthDateDifferenceRates(dates, pairs),
  });
}

function splitPattern(number: number): [flags: number, shares: (typeof SHARES)[number]] {
  return [number % STEP, SHARES[Math.floor(number / STEP)] ?? 'place'];
}
