// Statistics of all records as levels, each about half as much again as the one before: a weight changes only where one of them has grown
// by so much, so that one record more changes few weights, and those of few pairs. Whole powers of two would do with fewer changes, but
// cost up to .007 of F1 (and .01 of precision) on public sets; these cost nothing.
import type { LinkContext, ErrorRates, FieldErrors, NearDateRates } from '../compare/evidence.ts';

/** Levels to a doubling. */
const HALVES = 2;
const QUARTERS = 4;
/** Counts up to this are their own level. */
const FEW = 4;

/**
 * The level of a count: two for each doubling. Whether a count is beyond a power of two is the same for all of a level.
 */
export function toLevel(count: number): number {
  const log = 2 * Math.log2(Math.max(1, count));
  const near = Math.round(log);
  // Powers of two and of their roots end a level; logarithms of others are not so near.
  return Math.abs(log - near) < 1e-9 ? near : Math.ceil(log);
}

/** The count that stands for all of its level: the middle one. */
export function roundToLevel(count: number): number {
  return count <= FEW ? count : Math.round(2 ** (toLevel(count) / 2 - 0.25));
}

/** What records tell as a whole, in levels. */
export function roundContextToLevels(exact: LinkContext): LinkContext {
  const { sharers, nameCount, wordCount, dateCount, placeCount, nameAndBirthCount } = exact;
  return {
    records: Math.round(nearest(exact.records, HALVES)),
    sharers: (key) => roundToLevel(sharers(key)),
    nameCount: (key) => roundToLevel(nameCount(key)),
    wordCount: (word) => roundToLevel(wordCount(word)),
    dateCount: (date) => roundToLevel(dateCount(date)),
    placeCount: (place) => roundToLevel(placeCount(place)),
    nameAndBirthCount: (key) => roundToLevel(nameAndBirthCount(key)),
    perPerson: exact.perPerson,
    errorRates: exact.errorRates,
  };
}

/** Rates to the nearest of four levels a doubling, and shares by their odds: they weigh in every pair, and are measured on few. */
export function roundRatesToLevels({ name, birth, near, address }: ErrorRates): ErrorRates {
  return {
    name: name && fieldLevels(name),
    birth: birth && fieldLevels(birth),
    near: near && nearLevels(near),
    address: address === null ? null : nearestOdds(address),
  };
}

const fieldLevels = ({ rate, others }: FieldErrors): FieldErrors => ({
  rate: nearest(rate),
  others: nearestOdds(others),
});

const nearLevels = ({ swapped, digit, exchanged, part }: NearDateRates): NearDateRates => ({
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
