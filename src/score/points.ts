// Points (0-100): the bounds of the score, and how many points each type of reason adds or subtracts.
import type { Score, ScoreLimitName } from '../model.ts';
import {
  getOtherPersonPhoneScoreFloor,
  limitPointsSmoothly,
  type ScoreScale,
  toMillibits,
} from './curves.ts';
import type { ContactConflict } from './conflict.ts';
import { type MatchingContactEvidence, MIN_CERTAINTY_OF_SECOND_CONTACT_TYPE } from './matching-contacts.ts';
import type { ScoreReason } from './reason.ts';
import {
  ADDRESS_ONLY_SCORE_BOUND,
  OTHER_PERSON_ADDRESS_SCORE_FLOOR,
  CONFLICT_SCORE_UPPER_BOUND,
  HOUSEHOLD_SCORE_FLOOR,
  NAMESAKE_SCORE_BOUND,
  NO_NAME_HOLDER_SCORE_BOUND,
  NON_PERSON_NAME_SCORE_BOUND,
  OLD_PHONE_YEARS,
  ONE_CONTACT_TYPE_SCORE_BOUND,
} from './weights.ts';

/** Name of the bound that changed a score most. */
export type ScoreBoundName =
  | 'no_bearer'
  | 'one_kind'
  | 'address_alone'
  | 'shared_contacts'
  | 'namesake'
  | 'conflict'
  | 'shared_only'
  | 'no_person'
  | 'addresses'
  | 'household'
  | 'old_phone'
  | 'phone'
  | 'phone_country';

interface BoundedScore {
  /** Points (0-100) before the bounds are applied. */
  adjusted: number;
  /** Points (0-100, not rounded) after the bounds are applied. */
  score: number;
  /**
   * Lower bound that raised the score most, or lowest bound that lowered it, in the direction in which all bounds together changed it. Null if they
   * changed it by less than half a point.
   */
  bound: ScoreBoundName | null;
  /** All upper bounds that apply to the score, even those that did not lower it. */
  ceilings: readonly ScoreCeiling[];
}

/** Upper bound of the score: its points (0-100) in `height`, and the name of what lifts it in `limit`. */
export interface ScoreCeiling {
  limit: ScoreLimitName;
  height: number;
}

interface BoundInput {
  /** Sum of all evidence in bits. */
  bits: number;
  hasName: boolean;
  own: Pick<MatchingContactEvidence, 'kinds' | 'lifts' | 'directStrength'>;
  conflict: ContactConflict;
  /** True if the submitted name is not the name of one person. */
  isNonPerson: boolean;
  /** Maximum sum of bits that the agreement of the names allows, and the name of what lifts this maximum. */
  nameCeiling: { bits: number; limit: ScoreLimitName };
  scale: ScoreScale;
}

/** Certainty (0-1) that an e-mail or phone belongs to another person, from which it lowers the upper bound by the full amount. */
const SURE_CONFLICT = 0.5;
/** Minimum change in points from which a bound is reported. Rounding alone changes a score by less. */
const MIN_MOVED_POINTS = 0.511;

