// What there is to say about a set of facts. One observation holds its wording for each list that may show it, so that a
// fact is told once per list and never in the same words twice.
import type { Facts } from 'bonafide/plugin';
import { ago, capital, counted, KINDS, list, phrase, plural, span, unrecorded } from './phrases.ts';

export type Known = Pick<Facts, 'intent' | 'score' | 'matches' | 'history'>;

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

/** Days below which a history is thin, from which it is long, and above which a silence is. */
const THIN_DAYS = 180;
const LONG_DAYS = 730;
const DORMANT_DAYS = 3 * 365;

const nameMatched = ({ matches }: Known): boolean =>
  matches.name === 'primary' || matches.name === 'secondary';
const resolved = ({ matches: { contacts } }: Known): number => contacts.matched + contacts.different;

/** Most values are somebody else's, but the bearer of the name has some of the contacts: "2 of 3 contacts", and how many only others have. */
export function shared(known: Known): { own: string; others: number } | undefined {
  const { name, contacts, of_bearers: own } = known.matches;
  if (name !== 'different' || own === 0) return undefined;
  return { own: `${own} of ${contacts.submitted} contacts`, others: resolved(known) - own };
}

/** Every contact that is on record belongs to records without a name, which neither fit the submitted one nor contradict it. */
export const isNameless = (known: Known): boolean =>
  !nameMatched(known) && resolved(known) > 0 && known.matches.nameless === resolved(known);

const theContacts = (known: Known): string => (resolved(known) === 1 ? 'The contact' : 'The contacts');

const missing = (known: Known): string =>
  known.matches.identities > 1
    ? 'No identity behind the contacts has a record of the submitted name.'
    : `The identity behind ${theContacts(known).toLowerCase()} has no record of the submitted name.`;

function catfish(known: Known): Observation | undefined {
  if (!known.score.possible_catfish) return undefined;
  const { identities } = known.matches;
  const split = identities > 1;
  const action = 'Hold the case until fresh contacts have cleared the conflict.';
  if (!split && shared(known))
    return {
      id: 'catfish',
      flag: 'The contacts lead to two people, of whom one bears the name.',
      risk: 'Contacts of two people',
      action,
    };
  return {
    id: 'catfish',
    flag: split
      ? `The contacts are split among ${identities} identities, as one person’s details seldom are.`
      : `${theContacts(known)} ${resolved(known) === 1 ? 'leads' : 'lead'} to someone who does not bear the submitted name.`,
    risk: split
      ? `Contacts split among ${identities} identities`
      : 'Records that lead away from the submitted name',
    action,
  };
}

function otherName(known: Known): Observation | undefined {
  if (nameMatched(known) || shared(known) || isNameless(known)) return undefined;
  if (known.matches.contacts.matched === 0) return undefined;
  const elsewhere = known.matches.name === 'different';
  const action = 'Ask for the full name with former names, and run the check again.';
  // The catfish flag already says that the contacts are not the name's, unless it is about contacts that are split.
  if (known.score.possible_catfish && known.matches.identities < 2) return { id: 'other_name', action };
  return {
    id: 'other_name',
    flag: elsewhere
      ? `The name is on record for a different identity than ${theContacts(known).toLowerCase()}.`
      : missing(known),
    risk: elsewhere
      ? 'Name of a different identity'
      : `Submitted name absent from the records of ${theContacts(known).toLowerCase()}`,
    action,
  };
}

function different(known: Known): Observation | undefined {
  const { matches } = known;
  const part = shared(known);
  if (part) return elsewhere(part, matches.contacts.submitted);
  const found = phrase(matches, 'different');
  // Records without a name do not say that somebody else is meant.
  if (!found || matches.contacts.different <= matches.nameless) return undefined;
  const { text, many } = found;
  const involved = KINDS.filter((kind) => matches[kind].different > 0);
  const one = involved.length === 1 && matches.contacts.different === 1;
  return {
    id: 'different',
    flag: nameMatched(known)
      ? `${capital(text)} ${many ? 'belong' : 'belongs'} to someone else by the records.`
      : `${capital(text)} ${many ? 'belong' : 'belongs'} to someone else than the rest.`,
    risk: `Entries of a different identity: ${text}`,
    action: one
      ? `Ask how the person came by the ${involved[0]} that is on record for someone else.`
      : 'Ask how the person came by the contacts that are on record for someone else.',
  };
}

/** Contacts whose records carry no name: they tell nothing about whose they are. */
function nameless(known: Known): Observation | undefined {
  const { nameless: count, contacts } = known.matches;
  if (count === 0) return undefined;
  const which = contacts.submitted === 1 ? 'The contact' : capital(counted(count, contacts.submitted));
  const is = count === 1 ? 'is' : 'are';
  return {
    id: 'nameless',
    factor: `${which} ${is} on record without a name, which speaks neither for the submitted name nor against it.`,
    action: 'Ask for a contact that is on record under the name.',
  };
}

/** Contacts that only others have than the bearer of the name. */
function elsewhere({ others }: { others: number }, submitted: number): Observation {
  const which = `${others} of ${submitted} contacts`;
  return {
    id: 'different',
    flag: `${which} ${others === 1 ? 'leads' : 'lead'} away from the identity that bears the name.`,
    risk: `On record for someone else only: ${which}`,
    action:
      others === 1
        ? 'Ask how the person came by the contact that is on record for someone else.'
        : 'Ask how the person came by the contacts that are on record for someone else.',
  };
}

/** History is told of an identity that a contact led to; one that shares a name with the person proves nothing. */
export function isThin(known: Known): boolean {
  const days = known.history.days_since_first_seen;
  return days !== null && days < THIN_DAYS && known.matches.contacts.matched > 0 && !shared(known);
}

