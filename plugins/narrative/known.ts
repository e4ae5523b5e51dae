// Observations of the narrative, and predicates on the facts that several observations share.
import type { Facts } from 'bonafide/plugin';

export type NarrativeFacts = Pick<Facts, 'intent' | 'score' | 'matches' | 'history'>;

export interface Observation {
  id: string;
  factor?: string;
  /** Finding against the person, which `red_flags` lists; `risk` is its short form, which `risk_factors` lists. */
  flag?: string;
  risk?: string;
  /** Verified fact in a few words, which `positive_signals` lists. */
  signal?: string;
  /** Action that would settle the observation, listed in `recommended_actions`. */
  action?: string;
}

export const isNameMatched = ({ matches }: NarrativeFacts): boolean =>
  matches.name === 'primary' || matches.name === 'secondary';
export const countResolvedContacts = ({ matches: { contacts } }: NarrativeFacts): number =>
  contacts.matched + contacts.different;

/**
 * Returns the contacts that the identity of the name shares with other identities, if most values belong to another identity: `own` as text
 * ("2 of 3 contacts"), `others` as the number of contacts that only other identities have. Undefined if there are none.
 */
export function countSharedContacts(known: NarrativeFacts): { own: string; others: number } | undefined {
  const { name, contacts, of_bearers: own } = known.matches;
  if (name !== 'different' || own === 0) return undefined;
  return { own: `${own} of ${contacts.submitted} contacts`, others: countResolvedContacts(known) - own };
}

/** True if all resolved contacts belong to records without a name, which neither confirm nor contradict the submitted name. */
export const isNameless = (known: NarrativeFacts): boolean =>
  !isNameMatched(known) &&
  countResolvedContacts(known) > 0 &&
  known.matches.nameless === countResolvedContacts(known);
