// Rounding of statistics to levels, each about 1.4 times the level before. A weight changes only if a
// statistic reaches another level, so that one more record changes few weights. Whole powers of two as levels
// would change fewer weights, but lower F1 by up to .007 and precision by .01 on public data sets; these
// levels lower neither.
import type {
  LinkStatistics,
  RecordErrorRates,
  FieldErrorRates,
  NearBirthDateRates,
} from '../compare/evidence.ts';

/** Number of levels between a count and its double. */
const HALVES = 2;
const QUARTERS = 4;
/** Maximum count that is not rounded. */
const FEW = 4;

/** Returns the level number of a count. There are two levels per doubling; each power of two begins a level. */
export function toCountLevel(count: number): number {
  const log = 2 * Math.log2(Math.max(1, count));
  const near = Math.round(log);
  // Tolerance for rounding errors: only powers of two and of their roots end a level exactly.
  return Math.abs(log - near) < 1e-9 ? near : Math.ceil(log);
}

/** Rounds a count to the middle of its level. Comparisons use the rounded count. */
export function roundToCountLevel(count: number): number {
  return count <= FEW ? count : Math.round(2 ** (toCountLevel(count) / 2 - 0.25));
}

export function roundStatisticsToLevels(exact: LinkStatistics): LinkStatistics {
  const { sharers, nameCount, wordCount, dateCount, placeCount, nameAndBirthCount } = exact;
  return {
    records: Math.round(nearest(exact.records, HALVES)),
    sharers: (key) => roundToCountLevel(sharers(key)),
    nameCount: (key) => roundToCountLevel(nameCount(key)),
    wordCount: (word) => roundToCountLevel(wordCount(word)),
    dateCount: (date) => roundToCountLevel(dateCount(date)),
    placeCount: (place) => roundToCountLevel(placeCount(place)),
    nameAndBirthCount: (key) => roundToCountLevel(nameAndBirthCount(key)),
    perPerson: exact.perPerson,
    errorRates: exact.errorRates,
  };
}

/**
 * Rounds error rates to four levels per doubling. Shares (0-1) are rounded by their odds, share / (1 − share). The levels are narrower than
 * those of counts, because error rates affect every pair.
 */
export function roundErrorRatesToLevels({ name, birth, near, address }: RecordErrorRates): RecordErrorRates {
  return {
    name: name && fieldLevels(name),
    birth: birth && fieldLevels(birth),
    near: near && nearLevels(near),
    address: address === null ? null : nearestOdds(address),
  };
}

const fieldLevels = ({ rate, others }: FieldErrorRates): FieldErrorRates => ({
  rate: nearest(rate),
  others: nearestOdds(others),
});

const nearLevels = ({ swapped, digit, exchanged, part }: NearBirthDateRates): NearBirthDateRates => ({
  swapped: nearest(swapped),
  digit: nearest(digit),
  exchanged: nearest(exchanged),
  part: nearest(part),
});

const nearest = (value: number, steps = QUARTERS) => 2 ** (Math.round(steps * Math.log2(value)) / steps);

function nearestOdds(share: number): number {
  const odds = nearest(share / (1 - share));
  return odds / (1 + odds);
}
