// Points of 0-100: the bounds of the score, and the points that each sort of reason moves.
import type { Score } from '../model.ts';
import { approachUpperBound, type ScoreScale, toMillibits } from './curves.ts';
import type { Reason } from './reason.ts';
import {
  ADDRESS_ALONE_BOUND,
  ADDRESS_FLOOR,
  CONFLICT_BOUND,
  HOUSEHOLD_FLOOR,
  NO_NAME_HOLDER_BOUND,
  NON_PERSON_BOUND,
  ONE_KIND_BOUND,
} from './weights.ts';

/** Bound that moved the score. */
export type Bound =
  | 'no_bearer'
  | 'one_kind'
  | 'address_alone'
  | 'conflict'
  | 'shared_only'
  | 'no_person'
  | 'addresses'
  | 'household'
  | 'old_phone';

interface BoundedScore {
  /** Points before the bounds, 0-100. */
  adjusted: number;
  /** Points after the bounds, 0-100; not rounded. */
  score: number;
  /** The bound that moved the score most; null if no bound moved it by half a point. */
  bound: Bound | null;
}

interface BoundInput {
  /** Sum of the evidence in bits. */
  bits: number;
  /** Bits that addresses of other people take away from the sum; a positive number. */
  addressBits: number;
  /** True if the identity has the submitted name. */
  hasName: boolean;
  /** For each kind of contact, how surely it is the person's own, 0-1; the surest first. */
  kinds: readonly number[];
  /** Certainty, 0-1, that the surest e-mail or phone is the person's own. */
  directStrength: number;
  /** Certainty, 0-1, that an e-mail or phone is somebody else's. */
  worstConflict: number;
  /** Bits that e-mails and phones of the person's household take away from the sum; a positive number. */
  householdBits: number;
  /** Bits that old phones of other people take away from the sum, a positive number, and the score that these alone leave. */
  oldPhoneBits: number;
  oldPhoneFloor: number;
  /** Upper bound because of contacts that the person shares with the holder of other contacts. */
  sharedOnlyBound: number;
  /** True if the submitted name is not one person's name. */
  isNonPerson: boolean;
  scale: ScoreScale;
}

/**
 * Certainty (0-1) that a second kind of contact is the person's own, from which the bound of one kind does
 * not apply.
 */
const SURE_SECOND_KIND = 0.7;
/** Certainty, 0-1, from which on an e-mail or phone is surely somebody else's. */
const SURE_CONFLICT = 0.5;
/** More points than rounding moves a score. */
const MIN_MOVED_POINTS = 0.511;

/** Applies the bounds of laws 6, 8, 9, 10, 12, 16 and 18. The score approaches a bound smoothly. */
export function applyBounds(input: BoundInput): BoundedScore {
  const {
    bits,
    addressBits,
    householdBits,
    oldPhoneBits,
    oldPhoneFloor,
    hasName,
    kinds,
    directStrength,
    worstConflict,
    scale,
  } = input;
  const adjusted = scale.points(bits);
  const limits = [
    { bound: 'old_phone', taken: oldPhoneBits, floor: oldPhoneFloor, soften: softMinimum },
    { bound: 'household', taken: householdBits, floor: HOUSEHOLD_FLOOR, soften: softMinimum },
    { bound: 'addresses', taken: addressBits, floor: ADDRESS_FLOOR, soften: approach },
  ] as const;
  let limited = limits.reduce((sum, { taken }) => sum + taken, bits);
  for (const limit of limits) limited = limitBits(limited - limit.taken, { ...limit, scale });
  let score = scale.points(limited);
  const strongest = limits.reduce((most, limit) => (limit.taken > most.taken ? limit : most));
  let [bound, most]: [Bound | null, number] = [strongest.bound, score - adjusted];
  const applyBound = (name: Bound, height: number) => {
    const lower = approachUpperBound(score, height);
    if (score - lower > most) [bound, most] = [name, score - lower];
    score = lower;
  };
  const [first, second = 0] = kinds;
  if (first === undefined || !hasName) applyBound('no_bearer', NO_NAME_HOLDER_BOUND);
  const secondKind = Math.min(1, second / SURE_SECOND_KIND) ** 2;
  const direct = Math.min(1, directStrength / SURE_SECOND_KIND) ** 2;
  applyBound('address_alone', ADDRESS_ALONE_BOUND + (100 - ADDRESS_ALONE_BOUND) * direct);
  applyBound('one_kind', ONE_KIND_BOUND + (100 - ONE_KIND_BOUND) * secondKind);
  const noConflict = 1 - Math.min(1, worstConflict / SURE_CONFLICT);
  applyBound('conflict', CONFLICT_BOUND + (100 - CONFLICT_BOUND) * noConflict);
  applyBound('shared_only', input.sharedOnlyBound);
  if (input.isNonPerson) applyBound('no_person', NON_PERSON_BOUND);
  const hasMoved = Math.abs(Math.round(score) - roundToHundredths(adjusted)) > MIN_MOVED_POINTS;
  return { adjusted, score, bound: hasMoved ? bound : null };
}

