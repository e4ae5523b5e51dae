// Outcome of one case. It contains no submitted values, only the number of values of each kind.
import type { ContactKind, Verdict } from '../model.ts';
import type { LabelledCase } from './cases.ts';
import type { ScoreAndCatfishFlag } from './sample.ts';
import type { EvidenceStep } from './steps.ts';

export interface CaseOutcome extends ScoreAndCatfishFlag {
  case: LabelledCase;
  /** Score (0-100) of the check before score bounds (upper and lower limits) are applied. */
  unbounded: number;
  sent: Record<ContactKind, number>;
  /** ISO country of the case, otherwise of its first address; null if unknown. */
  country: string | null;
  /** Month (`2026-11`, UTC) and account of a call whose outcome the caller reported later. Missing for cases of a file. */
  call?: { month: string; account: string };
}

export function toCaseOutcome(labelledCase: LabelledCase, { contacts, score }: Verdict): CaseOutcome {
  const sent = { email: 0, phone: 0, address: 0 };
  let country = labelledCase.country;
  for (const contact of contacts) {
    sent[contact.kind]++;
    if (contact.kind === 'address') country ??= countryOf(contact.standardized.country);
  }
  const unbounded = score.combined.preCapped;
  return {
    case: labelledCase,
    score: score.value,
    unbounded,
    flagged: score.isPossibleCatfish,
    sent,
    country,
  };
}

/** Returns a country code, else null. A country that could not be parsed may be any submitted text. */
const countryOf = (text: string) => (/^[A-Z]{2}$/.test(text) ? text : null);

export interface WronglyScoredCase {
  id: string;
  role: 'genuine' | 'not_genuine';
  kind: string;
  subkind: string | null;
  score: number;
  sent: CaseOutcome['sent'];
  steps: EvidenceStep[];
  bounds: string;
}

const SHOWN = 8;

/**
 * Returns the cases with the worst scores: genuine cases with the lowest scores, then non-genuine cases with the highest. Cases with a right
 * result are left out.
 */
export function listWorstOutcomes(outcomes: CaseOutcome[]): CaseOutcome[] {
  const lowest = outcomes.filter(({ case: { role }, score }) => role === 'genuine' && score < 65);
  const highest = outcomes.filter(({ case: { role }, score }) => role === 'not_genuine' && score >= 40);
  return [
    ...lowest.toSorted((a, b) => a.score - b.score).slice(0, SHOWN),
    ...highest.toSorted((a, b) => b.score - a.score).slice(0, SHOWN),
  ];
}

export function toWronglyScoredCase(
  { case: { id, role, kind, subkind }, score, sent }: CaseOutcome,
  { steps, bounds }: Pick<WronglyScoredCase, 'steps' | 'bounds'>,
): WronglyScoredCase {
  const side = role === 'genuine' ? role : 'not_genuine';
  return { id, role: side, kind, subkind, score, sent, steps, bounds };
}
