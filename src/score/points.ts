import type { Score } from '../model.ts';
import type { Reason } from './reason.ts';
import type { ScoreScale } from './scale.ts';

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