function thin(known: Known): Observation | undefined {
  const days = known.history.days_since_first_seen;
  if (days === null || !isThin(known)) return undefined;
  return {
    id: 'thin',
    flag: `The identity first appears on record ${ago(days)}, which leaves little past to compare with.`,
    risk: 'Short history',
    action: 'Look for a sign of the person from before the records begin.',
  };
}

function dormant(known: Known): Observation | undefined {
  const days = known.history.days_since_last_seen;
  if (days === null || days <= DORMANT_DAYS || known.matches.contacts.matched === 0 || shared(known))
    return undefined;
  return {
    id: 'dormant',
    factor: `The identity was last seen on record ${ago(days)}, so the details may have changed hands since.`,
    action: 'Ask whether the details are still in use.',
  };
}

function agreement(known: Known): Observation | undefined {
  const { matches } = known;
  const part = shared(known);
  if (part)
    return {
      id: 'agreement',
      factor: `The name is on record, and so ${matches.of_bearers === 1 ? 'is' : 'are'} ${part.own} with it.`,
      signal: `On record under the name: ${part.own}`,
    };
  const found = phrase(matches, 'matched');
  if (!found || !nameMatched(known)) return undefined;
  const involved = KINDS.filter((kind) => matches[kind].matched > 0);
  const resolves = `${capital(found.text)} ${found.many ? 'resolve' : 'resolves'} to the identity that bears the name`;
  const several = involved.length > 1;
  return {
    id: 'agreement',
    factor: several ? `${resolves}, and separate kinds of contact seldom agree by chance.` : `${resolves}.`,
    signal: several
      ? `Agreement across ${list(involved)}`
      : `${capital(found.text)} on record under the name`,
  };
}

function name(known: Known): Observation | undefined {
  const { matches } = known;
  if (matches.contacts.submitted === 0) {
    return nameMatched(known) ? { id: 'name', signal: 'Name on record' } : undefined;
  }
  if (matches.name === 'primary') {
    return {
      id: 'name',
      factor:
        resolved(known) > 0
          ? 'The name is the primary one of the identity.'
          : 'Somebody of this name is on record.',
      signal: resolved(known) > 0 ? 'Primary name on record' : 'Name on record',
    };
  }
  if (matches.name !== 'secondary') return undefined;
  return {
    id: 'name',
    factor: 'The name is on record for the identity, though not as its primary one.',
    signal: 'Name on record as another of the identity’s names',
  };
}

function primary(known: Known): Observation | undefined {
  const found = phrase(known.matches, 'primary');
  if (!found || !nameMatched(known)) return undefined;
  return { id: 'primary', signal: `Listed as primary: ${found.text}` };
}

function history(known: Known): Observation | undefined {
  const { days_since_first_seen: first, days_since_last_seen: last } = known.history;
  if (first === null || last === null || first - last < LONG_DAYS) return undefined;
  if (!nameMatched(known) || known.matches.contacts.matched === 0) return undefined;
  const current = last <= THIN_DAYS;
  return {
    id: 'history',
    factor: `Records on the identity reach back ${span(first)}${current ? ' and are current' : ''}.`,
    signal: current ? 'Long-standing and current identity' : 'Long-standing identity',
  };
}

function unverified(known: Known): Observation | undefined {
  const found = unrecorded(known.matches);
  if (!found || resolved(known) === 0) return undefined;
  const involved = KINDS.filter((kind) => known.matches[kind].unverified > 0);
  return {
    id: 'unverified',
    factor: `There is no matching record for ${found}, which neither adds to the score nor takes from it.`,
    action: `Ask for another ${list(involved, 'or')}, ideally an older one.`,
  };
}

function oneKind({ matches }: Known): Observation | undefined {
  const sent = KINDS.filter((kind) => matches[kind].submitted > 0);
  const [kind] = sent;
  if (sent.length !== 1 || !kind || matches[kind].matched === 0) return undefined;
  const missing = KINDS.filter((other) => other !== kind);
  return {
    id: 'one_kind',
    factor:
      matches.contacts.submitted === 1
        ? `The ${kind} is the only contact, so the base is narrow.`
        : `All the evidence comes from one kind of contact, ${plural(kind)}, so the base is narrow.`,
    action: `Add ${list(
      missing.map((other) => (other === 'phone' ? 'a phone' : `an ${other}`)),
      'or',
    )}.`,
  };
}

function nothing(known: Known): Observation | undefined {
  const { contacts } = known.matches;
  if (contacts.submitted === 0 || resolved(known) > 0) return undefined;
  return {
    id: 'nothing',
    factor:
      contacts.submitted === 1
        ? 'The one contact that was sent has no record, so it does not tie the name to a person.'
        : 'No contact that was sent has a record, so none of them ties the name to a person.',
    action: 'Run the check again with contacts that have been in use for longer.',
  };
}

function nameOnly({ matches }: Known): Observation | undefined {
  if (matches.contacts.submitted > 0) return undefined;
  return {
    id: 'name_only',
    factor: 'With no contact beside it, a name can be checked for presence in the records and no more.',
    action: 'Add an email, a phone or an address to tie the name to a person.',
  };
}

const ALL = [
  catfish,
  otherName,
  different,
  nameless,
  thin,
  dormant,
  agreement,
  name,
  primary,
  history,
  unverified,
  oneKind,
  nothing,
  nameOnly,
];

/** Everything there is to say, strongest first. */
export function observe(known: Known): Observation[] {
  return ALL.map((one) => one(known)).filter((found) => found !== undefined);
}
