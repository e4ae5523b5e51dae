// Sums of weights are whole millionths of a bit: exact, so that no order of the submitted values can change a score.
import type { Agreement } from '../model.ts';
import { KEY_BITS, LEAST_BITS } from './weights.ts';

/** A weight of evidence in millionths of a bit, a whole number. Coarser ones would move figures, which are shown to the hundredth. */
export type Weight = number;

const UNIT = 1_000_000;

export const toWeight = (bits: number): Weight => Math.round(bits * UNIT);
export const toBits = (weight: Weight): number => weight / UNIT;

/** What an agreement says: its key's weight, less what sharing takes away. */
export function agreementWeight({ type, share }: Agreement): Weight {
  return toWeight(Math.max(LEAST_BITS, KEY_BITS[type] - Math.log2(Math.max(1, share))));
}

/** Odds of 2 to the power of `bits` as a share of 100. */
export function percent(bits: number): number {
  return 100 / (1 + 2 ** -bits);
}
