// Observations on values that belong to a different identity.
import {
  adviseOnName,
  isAllOfAnother,
  describeOtherIdentities,
  findKindOfOthers,
  hasOnlyNamelessRecords,
  areAllContactsOfNamesakes,
  SCORE_LIMIT_ADVICE,
  NAMESAKE_ADVICE,
  type NarrativeFacts,
  isNameMatched,
  type Observation,
  countContactsOnRecord,
  createForeignContactsPhrase,
  summariseNameHolderAndOtherContacts,
} from '../known.ts';
import { capitalise, CONTACT_KINDS, getContactKindPlural } from '../phrases.ts';

const theContacts = (known: NarrativeFacts): string =>
  countContactsOnRecord(known) === 1 ? 'The contact' : 'The contacts';

/** Several identities may share one contact, so the sentence does not say how many there are. */
const missing = (known: NarrativeFacts): string =>
  areAllContactsOfNamesakes(known)
    ? `${theContacts(known)} ${countContactsOnRecord(known) === 1 ? 'is' : 'are'} on record for another person of the same name.`
    : `No identity behind ${theContacts(known).toLowerCase()} has a record of the submitted name.`;

/** True if the only contact of somebody else is one phone beside the person's own contacts. A phone may be mistyped or passed on. */
const isOnlyPhoneForeign = (known: NarrativeFacts): boolean =>
  isNameMatched(known) &&
  known.matches.contacts.matched > 0 &&
  known.matches.contacts.different === 1 &&
  known.matches.phone.different === 1;

export const REJECT = 'Reject, unless the person can explain whose contacts these are.';
export const HOLD = 'Hold the case until the person has explained whose contacts these are.';
const CONFIRM_PHONE =
  'Confirm with the person first the phone that is on record for somebody else: it may be mistyped or passed on. Hold the case if it stays unexplained.';

export function observeCatfish(known: NarrativeFacts): Observation | undefined {
  if (!known.score.possible_catfish) return undefined;
  const action = isOnlyPhoneForeign(known) ? CONFIRM_PHONE : HOLD;
  if (isAllOfAnother(known))
    return {
      id: 'catfish',
      flag: 'Another identity has all contacts with a record, also those of the person named.',
      risk: 'All contacts on record for another identity',
      action,
    };
  // Several identities may share one contact, so the sentence does not say how many there are.
  const isSplit = known.matches.identities > 1;
  return {
    id: 'catfish',
    flag: isSplit
      ? 'The contacts lead to more than one identity, as one person’s details seldom do.'
      : `${theContacts(known)} ${countContactsOnRecord(known) === 1 ? 'leads' : 'lead'} to someone who does not bear the submitted name.`,
    risk: isSplit ? 'Contacts of more than one identity' : 'Records that lead away from the submitted name',
    action,
  };
}

export function observeNameMismatch(known: NarrativeFacts): Observation | undefined {
  if (isNameMatched(known) || summariseNameHolderAndOtherContacts(known) || hasOnlyNamelessRecords(known))
    return undefined;
  if (known.matches.contacts.matched === 0) return undefined;
  const elsewhere = known.matches.name === 'different';
  // `observeNonPersonName` asks for the name of a person.
  if (known.matches.no_person !== null && !elsewhere) return undefined;
  const isNamesake = known.matches.namesakes > 0;
  const { action } = isNamesake
    ? NAMESAKE_ADVICE
    : elsewhere
      ? SCORE_LIMIT_ADVICE.own_contact
      : adviseOnName(known);
  const asksForContact = elsewhere && !isNamesake;
  // The catfish flag already reports that the contacts and the name differ, unless the contacts belong to several identities.
  if (known.score.possible_catfish && known.matches.identities < 2)
    return { id: 'other_name', action, asksForContact };
  // The holder of a longer name may be the person.
  if (known.matches.name_part === 'part' && !elsewhere)
    return {
      id: 'other_name',
      factor: `A name behind ${theContacts(known).toLowerCase()} is longer than the submitted one.`,
      action,
    };
  return {
    id: 'other_name',
    asksForContact,
    flag: elsewhere
      ? `The name is on record for a different identity than ${theContacts(known).toLowerCase()}.`
      : missing(known),
    risk: elsewhere
      ? 'Name of a different identity'
      : areAllContactsOfNamesakes(known)
        ? 'Contacts of another person of the same name'
        : `Submitted name absent from the records of ${theContacts(known).toLowerCase()}`,
    action,
  };
}

export function observeOtherIdentity(known: NarrativeFacts): Observation | undefined {
  const { matches } = known;
  const part = summariseNameHolderAndOtherContacts(known);
  if (part) return describeOtherContacts(part, known);
  const differentContacts = createForeignContactsPhrase(known);
  // A record without a name is no evidence of a different person.
  if (!differentContacts || matches.contacts.different <= matches.nameless) return undefined;
  const { text, many } = differentContacts;
  const involved = CONTACT_KINDS.filter((kind) => matches[kind].different > 0);
  // If another contact belongs to a partner or to a record without a name, the facts do not tell which kind of contact is somebody else's.
  const single = matches.contacts.different === 1 ? involved[0] : 'contact';
  const kind = findKindOfOthers(known);
  if (kind !== null)
    return {
      id: 'different',
      factor: `${capitalise(text)} ${many ? 'are' : 'is'} on record for ${describeOtherIdentities(known)}.`,
      action: ASK_ABOUT_OTHERS[kind],
    };
  const finding = isNameMatched(known)
    ? `${capitalise(text)} ${many ? 'are' : 'is'} on record for ${describeOtherIdentities(known)}`
    : `${capitalise(text)} ${many ? 'lead' : 'leads'} to ${describeOtherIdentities(known)} than the other ${matches.contacts.matched === 1 ? 'contact' : 'contacts'}`;
  return {
    id: 'different',
    ...flagOrFactor(matches, finding, `Entries of ${describeOtherIdentities(known)}: ${text}`),
    // Beside the flag, `observeCatfish` asks to confirm the phone.
    ...(known.score.possible_catfish && isOnlyPhoneForeign(known) && matches.namesakes === 0
      ? {}
      : {
          action: adviseToConfirm(many ? 'contacts that are' : `${single} that is`, matches),
        }),
  };
}

