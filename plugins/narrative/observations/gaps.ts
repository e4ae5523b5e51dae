// Observations on missing information in the records.
import {
  findAdviceToRaiseScore,
  canContactRaiseScore,
  type NarrativeFacts,
  type Observation,
  countContactsOnRecord,
} from '../known.ts';
import {
  capitalise,
  formatContactCountOfTotal,
  CONTACT_KINDS,
  joinWords,
  getContactKindPlural,
  describeUnrecordedContacts,
} from '../phrases.ts';

export function observeContactsWithoutName(known: NarrativeFacts): Observation | undefined {
  const { nameless: count, contacts } = known.matches;
  if (count === 0) return undefined;
  const contactsText =
    contacts.submitted === 1
      ? 'The contact'
      : capitalise(formatContactCountOfTotal(count, contacts.submitted));
  const is = count === 1 ? 'is' : 'are';
  return {
    id: 'nameless',
    factor: `${contactsText} ${is} on record without a name, which speaks neither for the submitted name nor against it.`,
    action: 'Ask for a contact that is on record with a name.',
    asksForContact: true,
  };
}

export function observeUnrecordedContacts(known: NarrativeFacts): Observation | undefined {
  const unrecorded = describeUnrecordedContacts(known.matches);
  if (!unrecorded || countContactsOnRecord(known) === 0) return undefined;
  const involved = CONTACT_KINDS.filter((kind) => known.matches[kind].unverified > 0);
  return {
    id: 'unverified',
    factor: `There is no matching record for ${unrecorded}, which neither adds to the score nor takes from it.`,
    action: `Ask for another ${joinWords(involved, 'or')} that the person has used for some time.`,
    asksForContact: true,
  };
}

export function observeSingleContactKind({ matches }: NarrativeFacts): Observation | undefined {
  const sent = CONTACT_KINDS.filter((kind) => matches[kind].submitted > 0);
  const [kind] = sent;
  if (sent.length !== 1 || !kind || matches[kind].matched === 0) return undefined;
  const missing = CONTACT_KINDS.filter((other) => other !== kind);
  return {
    id: 'one_kind',
    factor:
      matches.contacts.submitted === 1
        ? `The ${kind} is the only contact, so the base is narrow.`
        : `All the evidence comes from one kind of contact, ${getContactKindPlural(kind)}, so the base is narrow.`,
    asksForContact: true,
    action: `Add ${joinWords(
      missing.map((other) => (other === 'phone' ? 'a phone' : `an ${other}`)),
      'or',
    )}.`,
  };
}

export function observeNothingOnRecord(known: NarrativeFacts): Observation | undefined {
  const { contacts } = known.matches;
  if (contacts.submitted === 0 || countContactsOnRecord(known) > 0) return undefined;
  return {
    id: 'nothing',
    factor:
      contacts.submitted === 1
        ? 'The one contact that was sent has no record, so it does not tie the name to a person.'
        : 'No contact that was sent has a record, so none of them ties the name to a person.',
    action: 'Run the check again with contacts that have been in use for longer.',
    asksForContact: true,
  };
}

export function observeNoSubmittedContacts({ matches }: NarrativeFacts): Observation | undefined {
  if (matches.contacts.submitted > 0) return undefined;
  return {
    id: 'name_only',
    factor: 'With no contact beside it, a name can be checked for presence in the records and no more.',
    action: 'Add an email, a phone or an address to tie the name to a person.',
    asksForContact: true,
  };
}

/**
 * Returns advice on raising the score to a higher band, if further contacts cannot. `observeNonPersonName` does so for a name of no single person,
 * `observeOtherIdentity` for a contact that is on record for somebody else.
 */
export function observeScoreLimit(known: NarrativeFacts): Observation | undefined {
  const { limits } = known.score;
  const factor = limits.includes('middle_name') ? { factor: OTHER_MIDDLE_NAME } : {};
  const isSettledOtherwise = known.matches.no_person !== null || limits[0] === 'foreign_contact';
  const advice =
    isSettledOtherwise || canContactRaiseScore(known) ? undefined : findAdviceToRaiseScore(known);
  return { id: 'limit', ...factor, ...(advice && { action: advice.action }) };
}

const OTHER_MIDDLE_NAME =
  'A longer form of the name on record has another middle name or initial than the submitted one.';
