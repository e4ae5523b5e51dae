import type { Evidence, NameAgreement, Resolution } from '../../model.ts';
import type { Hypothesis } from '../weigh.ts';

/** What the texts are written from: numbers, statuses and identity numbers; never a submitted value. */
export interface TextFacts {
  evidence: Evidence;
  best: Hypothesis;
  name: Resolution;
  contacts: Resolution[];
  /** How many contacts are the person's own, somebody else's, and nobody's. */
  counts: { own: number; different: number; none: number };
  catfish: boolean;
}

/** The name agreement of the likeliest person. */
export function nameOfBest({ evidence, best }: TextFacts): NameAgreement | undefined {
  return best.identity === null ? undefined : evidence.names.get(best.identity);
}

/** Whole years between the first and the last record of the likeliest person; null where none carries a date. */
export function yearsOnRecord({ evidence, best }: TextFacts): number | null {
  const known = best.identity === null ? undefined : evidence.identities.get(best.identity);
  if (!known || known.firstSeen === null || known.lastSeen === null) return null;
  return Math.floor((known.lastSeen - known.firstSeen) / (365.25 * 86_400_000));
}
