// Rounding of statistics to levels, each about 1.4 times the level before. A weight changes only if a
// statistic reaches another level, so that one more record changes few weights. Whole powers of two as levels
// would change fewer weights, but lower F1 by up to .007 and precision by .01 on public data sets; these
// levels lower neither.
import type {
  LinkStatistics,
  RecordErrorRates,
  ErrorRatesOfOneField,
  SmallBirthDateDifferenceRates,
} from '../compare/evidence.ts';

/** Number of levels (ranges of counts, see `toCountLevel`) between a count and its double. */
const HALVES = 2;
const QUARTERS = 4;
/** Maximum count that is not rounded. */
const FEW = 4;

/** Returns the level of a count as a number. Levels are ranges of counts, two per doubling; each ends at a power of √2, such as 4, 5.66 or 8. */
export function toCountLevel(count: number): number {
  const log = 2 * Math.log2(Math.max(1, count));
  const near = Math.round(log);
  // Tolerance for rounding errors: only powers of two and of their roots end a level exactly.
  return Math.abs(log - near) < 1e-9 ? near : Math.ceil(log);
}

/** Rounds a count to the middle of its level (see `toCountLevel`), so that small changes of counts do not change match weights. */
export function roundCount(count: number): number {
  return count <= FEW ? count : Math.round(2 ** (toCountLevel(count) / 2 - 0.25));
}

export function roundLinkStatistics(exact: LinkStatistics): LinkStatistics {
  const { sharers, nameCount, wordCount, dateCount, placeCount, nameAndBirthCount } = exact;
  return {
    records: Math.round(nearest(exact.records, HALVES)),
    sharers: (key) => roundCount(sharers(key)),
    nameCount: (key) => roundCount(nameCount(key)),
    wordCount: (word) => roundCount(wordCount(word)),
    dateCount: (date) => roundCount(dateCount(date)),
    placeCount: (place) => roundCount(placeCount(place)),
    nameAndBirthCount: (key) => roundCount(nameAndBirthCount(key)),
    perPerson: exact.perPerson,
    errorRates: exact.errorRates,
  };
}

/**
 * Rounds error rates to four levels (ranges) per doubling. Shares (0-1) are rounded by their odds, share / (1 − share). The levels are
 * narrower than those of counts, because error rates affect every pair.
 */
export function roundErrorRates({ name, birth, near, address }: RecordErrorRates): RecordErrorRates {
  return {
    name: name && fieldLevels(name),
    birth: birth && fieldLevels(birth),
    near: near && nearLevels(near),
    address: address === null ? null : nearestOdds(address),
  };
}

const fieldLevels = ({ rate, others }: ErrorRatesOfOneField): ErrorRatesOfOneField => ({
  rate: nearest(rate),
  others: nearestOdds(others),
});

const nearLevels = ({
  swapped,
  digit,
  exchanged,
  part,
}: SmallBirthDateDifferenceRates): SmallBirthDateDifferenceRates => ({
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
