// Observation (one finding of the narrative), and predicates on the facts that several observations use.
import type { Facts } from 'bonafide/plugin';
import {
  createContactsPhrase,
  formatContactCountOfTotal,
  hasPartnerContacts,
  type NounPhrase,
} from './phrases.ts';

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
  /** True if the action asks for a further contact. It is left out if no contact can raise the score to a higher band. */
  asksForContact?: boolean;
}

export const isNameMatched = ({ matches }: NarrativeFacts): boolean =>
  matches.name === 'primary' || matches.name === 'secondary';
/**
 * Counts the contacts of somebody else, if the name is matched: contacts on record for another identity that has a name, and is not the
 * second person of a couple's name.
 */
export const countForeignContacts = ({ matches }: NarrativeFacts): number =>
  countContactsOnRecord({ matches }) - matches.of_bearers - matches.nameless;
export const countContactsOnRecord = ({ matches: { contacts } }: Pick<NarrativeFacts, 'matches'>): number =>
  contacts.matched + contacts.different;

/**
 * Creates a phrase for the contacts of somebody else; undefined if there are none. The facts do not tell which contacts of a kind lack a name
 * or are a partner's, so beside such contacts the phrase has only their number.
 */
export function createForeignContactsPhrase(known: NarrativeFacts): NounPhrase | undefined {
  const { contacts } = known.matches;
  const count = countForeignContacts(known);
  if (!isNameMatched(known) || count === contacts.different)
    return createContactsPhrase(known.matches, 'different');
  return count > 0
    ? { text: formatContactCountOfTotal(count, contacts.submitted), many: count > 1 }
    : undefined;
}

const OTHERS = {
  same_name: ['another identity of this name', 'other identities of this name'],
  household: [
    'somebody who may be a relative or share the home',
    'people who may be relatives or share the home',
  ],
} as const;

/** Returns who has all contacts of others: identities of the same name, or possible relatives; null for anybody else. */
export function findKindOfOthers(known: NarrativeFacts): keyof typeof OTHERS | null {
  const { same_name: sameName, household, name, namesakes, of_bearers: own } = known.matches;
  if (name === 'unverified' || own === 0 || namesakes > 0) return null;
  const foreign = countForeignContacts(known);
  if (foreign === 0) return null;
  if (sameName === foreign) return 'same_name';
  return household === foreign ? 'household' : null;
}

/**
 * Returns a phrase for the identities that have the contacts of somebody else: "a different identity" or "different identities". If the name is
 * matched, it leaves out the second person of a couple's name and a record without a name, as `countForeignContacts` does.
 */
export function describeOtherIdentities(known: NarrativeFacts): string {
  const { contacts, identities, nameless } = known.matches;
  const kind = findKindOfOthers(known);
  const others = identities - Math.min(1, contacts.matched);
  const [count, foreign] = isNameMatched(known)
    ? [
        countForeignContacts(known),
        others - Number(hasPartnerContacts(known.matches)) - Math.min(1, nameless),
      ]
    : [contacts.different, others];
  const [one, several] =
    kind === null ? (['a different identity', 'different identities'] as const) : OTHERS[kind];
  return count > 1 && foreign > 1 ? several : one;
}

/**
 * Counts the contacts on record if the submitted name and most submitted values belong to different identities. `own`: contacts of the
 * identity with the submitted name, as text ("2 of 3 contacts"). `others`: number of contacts that only other identities have. Undefined in
 * all other cases.
 */
export function summariseNameHolderAndOtherContacts(
  known: NarrativeFacts,
): { own: string; others: number } | undefined {
  const { name, contacts, of_bearers: own } = known.matches;
  if (name !== 'different' || own === 0) return undefined;
  return { own: `${own} of ${contacts.submitted} contacts`, others: countContactsOnRecord(known) - own };
}

/** Limits of the score that a further contact of the person can lift. */
const LIFTED_BY_CONTACT: readonly Limit[] = ['own_contact', 'unshared_contact', 'other_kind'];
type Limit = Facts['score']['limits'][number];

/** True if a further contact of the person can raise the score to a higher band. */
export function canContactRaiseScore({ score: { limits } }: NarrativeFacts): boolean {
  if (limits.includes('person')) return false;
  return limits.length === 0 || limits.some((limit) => LIFTED_BY_CONTACT.includes(limit));
}

/** Advice that names what can raise the score to a higher band: as a reviewer's next step, and for the reader. One answer may have both. */
interface LimitAdvice {
  action: string;
  tip: string;
}

