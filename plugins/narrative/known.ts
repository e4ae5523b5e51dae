// What an observation is made of, and what several of them ask of the facts.
import type { Facts } from 'bonafide/plugin';

export type NarrativeFacts = Pick<Facts, 'intent' | 'score' | 'matches' | 'history'>;

export interface Observation {
  id: string;
  /** Why the score is what it is: `key_factors`. */
  factor?: string;
  /** Speaks against the person: `red_flags`, and in short `risk_factors`. */
  flag?: string;
  risk?: string;
  /** A verified fact in a few words: `positive_signals`. */
  signal?: string;
  /** What would settle it: `recommended_actions`. */
  action?: string;
}

export const isNameMatched = ({ matches }: NarrativeFacts): boolean =>
  matches.name === 'primary' || matches.name === 'secondary';
export const countResolvedContacts = ({ matches: { contacts } }: NarrativeFacts): number =>
  contacts.matched + contacts.different;

/** Most values are somebody else's, but the bearer of the name has some of the contacts: "2 of 3 contacts", and how many only others have. */
export function countSharedContacts(known: NarrativeFacts): { own: string; others: number } | undefined {
  const { name, contacts, of_bearers: own } = known.matches;
  if (name !== 'different' || own === 0) return undefined;
  return { own: `${own} of ${contacts.submitted} contacts`, others: countResolvedContacts(known) - own };
}

/** Every contact that is on record belongs to records without a name, which neither fit the submitted one nor contradict it. */
export const isNameless = (known: NarrativeFacts): boolean =>
  !isNameMatched(known) &&
  countResolvedContacts(known) > 0 &&
  known.matches.nameless === countResolvedContacts(known);