/** Advice on contacts of others that are no sign against the person. */
const ASK_ABOUT_OTHERS = {
  same_name: 'Ask whether all contacts are this person’s: two identities have the name.',
  household: 'Ask whose the contacts of the other person are: it may be a relative’s household.',
};

/** Returns a finding as a red flag; as a factor, if other people share the contacts, or only their addresses were sent. */
function flagOrFactor(
  { others_own: othersOwn, namesakes }: NarrativeFacts['matches'],
  finding: string,
  risk: string,
): Pick<Observation, 'factor' | 'flag' | 'risk'> {
  return othersOwn + namesakes > 0
    ? { flag: `${finding}.`, risk }
    : { factor: `${finding}, which is common for addresses and shared contacts.` };
}

/** Describes the submitted contacts that the identity with the submitted name does not have. */
function describeOtherContacts({ others }: { others: number }, known: NarrativeFacts): Observation {
  const { matches } = known;
  const kind = findKindOfOthers(known);
  const contactsText = `${others} of ${matches.contacts.submitted} contacts`;
  if (kind !== null)
    return {
      id: 'different',
      factor: `${contactsText} ${others === 1 ? 'is' : 'are'} on record for ${describeOtherIdentities(known)}.`,
      action: ASK_ABOUT_OTHERS[kind],
    };
  const finding = `${contactsText} ${others === 1 ? 'leads' : 'lead'} away from the identity ${matches.name_agreement === 'similar' ? 'with a similar name' : 'that bears the name'}`;
  return {
    id: 'different',
    ...flagOrFactor(matches, finding, `On record for someone else only: ${contactsText}`),
    action: adviseToConfirm(others === 1 ? 'contact that is' : 'contacts that are', matches),
  };
}

/** Returns the advice on contacts of somebody else. A contact cannot tell which of two people of one name this is. */
const adviseToConfirm = (contacts: string, { namesakes }: NarrativeFacts['matches']): string =>
  namesakes > 0
    ? NAMESAKE_ADVICE.action
    : `Confirm with the person, through another channel, the ${contacts} on record for someone else.`;

const NO_PERSON: Record<NonNullable<NarrativeFacts['matches']['no_person']>, Observation> = {
  company: {
    id: 'no_person',
    factor: 'The name is that of a company or department, so no person was checked.',
    action: 'Ask who acts in this name, and check that person by name with contacts of their own.',
  },
  couple: {
    id: 'no_person',
    factor: 'The name is that of two people, so no single person was checked.',
    action: 'Check each of the two people by name, with contacts of their own.',
  },
  family: {
    id: 'no_person',
    factor: 'The name is that of a family or an estate, so no single person was checked.',
    action: 'Ask which person it is, and check that person by name.',
  },
  relation: {
    id: 'no_person',
    factor: 'The name only describes a relative of somebody, so no person was checked by name.',
    action: 'Ask for the person’s own name, and run the check again.',
  },
};

/** Describes a name that is not the name of one person; undefined for the name of a person. */
export function observeNonPersonName({ matches }: NarrativeFacts): Observation | undefined {
  return matches.no_person === null ? undefined : NO_PERSON[matches.no_person];
}

type Disguise = NarrativeFacts['matches']['disguises'][number];

/** Findings on imitated values. The flag begins with a contact, which `observeDisguisedValues` adds: "The email", or "One of the emails". */
const DISGUISES: Record<Disguise, Required<Pick<Observation, 'flag' | 'risk' | 'action'>>> = {
  similar_email: {
    flag: 'only resembles that of a person of this name.',
    risk: 'An email that only resembles another one',
    action: 'Ask for the email letter by letter, and send a message that only its owner can answer.',
  },
  look_alike_letters: {
    flag: 'Some letters only look like others, such as vv for w, or a letter of another script.',
    risk: 'Letters that only look alike',
    action: 'Ask for the values that were sent letter by letter, and run the check again.',
  },
  similar_provider: {
    flag: 'has a domain that only resembles that of a large provider.',
    risk: 'An email domain that resembles a large provider',
    action: 'Ask for the email letter by letter: its domain resembles that of a large provider.',
  },
  impossible_number: {
    flag: 'is no number that a subscriber can have.',
    risk: 'A phone that cannot exist',
    action: 'Ask for a phone that can be called.',
  },
};

/** Describes values that imitate other values, or cannot exist; undefined if there are none. */
export function observeDisguisedValues({ matches }: NarrativeFacts): Observation | undefined {
  const [first] = matches.disguises;
  if (!first) return undefined;
  const { flag, ...rest } = DISGUISES[first];
  if (first === 'look_alike_letters') return { id: 'disguise', flag, ...rest };
  const kind = first === 'impossible_number' ? 'phone' : 'email';
  const contact = matches[kind].submitted > 1 ? `One of the ${getContactKindPlural(kind)}` : `The ${kind}`;
  return { id: 'disguise', flag: `${contact} ${flag}`, ...rest };
}