/** Limits the score by the upper and lower bounds of the scoring rules. The score approaches a bound smoothly. */
export function applyScoreBounds({
  bits,
  hasName,
  own,
  conflict,
  scale,
  isNonPerson,
  nameCeiling,
}: BoundInput): BoundedScore {
  const adjusted = scale.points(bits);
  const [, secondKind = 0] = own.lifts;
  const noConflict = 1 - Math.min(1, conflict.worstConflict / SURE_CONFLICT);

  const state = applyLimits(bits, { conflict, scale });
  if (hasName) state.ceilings.push({ limit: nameCeiling.limit, height: scale.points(nameCeiling.bits) });
  if (own.kinds.length === 0 || !hasName)
    applyBound(state, 'no_bearer', NO_NAME_HOLDER_SCORE_BOUND, hasName ? 'own_contact' : 'name');
  // A contact that several people have is known to many, as an address is.
  const oneKindBound =
    ADDRESS_ONLY_SCORE_BOUND +
    (ONE_CONTACT_TYPE_SCORE_BOUND - ADDRESS_ONLY_SCORE_BOUND) * own.directStrength ** 2;
  applyBound(state, findOneKindBound(own), oneKindBound + (100 - oneKindBound) * secondKind);
  applyBound(state, 'conflict', CONFLICT_SCORE_UPPER_BOUND + (100 - CONFLICT_SCORE_UPPER_BOUND) * noConflict);
  applyBound(state, 'shared_only', conflict.sharedOnlyBound);
  const namesake = Math.min(1, conflict.namesakeConflict / SURE_CONFLICT);
  const namesakeBound =
    CONFLICT_SCORE_UPPER_BOUND - (CONFLICT_SCORE_UPPER_BOUND - NAMESAKE_SCORE_BOUND) * (1 - secondKind);
  applyBound(state, 'namesake', 100 - (100 - namesakeBound) * namesake);
  if (isNonPerson) applyBound(state, 'no_person', NON_PERSON_NAME_SCORE_BOUND);
  const { score, ceilings } = state;
  const { bound } = score < adjusted ? state.lowering : state.raising;
  return { adjusted, score, bound: hasMovedScore(score, adjusted) ? bound : null, ceilings };
}

/** True if bounds changed the score by more than its rounding does. */
const hasMovedScore = (score: number, adjusted: number): boolean =>
  Math.abs(Math.round(score) - roundToHundredths(adjusted)) > MIN_MOVED_POINTS;

/** Raises a score to a further lower bound. Names this bound if it makes the score higher than the sum of the evidence. */
export function raiseToFloor<Bounded extends Pick<BoundedScore, 'score' | 'adjusted' | 'bound'>>(
  bounded: Bounded,
  name: ScoreBoundName,
  floor: number,
): Bounded {
  const { score, adjusted } = bounded;
  if (floor <= score) return bounded;
  const isHigher = floor > adjusted && Math.round(floor) > Math.round(score);
  const bound = isHigher ? name : bounded.bound;
  return { ...bounded, score: floor, bound: hasMovedScore(floor, adjusted) ? bound : null };
}

/** Returns the name of the bound for contacts of only one type, by the certainty that an e-mail or phone belongs to the person alone. */
function findOneKindBound({ directStrength }: BoundInput['own']): UpperBoundName {
  if (directStrength === 0) return 'address_alone';
  return directStrength < MIN_CERTAINTY_OF_SECOND_CONTACT_TYPE ? 'shared_contacts' : 'one_kind';
}

/** Names of the upper bounds. `LIMITS_OF_BOUNDS` maps each to the name of what lifts it. */
type UpperBoundName = Exclude<ScoreBoundName, LowerBoundName | 'phone_country'>;
const LIMITS_OF_BOUNDS: Record<UpperBoundName, ScoreLimitName> = {
  no_bearer: 'own_contact',
  one_kind: 'other_kind',
  address_alone: 'other_kind',
  shared_contacts: 'unshared_contact',
  shared_only: 'unshared_contact',
  namesake: 'foreign_contact',
  conflict: 'foreign_contact',
  no_person: 'person',
};

/**
 * Score while the bounds are applied one after the other. `raising`: the bound that changed it most, and the points of this change. `lowering`: the
 * lowest bound that changed it.
 */
interface BoundState {
  ceilings: ScoreCeiling[];
  score: number;
  raising: { bound: LowerBoundName; points: number };
  lowering: { bound: ScoreBoundName | null; points: number; height: number };
}

function applyBound(
  state: BoundState,
  bound: UpperBoundName,
  height: number,
  limit = LIMITS_OF_BOUNDS[bound],
): void {
  state.ceilings.push({ limit, height });
  const lower = limitPointsSmoothly(state.score, height);
  const points = state.score - lower;
  const { lowering } = state;
  const isLowest = height < lowering.height && points > MIN_MOVED_POINTS;
  if (isLowest || (lowering.points <= MIN_MOVED_POINTS && points > lowering.points))
    state.lowering = { bound, points, height };
  state.score = lower;
}

