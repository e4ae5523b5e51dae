// Curves between an observation and its weight. All are smooth, so that a small difference cannot move the score far.
import type { ContactMatch, Calibration, ContactKind } from '../model.ts';
import {
  BOUND_APPROACH_POINTS,
  OLD_PHONE_USE_CERTAINTY_BY_YEARS_SINCE_SEEN,
  SHARERS_THAT_HALVE_WEIGHT,
  LOOKUP_KEY_QUALITY,
  MAX_BITS_BY_NAME_AGREEMENT,
  OTHER_PERSON_PHONE_SCORE_FLOORS_BY_YEARS_SINCE_SEEN,
  REASSIGNED_PHONE_WEIGHT_FACTORS,
  CONTACT_WEIGHT_LOSS_BY_AGE,
} from './weights.ts';

export const MS_PER_YEAR = 365.25 * 86_400_000;

/**
 * Converts bits to thousandths of a bit, and rounds to multiples of ten. Sums of such numbers are exact in any order, and the printed weights of
 * reasons add up.
 */
export function toMillibits(bits: number): number {
  return Math.round(bits * 100) * 10;
}

/** Returns the factor (0-1) on the weight of a contact that `share` identities have: 1 for one identity, nearly 0 for a switchboard. */
function rarityOfShare(share: number, kind: ContactKind): number {
  return 1 / (1 + ((Math.max(1, share) - 1) / SHARERS_THAT_HALVE_WEIGHT[kind]) ** 2);
}

/** Returns the certainty (0-1) that a contact belongs to one identity alone. */
export function getCertaintyOfSoleOwner({ type, share }: ContactMatch, kind: ContactKind): number {
  return LOOKUP_KEY_QUALITY[type] * rarityOfShare(share, kind);
}

/** Returns the fraction (0-1) of its weight that another person's contact keeps, by the years since it was last seen with that person. */
export function getOldContactWeightFactor(years: number, kind: ContactKind): number {
  const remaining = CONTACT_WEIGHT_LOSS_BY_AGE.remaining[kind];
  return (
    remaining + (1 - remaining) / (1 + (Math.max(0, years) / CONTACT_WEIGHT_LOSS_BY_AGE.halfYears) ** 1.5)
  );
}

/** Returns the lowest score of a claim whose only contact is a phone of another person, last seen with that person `years` ago. */
export function getOtherPersonPhoneScoreFloor(years: number): number {
  return interpolateLinearly(OTHER_PERSON_PHONE_SCORE_FLOORS_BY_YEARS_SINCE_SEEN, years);
}

/**
 * Returns the certainty (0-1) that an identity still uses an old phone, by the years since it was last seen with another submitted phone or address.
 */
export function getOldPhoneUseCertainty(years: number): number {
  return interpolateLinearly(OLD_PHONE_USE_CERTAINTY_BY_YEARS_SINCE_SEEN, years);
}

/** Returns the fraction (0-1) of its strength that a phone keeps for an identity, if another person was seen with it `years` later. */
export function getReassignedPhoneWeightFactor(years: number): number {
  return interpolateLinearly(REASSIGNED_PHONE_WEIGHT_FACTORS, years);
}

/** Returns the maximum sum of bits of all evidence, by the agreement (0-100) of the submitted name with the recorded name. */
export function getMaxTotalBitsByNameAgreement(agreement: number): number {
  return interpolateLinearly(MAX_BITS_BY_NAME_AGREEMENT, agreement);
}

/** Returns the probability (0-1) that a name with this agreement (0-100) belongs to another person. */
export function getOtherPersonProbabilityByNameAgreement(agreement: number): number {
  return 1 / (1 + 2 ** getMaxTotalBitsByNameAgreement(agreement));
}

/**
 * Returns the bits of evidence that two conditions are both true, from the bits for each. The result is somewhat below the lower number, because the
 * odds against the conditions are added.
 */
export function combineBitsOfBothConditions(a: number, b: number): number {
  return -Math.log2(2 ** -a + 2 ** -b);
}

function bitsToPoints(bits: number): number {
  return 100 / (1 + 2 ** -bits);
}

function pointsToBits(points: number): number {
  return Math.log2(points / (100 - points));
}

/** Limits points smoothly to an upper bound. Points that are at least `BOUND_APPROACH_POINTS` below the bound stay unchanged. */
export function limitPointsSmoothly(points: number, bound: number): number {
  const start = bound - BOUND_APPROACH_POINTS;
  if (bound >= 100 || points <= start) return points;
  return bound - BOUND_APPROACH_POINTS * Math.exp((start - points) / BOUND_APPROACH_POINTS);
}

/** Conversion between bits and points (0-100). A calibration changes the points; see `bonafide calibrate`. */
export interface ScoreScale {
  points(bits: number): number;
  /** Returns the lowest number of bits that gives these points; Infinity if none does. */
  bits(points: number): number;
}

const PLAIN_SCALE: ScoreScale = { points: bitsToPoints, bits: pointsToBits };

export function createScoreScale(calibration: Calibration | null): ScoreScale {
  if (calibration === null) return PLAIN_SCALE;
  const { knots } = calibration;
  const inverse = knots.map(([from, to]) => [to, from] as const);
  const [, highest = 100] = knots.at(-1) ?? [];
  return {
    points: (bits) => interpolateLinearly(knots, bitsToPoints(bits)),
    bits: (points) => (points > highest ? Infinity : pointsToBits(interpolateLinearly(inverse, points))),
  };
}

/** Interpolates linearly between points that are sorted by x, and returns y. Before the first and after the last point, y is constant. */
export function interpolateLinearly(points: readonly (readonly [x: number, y: number])[], x: number): number {
  let [before] = points;
  for (const after of points) {
    if (x <= after[0]) {
      const [x0, y0] = before ?? after;
      return after[0] === x0 ? after[1] : y0 + ((x - x0) * (after[1] - y0)) / (after[0] - x0);
    }
    before = after;
  }
  return before?.[1] ?? x;
}
