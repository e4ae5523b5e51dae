// Points of 0-100: the bounds of the score, and the points that each sort of reason moves.
import type { Score } from '../model.ts';
import { approachBound, type ScoreScale, toMillibits } from './curves.ts';
import type { Reason } from './reason.ts';
import { ADDRESS_FLOOR, CONFLICT_BOUND, NO_NAME_HOLDER_BOUND, ONE_KIND_BOUND } from './weights.ts';

/** Bound that moved the score. */
export type Bound = 'no_bearer' | 'one_kind' | 'conflict' | 'addresses';

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
  /** Certainty (0-1) that an e-mail or phone belongs only to another person. */
  worstConflict: number;
  scale: ScoreScale;
}

/**
 * Certainty (0-1) that a second kind of contact is the person's own, from which the bound of one kind does
 * not apply.
 */
const SURE_SECOND_KIND = 0.7;
/** Certainty from which an e-mail or phone counts as another person's, independent of its age. */
const SURE_CONFLICT = 0.9;
/** Points by which rounding alone cannot move a score. */
const MIN_MOVED_POINTS = 0.511;

/** Applies the bounds of laws 6, 8, 9 and 10. The score approaches a bound smoothly. */
export function applyBounds(input: BoundInput): BoundedScore {
  const { bits, hasName, kinds, worstConflict, scale } = input;
  const adjusted = scale.points(bits);
  let score = scale.points(limitAddressBits(input));
  let [bound, most]: [Bound | null, number] = ['addresses', score - adjusted];
  const applyBound = (name: Bound, height: number) => {
    const lower = approachBound(score, height);
    if (score - lower > most) [bound, most] = [name, score - lower];
    score = lower;
  };
  const [first, second = 0] = kinds;
  if (first === undefined || !hasName) applyBound('no_bearer', NO_NAME_HOLDER_BOUND);
  const secondKind = Math.min(1, second / SURE_SECOND_KIND) ** 2;
  applyBound('one_kind', ONE_KIND_BOUND + (100 - ONE_KIND_BOUND) * secondKind);
  const noConflict = 1 - Math.min(1, worstConflict / SURE_CONFLICT);
  applyBound('conflict', CONFLICT_BOUND + (100 - CONFLICT_BOUND) * noConflict);
  const hasMoved = Math.abs(Math.round(score) - roundToHundredths(adjusted)) > MIN_MOVED_POINTS;
  return { adjusted, score, bound: hasMoved ? bound : null };
}

/** Returns the sum of the evidence, with fewer bits for addresses so that addresses alone do not push the score below its floor. */
function limitAddressBits({ bits, addressBits, scale }: BoundInput): number {
  if (addressBits === 0) return bits;
  const available = bits + addressBits - scale.bits(ADDRESS_FLOOR);
  const used = available > 0 ? available * (1 - 2 ** (-addressBits / available)) : 0;
  return toMillibits(bits + addressBits - used) / 1000;
}

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
  if (code === 'email_other' || code === 'phone_other') return 'conflict';
  const mayBePenalty = code === 'address_other' || code.endsWith('_in_part');
  return mayBePenalty && millibits < 0 ? 'penalty' : 'matching';
}

export function roundToHundredths(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Object.is(rounded, -0) ? 0 : rounded;
}
