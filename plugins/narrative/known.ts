// Observations of the narrative, and predicates on the facts that several observations share.
import type { Facts } from 'bonafide/plugin';

export type NarrativeFacts = Pick<Facts, 'intent' | 'score' | 'matches' | 'history'>;

export interface Observation {
  id: string;
  factor?: string;
  /** Finding against the person, listed in `red_flags`. `risk` is its short form, listed in `risk_factors`. */
  flag?: string;
  risk?: string;
  /** Confirmed fact in a few words, listed in `positive_signals`. */
  signal?: string;
  /** Action that settles the question, listed in `recommended_actions`. */
  action?: string;
}

export const isNameMatched = ({ matches }: NarrativeFacts): boolean =>
  matches.name === 'primary' || matches.name === 'secondary';
export const countResolvedContacts = ({ matches: { contacts } }: NarrativeFacts): number =>
  contacts.matched + contacts.different;

/**
 * Counts the contacts of the identity with the name, if most values belong to another identity: `own` as text ("2 of 3 contacts"), `others` as
 * the number of contacts that only other identities have. Undefined otherwise.
 */
export function countSharedContacts(known: NarrativeFacts): { own: string; others: number } | undefined {
  const { name, contacts, of_bearers: own } = known.matches;
  if (name !== 'different' || own === 0) return undefined;
  return { own: `${own} of ${contacts.submitted} contacts`, others: countResolvedContacts(known) - own };
}

/** True if all contacts on record belong to records without a name, so that they say nothing about the submitted name. */
export const hasOnlyNamelessRecords = (known: NarrativeFacts): boolean =>
  !isNameMatched(known) &&
  countResolvedContacts(known) > 0 &&
  known.matches.nameless === countResolvedContacts(known);