/** Returns the advice on the lowest upper bound of the score; undefined if no bound keeps it below the next band. */
export function findAdviceToRaiseScore(known: NarrativeFacts): LimitAdvice | undefined {
  if (known.matches.namesakes > 0 && known.matches.no_person === null) return NAMESAKE_ADVICE;
  const [first] = known.score.limits.includes('person') ? ['person' as const] : known.score.limits;
  if (first === undefined) return undefined;
  return first === 'name' ? adviseOnName(known) : SCORE_LIMIT_ADVICE[first];
}

/**
 * Returns the advice for a name that no identity with the contacts has. A former name does not help if the holder may be a relative or has no name, or
 * if only addresses and shared contacts are on record.
 */
export function adviseOnName(known: NarrativeFacts): LimitAdvice {
  const { name_part: part, others_own: othersOwn } = known.matches;
  if (part === 'family' || part === 'patronymic' || part === 'suffix') return RELATIVE_ADVICE;
  if (part === 'nameless') return SCORE_LIMIT_ADVICE.own_contact;
  if (countContactsOnRecord(known) === 0) return NOBODY_ADVICE;
  if (isNameMatched(known) && countForeignContacts(known) === 0) return WHOLE_NAME_ADVICE;
  return part === null && othersOwn === 0 ? SHARED_ADVICE : SCORE_LIMIT_ADVICE.name;
}

export const SCORE_LIMIT_ADVICE: Record<Limit, LimitAdvice> = {
  person: {
    action: 'Ask for the name of one person, and check that person with contacts of their own.',
    tip: 'Find out which one person you are dealing with.',
  },
  name: {
    action: 'Ask for the full name with former names, and run the check again.',
    tip: 'Have the person tell you the full name, and any earlier one.',
  },
  middle_name: {
    action: 'Ask for the name as documents have it: a record has another middle name or initial.',
    tip: 'Have the person show you the name in a document.',
  },
  own_contact: {
    action: 'Ask for an email or a phone that the person has used for some time, and run the check again.',
    tip: 'Have the person give you an email or a phone of long standing.',
  },
  unshared_contact: {
    action: 'Ask for an email or a phone that only this person uses, and run the check again.',
    tip: 'Have the person give you an email or a phone that nobody else uses.',
  },
  other_kind: {
    action: 'Ask for a contact of another kind, and run the check again.',
    tip: 'Have the person give you a contact of another kind.',
  },
  foreign_contact: {
    action:
      'Confirm with the person, through another channel, the contact that is on record for someone else.',
    tip: 'Have the person explain the contact that is on record for someone else.',
  },
};

export const NAMESAKE_ADVICE: LimitAdvice = {
  action:
    'Ask for a document with the full name and the birth date: it shows which of the people of this name this is.',
  tip: 'Have the person show you a document with the full name and the birth date.',
};

export const RELATIVE_ADVICE: LimitAdvice = {
  action: 'Ask whose contacts these are: the person may be a relative of the holder.',
  tip: 'Have the person tell you whose contacts these are.',
};

const WHOLE_NAME_ADVICE: LimitAdvice = {
  action: 'Ask for the whole name as a document has it, and run the check again.',
  tip: 'Have the person tell you the whole name.',
};

const SHARED_ADVICE: LimitAdvice = {
  action: 'Ask how long the person has used these details: others are on record with them.',
  tip: 'Have the person tell you how long these details have been theirs.',
};

const NOBODY_ADVICE: LimitAdvice = {
  action:
    'Ask for former names, or for a document that shows who the person is: the records do not have this name.',
  tip: 'Have the person show you a document, or tell you any earlier name.',
};

/** True if no contact on record belongs to a record with a name. The contacts then say nothing about the submitted name. */
export const hasOnlyNamelessRecords = (known: NarrativeFacts): boolean =>
  !isNameMatched(known) &&
  countContactsOnRecord(known) > 0 &&
  known.matches.nameless === countContactsOnRecord(known);

/** True if an identity without the submitted name has all contacts, also those of the identity with the name. */
export const isAllOfAnother = ({ matches }: NarrativeFacts): boolean =>
  matches.other_has_all && matches.of_bearers > 0;

/** True if each contact on record belongs to another person of the submitted name, whom a suffix or birth date distinguishes. */
export const areAllContactsOfNamesakes = (known: NarrativeFacts): boolean =>
  known.matches.namesakes > 0 && known.matches.namesakes === countContactsOnRecord(known);