/** Bits that some reasons take away, the score that these reasons alone leave, and how the bits approach it. */
interface BitLimit {
  taken: number;
  floor: number;
  soften: (taken: number, available: number) => number;
}

/** Returns less than both numbers: the second one is approached from the start. */
const approach = (taken: number, available: number) => available * (1 - 2 ** (-taken / available));

/** Returns the sum of the evidence if some of its reasons, which took `taken` bits away, do not push the score below a floor. */
function limitBits(bits: number, { taken, floor, soften, scale }: BitLimit & { scale: ScoreScale }): number {
  if (taken === 0) return bits;
  const available = bits + taken - scale.bits(floor);
  const used = available > 0 ? soften(taken, available) : 0;
  return toMillibits(bits + taken - used) / 1000;
}

/** Exponent of the soft minimum: the larger, the nearer to the lower number. */
const SHARPNESS = 2;

/** Returns a number just below the lower one of two positive numbers, without a corner where they are equal. */
const softMinimum = (a: number, b: number) => (a ** -SHARPNESS + b ** -SHARPNESS) ** (-1 / SHARPNESS);

/** Splits the score before the bounds into points of the matching evidence and points that each other sort of reason adds. */
export function splitPoints(
  reasons: readonly Reason[],
  { isPossibleCatfish, final, scale }: { isPossibleCatfish: boolean; final: number; scale: ScoreScale },
): Score['identityScore'] {
  const millibits: Record<ReasonSort, number> = { matching: 0, bonus: 0, penalty: 0, conflict: 0 };
  for (const reason of reasons) millibits[toSort(reason)] += reason.millibits;
  const { matching, bonus, penalty, conflict } = millibits;
  const toPoints = (sum: number) => roundToHundredths(scale.points(sum / 1000));
  const raw = toPoints(matching);
  const withBonuses = toPoints(matching + bonus);
  const withPenalties = toPoints(matching + bonus + penalty);
  const adjusted = toPoints(matching + bonus + penalty + conflict);
  // If the flag is set, e-mails and phones of other people are a fraud risk; otherwise they are an ordinary
  // penalty.
  const penalised = isPossibleCatfish ? withPenalties : adjusted;
  return {
    final,
    raw,
    bonuses: roundToHundredths(withBonuses - raw),
    penalties: roundToHundredths(penalised - withBonuses),
    fraudRiskPenalty: roundToHundredths(adjusted - penalised),
    adjusted,
  };
}

type ReasonSort = 'matching' | 'bonus' | 'penalty' | 'conflict';

function toSort({ code, millibits }: Reason): ReasonSort {
  if (code === 'history') return 'bonus';
  if (/^(?:email|phone)_(?:other|household)$/.test(code)) return 'conflict';
  const mayBePenalty = code === 'address_other' || code.endsWith('_in_part');
  return mayBePenalty && millibits < 0 ? 'penalty' : 'matching';
}

export function roundToHundredths(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Object.is(rounded, -0) ? 0 : rounded;
}
