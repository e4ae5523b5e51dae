// What became of one case: never what was sent, only how much of what kind.
import type { ContactKind, Verdict } from '../model.ts';
import type { LabelledCase } from './cases.ts';
import type { ScoredAnswer } from './sample.ts';
import type { EvidenceStep } from './steps.ts';

export interface CaseOutcome extends ScoredAnswer {
  case: LabelledCase;
  /** The score before the bounds, 0-100. */
  unbounded: number;
  /** How many contacts of each kind were sent. */
  sent: Record<ContactKind, number>;
  /** The case's own, else that of its first address (ISO, two letters), else null. */
  country: string | null;
  /** Of a call whose caller told how it turned out: when it was (`2026-11`, UTC), and whose. */
  told?: { month: string; account: string };
}

export function toCaseOutcome(one: LabelledCase, { contacts, score }: Verdict): CaseOutcome {
  const sent = { email: 0, phone: 0, address: 0 };
  let country = one.country;
  for (const contact of contacts) {
    sent[contact.kind]++;
    if (contact.kind === 'address') country ??= countryOf(contact.standardized.country);
  }
  const unbounded = score.combined.preCapped;
  return { case: one, score: score.value, unbounded, flagged: score.isPossibleCatfish, sent, country };
}

/** What could not be read as a country is whatever somebody wrote. */
const countryOf = (text: string) => (/^[A-Z]{2}$/.test(text) ? text : null);

/** A case that came out on the wrong side, and why: no value that was sent is in it. */
export interface WrongCase {
  id: string;
  role: 'genuine' | 'not_genuine';
  kind: string;
  subkind: string | null;
  score: number;
  sent: CaseOutcome['sent'];
  steps: EvidenceStep[];
  /** The sentence on the bounds. */
  bounds: string;
}

const SHOWN = 8;

/** The genuine that scored lowest, then the others that scored highest; none that came out as they should. */
export function listWorstOutcomes(outcomes: CaseOutcome[]): CaseOutcome[] {
  const lowest = outcomes.filter(({ case: { role }, score }) => role === 'genuine' && score < 65);
  const highest = outcomes.filter(({ case: { role }, score }) => role === 'not_genuine' && score >= 40);
  return [
    ...lowest.toSorted((a, b) => a.score - b.score).slice(0, SHOWN),
    ...highest.toSorted((a, b) => b.score - a.score).slice(0, SHOWN),
  ];
}

export function toWrongCase(
  { case: { id, role, kind, subkind }, score, sent }: CaseOutcome,
  { steps, bounds }: Pick<WrongCase, 'steps' | 'bounds'>,
): WrongCase {
  const side = role === 'genuine' ? role : 'not_genuine';
  return { id, role: side, kind, subkind, score, sent, steps, bounds };
}
