import type { Score } from '../model.ts';
import type { Reason } from './reason.ts';
import { type ScoreScale, approach, millibits } from './curves.ts';
import { ADDRESS_FLOOR, CONFLICT_BOUND, NO_BEARER_BOUND, ONE_KIND_BOUND } from './weights.ts';

/**
 * The same sum in points of 0-100: what the matching evidence alone gives, then what each sort of reason moves it by. They add up to
 * `adjusted`, the score before the bounds.
 */
export function pointsOf(
  reasons: readonly Reason[],
  { catfish, final, scale }: { catfish: boolean; final: number; scale: ScoreScale },
): Score['identityScore'] {
  const bits: Record<Sort, number> = { matching: 0, bonus: 0, penalty: 0, conflict: 0 };
  for (const one of reasons) bits[sortOf(one)] += one.millibits;
  const points = (millibits: number) => round(scale.points(millibits / 1000));
  const raw = points(bits.matching);
  const withBonuses = points(bits.matching + bits.bonus);
  const mild = points(bits.matching + bits.bonus + bits.penalty);
  const adjusted = points(bits.matching + bits.bonus + bits.penalty + bits.conflict);
  const penalised = catfish ? mild : adjusted;
  return {
    final,
    raw,
    bonuses: round(withBonuses - raw),
    penalties: round(penalised - withBonuses),
    fraudRiskPenalty: round(adjusted - penalised),
    adjusted,
  };
}

type Sort = 'matching' | 'bonus' | 'penalty' | 'conflict';

/** With the flag, e-mails and phones of other people are a fraud risk; without it they are a penalty like others. */
function sortOf({ code, millibits }: Reason): Sort {
  if (code === 'history') return 'bonus';
  if (code === 'email_other' || code === 'phone_other') return 'conflict';
  const against = code === 'address_other' || code.endsWith('_in_part');
  return against && millibits < 0 ? 'penalty' : 'matching';
}

/** Two decimals. */
export function round(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Object.is(rounded, -0) ? 0 : rounded;
}

/** A bound that moved the score. */
export type Bound = 'no_bearer' | 'one_kind' | 'conflict' | 'addresses';

interface Bounded {
  /** Before the bounds, 0-100. */
  adjusted: number;
  /** After them, not rounded. */
  score: number;
  /** The one that moved it most; null where none moved it by half a point. */
  bound: Bound | null;
}

interface BoundInput {
  /** Sum of the evidence. */
  bits: number;
  /** Of it, what addresses take away that others live at: a positive number. */
  addresses: number;
  /** The name is on record. */
  bears: boolean;
  /** How surely each kind of contact is the person's own, 0-1, the surest first. */
  kinds: readonly number[];
  /** How surely an e-mail or phone is somebody else's alone. */
  worst: number;
  scale: ScoreScale;
}

/** Where a second kind of contact is this surely the person's own, contacts are not of one kind alone any more. */
const SECOND_KIND = 0.7;

/** From here on an e-mail or phone is surely somebody else's, however long ago it was seen there. */
const SURELY_ANOTHERS = 0.9;

/** More than rounding moves a score. */
const MOVED = 0.511;

/** Applies the bounds of laws 6, 8, 9 and 10. Each is approached, not hit: what leads to it moves the score smoothly. */
export function bounded(input: BoundInput): Bounded {
  const { bits, bears, kinds, worst, scale } = input;
  const adjusted = scale.points(bits);
  let score = scale.points(relievedBits(input));
  let [bound, most]: [Bound | null, number] = ['addresses', score - adjusted];
  const under = (name: Bound, height: number) => {
    const lower = approach(score, height);
    if (score - lower > most) [bound, most] = [name, score - lower];
    score = lower;
  };
  const [first, second = 0] = kinds;
  if (first === undefined || !bears) under('no_bearer', NO_BEARER_BOUND);
  under('one_kind', ONE_KIND_BOUND + (100 - ONE_KIND_BOUND) * Math.min(1, second / SECOND_KIND) ** 2);
  under('conflict', CONFLICT_BOUND + (100 - CONFLICT_BOUND) * (1 - Math.min(1, worst / SURELY_ANOTHERS)));
  return { adjusted, score, bound: Math.abs(Math.round(score) - round(adjusted)) > MOVED ? bound : null };
}

/** The sum, less what addresses may not take away, so that they alone do not push the score below its floor. */
function relievedBits({ bits, addresses, scale }: BoundInput): number {
  if (addresses === 0) return bits;
  const room = bits + addresses - scale.bits(ADDRESS_FLOOR);
  const taken = room > 0 ? room * (1 - 2 ** (-addresses / room)) : 0;
  return millibits(bits + addresses - taken) / 1000;
}