type LowerBoundName = 'addresses' | 'household' | 'old_phone' | 'phone';

/** Applies the lower bounds for contacts of other people: old phones, contacts of the household, addresses. */
function applyLimits(
  bits: number,
  { conflict, scale }: { conflict: ContactConflict; scale: ScoreScale },
): BoundState {
  const { addressBits, householdBits, oldPhoneBits, oldPhoneFloor: floor } = conflict;
  const isOldPhone = floor >= getOtherPersonPhoneScoreFloor(OLD_PHONE_YEARS);
  const limits: [LowerBoundName, Omit<BitLimit, 'scale'>][] = [
    [isOldPhone ? 'old_phone' : 'phone', { taken: oldPhoneBits, floor, soften: softMinimum }],
    ['household', { ...HOUSEHOLD_LIMIT, taken: householdBits }],
    ['addresses', { ...ADDRESS_LIMIT, taken: addressBits }],
  ];
  let limited = bits + oldPhoneBits + householdBits + addressBits;
  let raising: BoundState['raising'] = { bound: 'phone', points: 0 };
  for (const [bound, limit] of limits) {
    const unlimited = limited - limit.taken;
    limited = limitBits(unlimited, { ...limit, scale });
    const points = scale.points(limited) - scale.points(unlimited);
    if (points > raising.points) raising = { bound, points };
  }
  // Rounded once: rounding after each limit would let a further contact of strangers raise the score.
  const score = scale.points(toMillibits(limited) / 1000);
  return { score, raising, lowering: { bound: null, points: 0, height: 100 }, ceilings: [] };
}

/**
 * Lower bound for reasons of one type: the bits that they subtract (`taken`), the lowest score that they alone can cause (`floor`), and the function
 * that makes the score approach it smoothly (`soften`).
 */
interface BitLimit {
  taken: number;
  floor: number;
  soften: (taken: number, available: number) => number;
  scale: ScoreScale;
}

/** Returns a number below both arguments. It approaches `available` as `taken` grows. */
const approach = (taken: number, available: number) => available * (1 - 2 ** (-taken / available));

/** Returns the sum of bits, raised so that the reasons of the bound alone cannot lower the score below `floor`. */
function limitBits(bits: number, { taken, floor, soften, scale }: BitLimit): number {
  if (taken === 0) return bits;
  const available = bits + taken - scale.bits(floor);
  const used = available > 0 ? soften(taken, available) : 0;
  return bits + taken - used;
}

/** Exponent of the soft minimum. A higher exponent gives a result closer to the lower number. */
const SHARPNESS = 2;

/** Returns the smooth minimum of two positive numbers, which is slightly below the lower one. */
const softMinimum = (a: number, b: number) => (a ** -SHARPNESS + b ** -SHARPNESS) ** (-1 / SHARPNESS);

const HOUSEHOLD_LIMIT = { floor: HOUSEHOLD_SCORE_FLOOR, soften: softMinimum };
const ADDRESS_LIMIT = { floor: OTHER_PERSON_ADDRESS_SCORE_FLOOR, soften: approach };

/**
 * Splits the score, as it is before the upper and lower bounds are applied, into the points of the matching evidence and the points that each other
 * type of reason adds or subtracts.
 */
export function splitScorePointsByReasonType(
  reasons: readonly ScoreReason[],
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
  // With the catfish flag, e-mails and phones of other people are reported as a fraud risk; otherwise as an ordinary penalty.
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

function toSort({ code, millibits }: ScoreReason): ReasonSort {
  if (code === 'history') return 'bonus';
  if (/^(?:email|phone)_(?:other|household)$/.test(code)) return 'conflict';
  const mayBePenalty = code === 'address_other' || code.endsWith('_in_part');
  return mayBePenalty && millibits < 0 ? 'penalty' : 'matching';
}

export function roundToHundredths(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Object.is(rounded, -0) ? 0 : rounded;
}
