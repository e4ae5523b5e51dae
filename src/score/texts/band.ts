import type { Band } from '../../model.ts';

export const VERDICT_WORDS: Record<Band, string> = {
  HIGH: 'VERIFIED',
  MEDIUM: 'LIKELY REAL',
  LOW: 'SUSPICIOUS',
  VERY_LOW: 'HIGH RISK',
};

/** Score bands of the interface specification: 85, 65 and 40. */
export function toBand(score: number): Band {
  if (score >= 85) return 'HIGH';
  if (score >= 65) return 'MEDIUM';
  return score >= 40 ? 'LOW' : 'VERY_LOW';
}
