// Observations on how long the identity has been on record.
import {
  type NarrativeFacts,
  countContactsOnRecord,
  isNameMatched,
  type Observation,
  summariseNameHolderAndOtherContacts,
} from '../known.ts';
import { formatTimeAgo } from '../phrases.ts';

/** An identity that was first recorded in this number of days is recent. An identity that was last recorded in it is current. */
const THIN_DAYS = 180;
/** Minimum number of days between the first and the last record for which the answer mentions the history. */
const LONG_DAYS = 730;
/** Number of days between the first and the last record from which the identity is called long-standing. */
const LONG_STANDING_DAYS = 5 * 365;
/** Number of days without a record after which an identity is dormant. */
const DORMANT_DAYS = 3 * 365;

export const IN_USE = 'Ask whether the details are still in use.';

/**
 * True if the identity was first recorded recently and was found by a contact. An identity found by its name alone is not considered, because
 * many people share a name.
 */
export function isRecentIdentity(known: NarrativeFacts): boolean {
  const days = known.history.days_since_first_seen;
  return (
    days !== null &&
    days < THIN_DAYS &&
    known.matches.contacts.matched > 0 &&
    !summariseNameHolderAndOtherContacts(known)
  );
}

export function observeRecentIdentity(known: NarrativeFacts): Observation | undefined {
  const days = known.history.days_since_first_seen;
  if (days === null || !isRecentIdentity(known)) return undefined;
  return {
    id: 'thin',
    flag: `The identity first appears on record ${formatTimeAgo(days)}, which leaves little past to compare with.`,
    risk: 'Short history',
    action: 'Look for a sign of the person from before the records begin.',
  };
}

const isDormant = ({ history: { days_since_contacts_seen: days } }: NarrativeFacts): boolean =>
  days !== null && days > DORMANT_DAYS;

/** True if the person was last seen years ago, or with one of the contacts, or if a phone has passed on to somebody else. */
export const areDetailsDated = (known: NarrativeFacts): boolean =>
  isDormant(known) || known.history.old_contacts + known.history.passed_on > 0;

/** Describes contacts with which the person was last seen years ago; undefined if there are none, or if `observeDormantIdentity` describes all. */
export function observeDatedContacts(known: NarrativeFacts): Observation | undefined {
  const { old_contacts: old, passed_on: passedOn } = known.history;
  if (passedOn > 0)
    return {
      id: 'passed_on',
      factor: 'Somebody else was seen with a phone years after the person, so it may have passed on.',
      action: 'Ask for the phone that the person uses now.',
    };
  if (old === 0 || isDormant(known)) return undefined;
  return {
    id: 'old_contact',
    factor: 'The person was last seen with some of the contacts years before the newest records.',
    action: IN_USE,
  };
}

export function observeDormantIdentity(known: NarrativeFacts): Observation | undefined {
  const { days_since_last_seen: last, days_since_contacts_seen: days } = known.history;
  if (
    days === null ||
    !isDormant(known) ||
    known.matches.contacts.matched === 0 ||
    (!isNameMatched(known) && known.matches.identities > 1) ||
    summariseNameHolderAndOtherContacts(known)
  )
    return undefined;
  const contacts = countContactsOnRecord(known) === 1 ? 'contact' : 'contacts';
  const seen =
    days === last
      ? `The identity${isNameMatched(known) ? '' : ` behind the ${contacts}`} was last seen on record`
      : `The identity was last seen with the ${contacts}`;
  return {
    id: 'dormant',
    factor: `${seen} ${formatTimeAgo(days)}, so the details may have changed hands since.`,
    action: IN_USE,
  };
}

export function observeLongHistory(known: NarrativeFacts): Observation | undefined {
  const { days_since_first_seen: first, days_since_last_seen: last } = known.history;
  if (first === null || last === null || first - last < LONG_DAYS) return undefined;
  if (!isNameMatched(known) || known.matches.contacts.matched === 0) return undefined;
  const current = last <= THIN_DAYS;
  return {
    id: 'history',
    factor: `Records on the identity begin ${formatTimeAgo(first)} and ${current ? 'are current' : `end ${formatTimeAgo(last)}`}.`,
    signal:
      first - last < LONG_STANDING_DAYS
        ? 'History of at least two years'
        : current
          ? 'Long-standing and current identity'
          : 'Long-standing identity',
  };
}
