// Observation (one finding of the narrative), and predicates on the facts that several observations use.
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

/** Returns a phrase for the identities that have the contacts of somebody else: "a different identity" or "different identities". */
export const describeOtherIdentities = ({ matches: { contacts, identities } }: NarrativeFacts): string =>
  identities - Math.min(1, contacts.matched) > 1 ? 'different identities' : 'a different identity';

/**
 * Counts the contacts on record if the submitted name and most submitted values belong to different identities. `own`: contacts of the
 * identity with the submitted name, as text ("2 of 3 contacts"). `others`: number of contacts that only other identities have. Undefined in
 * all other cases.
 */
export function countSeparateNameHolderContacts(
  known: NarrativeFacts,
): { own: string; others: number } | undefined {
  const { name, contacts, of_bearers: own } = known.matches;
  if (name !== 'different' || own === 0) return undefined;
  return { own: `${own} of ${contacts.submitted} contacts`, others: countResolvedContacts(known) - own };
}

/** True if no contact on record belongs to a record with a name. The contacts then say nothing about the submitted name. */
export const hasOnlyNamelessRecords = (known: NarrativeFacts): boolean =>
  !isNameMatched(known) &&
  countResolvedContacts(known) > 0 &&
  known.matches.nameless === countResolvedContacts(known);
