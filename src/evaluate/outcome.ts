// What became of one case: never what was sent, only how much of what kind.
import type { ContactKind, Verdict } from '../model.ts';
import type { Case } from './case.ts';
import type { Answer } from './figures/tally.ts';

export interface Outcome extends Answer {
  case: Case;
  /** The score before the bounds, 0-100. */
  unbounded: number;
  /** How many contacts of each kind were sent. */
  sent: Record<ContactKind, number>;
  /** The case's own, else that of its first address (ISO, two letters), else null. */
  country: string | null;
  /** Of a call whose caller told how it turned out: when it was (`2026-11`, UTC), and whose. */
  told?: { month: string; account: string };
}

export function outcomeOf(one: Case, { contacts, score }: Verdict): Outcome {
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
