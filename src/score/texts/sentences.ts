// Every sentence of a verdict, by its code. A template takes exactly the facts that the sentence claims, and nothing that was submitted.
import type { DisguisedValueSign, NonPersonNameType, SharedNamePart } from '../../model.ts';
import { OLD_PHONE_YEARS } from '../weights.ts';
import {
  ASK_FOR_OWN_CONTACT,
  NAME_FORMS,
  type NameForm,
  NON_PERSON_NAME_DESCRIPTIONS,
  OTHER_SUFFIX,
  PARTIAL_NAME_DESCRIPTIONS,
  QUESTIONS_BY_PART,
  WHY_NAME_UNKNOWN,
} from './names.ts';
import {
  type ContactFact,
  getNumberOfContact,
  formatContactLabel,
  formatCapitalisedContactLabel,
  capitalise,
  chooseSingularOrPlural,
  formatCountOfNoun,
  formatCountOfOthers,
  formatNumberWithCommas,
  formatAnotherIdentity,
  formatContactsOfOthers,
  type OtherContactFacts,
  formatNumberOfContacts,
} from './phrases.ts';

const WHOM_TO_CHECK: Record<NonPersonNameType, string> = {
  company: 'the person who acts in this name',
  couple: 'each of them',
  family: 'the person',
  relation: 'the person',
};

/** Signs of a disguised contact that have a sentence here. The sentence for `similar_email` is `contact_look_alike`. */
type NamedDisguise = Exclude<DisguisedValueSign, 'similar_email'>;

const DISGUISES: Record<NamedDisguise, string> = {
  look_alike_letters:
    'has letters that only look like others, such as vv for w, or a letter of another script.',
  similar_provider: 'has a domain that only resembles that of a large provider.',
  impossible_number: 'is no number that a subscriber can have.',
};

/** Number of contacts that are not on record, and the first of them. */
type UnknownContactFacts = ContactFact & { unknown: number };

const formatUnknownContacts = ({ unknown, ...first }: UnknownContactFacts) =>
  unknown === 1
    ? `${formatCapitalisedContactLabel(first)} has`
    : `${formatCountOfNoun(unknown, 'contact')} have`;

/** Templates for the sentences in `message`, `summary`, `insights` and `explanation`. */
const SENTENCE_TEMPLATES = {
  name_absent: () => 'The name does not appear in the identity graph.',
  name_present: () => 'The name appears in the identity graph.',
  no_record: ({ contacts }: { contacts: number }) =>
    contacts === 1
      ? 'The contact has no matching record in the identity graph.'
      : `${contacts === 2 ? 'Neither contact' : `None of the ${contacts} contacts`} has a matching record in the identity graph.`,
  own_contacts_of_initial: ({
    own,
    contacts,
    isOnRecord,
  }: {
    own: number;
    contacts: number;
    isOnRecord: boolean;
  }) =>
    isOnRecord
      ? `${capitalise(formatNumberOfContacts(own, contacts))} ${chooseSingularOrPlural(own, 'belongs', 'belong')} to an identity whose name has only an initial for a word of the submitted name.`
      : `${capitalise(formatNumberOfContacts(own, contacts))} ${chooseSingularOrPlural(own, 'belongs', 'belong')} to an identity whose name fits, but the submitted name has only an initial for one of its words.`,
  own_contacts: ({
    own,
    contacts,
    sort,
  }: {
    own: number;
    contacts: number;
    sort: NonPersonNameType | null;
  }) =>
    `The name and ${formatNumberOfContacts(own, contacts)} belong to one identity${sort ? `, but the name ${NON_PERSON_NAME_DESCRIPTIONS[sort]}` : ''}.`,
  own_and_other_contacts: (facts: OtherContactFacts & { own: number; contacts: number }) =>
    `The name and ${formatNumberOfContacts(facts.own, facts.contacts)} belong to one identity${formatContactsOfOthers(facts)}.`,
  own_among_all_of_other: ({ own, all, contacts }: { own: number; all: number; contacts: number }) =>
    `${capitalise(formatNumberOfContacts(all, contacts))} belong to an identity that does not have this name; ${own === all ? 'all' : own} of them ${chooseSingularOrPlural(own, 'belongs', 'belong')} to the person named as well.`,
  couple_contacts: (facts: { own: number; others: number; contacts: number }) => {
    const own = `${capitalise(formatNumberOfContacts(facts.own, facts.contacts))} ${chooseSingularOrPlural(facts.own, 'belongs', 'belong')} to the people named, or to one of them`;
    return facts.others === 0
      ? `${own}.`
      : `${own}; ${formatCountOfNoun(facts.others, 'contact')} ${chooseSingularOrPlural(facts.others, 'belongs', 'belong')} to somebody else.`;
  },
  other_contacts: ({ contacts, ...facts }: OtherContactFacts & { contacts: number }) => {
    const { others, nameless, identities, isSameName } = facts;
    const named = others - nameless;
    if (named === 0)
      return `The name is on record, but ${formatNumberOfContacts(others, contacts)} ${chooseSingularOrPlural(others, 'belongs', 'belong')} to a record without a name.`;
    return `The name is on record, but ${formatNumberOfContacts(named, contacts)} ${chooseSingularOrPlural(named, 'belongs', 'belong')} to ${formatAnotherIdentity(identities, isSameName)}${formatContactsOfOthers({ ...facts, others: nameless })}.`;
  },
  partial_name: ({
    part,
    own,
    contacts,
    countsAsSame,
    ...rest
  }: OtherContactFacts & {
    part: SharedNamePart;
    own: number;
    contacts: number;
    /** True if the name counts as that of the identity, because of the contacts. */
    countsAsSame: boolean;
  }) =>
    `${capitalise(formatNumberOfContacts(own, contacts))} ${chooseSingularOrPlural(own, 'belongs', 'belong')} to an identity ${PARTIAL_NAME_DESCRIPTIONS[part]}${countsAsSame ? '; because of its contacts it counts as the person named' : ''}${formatContactsOfOthers(rest)}.`,
  other_name: ({ contacts, ...facts }: OtherContactFacts & { contacts: number }) => {
    const { others, nameless, identities } = facts;
    const named = others - nameless;
    if (named === 0)
      return `${capitalise(formatNumberOfContacts(others, contacts))} ${chooseSingularOrPlural(others, 'belongs', 'belong')} to a record without a name.`;
    return `${capitalise(formatNumberOfContacts(named, contacts))} ${chooseSingularOrPlural(named, 'belongs', 'belong')} to ${chooseSingularOrPlural(identities, 'an identity that does', 'identities that do')} not have this name${formatContactsOfOthers({ ...facts, others: nameless })}.`;
  },
  shared_contacts_of_others: ({
    others,
    contacts,
    sharers,
    isNameOnRecord,
  }: {
    others: number;
    contacts: number;
    sharers: { least: number; greatest: number };
    isNameOnRecord: boolean;
  }) => {
    const each =
      others === 1
        ? `${formatNumberOfContacts(others, contacts)} belongs`
        : others === contacts
          ? 'each contact belongs'
          : `each of ${others} contacts belongs`;
    const { least, greatest } = sharers;
    const number = `${least < greatest ? 'at least ' : ''}${formatNumberWithCommas(least)}`;
    return isNameOnRecord
      ? `The name is on record, but ${each} to ${number} other identities.`
      : `${capitalise(each)} to ${number} identities, ${number === '2' ? 'neither' : 'none'} of which has this name.`;
  },
  check_contacts: ({ contacts }: { contacts: number }) =>
    `Check who is really behind ${chooseSingularOrPlural(contacts, 'this contact', 'these contacts')} before you rely on the name.`,
  ask_for_person: () => 'Ask for the name of one person.',
  ask_by_part: ({ part }: { part: SharedNamePart }) => QUESTIONS_BY_PART[part],
  ask_whose: ({ others }: { others: number }) =>
    `Ask whose ${chooseSingularOrPlural(others, 'the other contact is', 'the other contacts are')}.`,
  ask_letter_by_letter: () => 'Ask for the name letter by letter.',
  ask_for_whole_given_name: () => 'Ask for the whole given name.',
  ask_for_other_kind: () => 'Ask for a contact of another kind.',
  ask_for_older_contact: () =>
    'This is no sign against the person: ask for a contact that has been in use for longer.',
  ask_for_own_contact: () => ASK_FOR_OWN_CONTACT,
  some_unknown: (facts: UnknownContactFacts) =>
    `${formatUnknownContacts(facts)} no matching record, which counts neither for nor against the person.`,
  identity_years: ({ years }: { years: number }) =>
    `The identity's records span ${formatCountOfNoun(years, 'year')}.`,
  contacts_split: ({ people, isLeast }: { people: number | null; isLeast: boolean }) =>
    `The contacts are split among ${people === null ? 'several' : `${isLeast ? 'at least ' : ''}${people}`} people.`,
  contacts_of_one: ({ identity }: { identity: number }) =>
    `Identity ${identity}, which does not have this name, has all contacts with a record.`,
  contacts_elsewhere: ({ others }: { others: number }) =>
    `${chooseSingularOrPlural(others, 'The contact points', 'The contacts point')} to somebody other than the person named.`,
  name_unknown: ({ part, contacts }: { part: SharedNamePart; contacts: number }) =>
    WHY_NAME_UNKNOWN[part].replace('#', chooseSingularOrPlural(contacts, 'the contact', 'the contacts')),
  name_of_no_contact: ({ contacts }: { contacts: number }) =>
    `No identity with ${chooseSingularOrPlural(contacts, 'this contact', 'these contacts')} has this name.`,
  name_without_record: () => 'The name has no matching record.',
  name_minority: ({ identity, isNameless }: { identity: number | null; isNameless: boolean }) =>
    isNameless
      ? `The name belongs to identity ${identity}; most contacts have a record without a name.`
      : `Most values belong to another identity than the one with this name (${identity}).`,
  name_elsewhere: ({ identity }: { identity: number | null }) => `The name belongs to identity ${identity}.`,
  name_form: ({ form }: { form: NameForm | null }) =>
    form === null ? 'The name matches in another form.' : NAME_FORMS[form],
  name_other_word: () =>
    'A longer form of the name on record has another middle name or initial than the submitted one: it may have changed, or the name may be that of another person.',
  name_secondary: () => "The name is one of the identity's other names.",
  name_common: ({ nameHolders }: { nameHolders: number }) =>
    `The name is common here: ${formatCountOfNoun(nameHolders, 'identity')} have it.`,
  contact_elsewhere: ({
    identity,
    others,
    ...contact
  }: ContactFact & { identity: number | null; others: number }) =>
    `${formatCapitalisedContactLabel(contact)} resolves to a different identity (${identity})${others > 0 ? ` and ${formatCountOfOthers(others)}` : ''}.`,
  contact_same_given: (contact: ContactFact) =>
    `${formatCapitalisedContactLabel(contact)} counts less against the person, because its holder has the same given name: the family name may have changed.`,
  contact_nameless: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `The record of ${formatContactLabel(contact)} has no name (identity ${identity}), so it does not tell whose it is.`,
  contact_of_partner: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${formatCapitalisedContactLabel(contact)} belongs to the other person named (identity ${identity}).`,
  contact_also_own: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${formatCapitalisedContactLabel(contact)} is also on record for the identity with this name (${identity}).`,
  contact_household: ({
    identity,
    isParentOrChild,
    isOfOtherName,
    ...contact
  }: ContactFact & { identity: number | null; isParentOrChild: boolean; isOfOtherName: boolean }) =>
    isParentOrChild
      ? `${formatCapitalisedContactLabel(contact)} is on record for a possible parent or child (identity ${identity}).`
      : isOfOtherName
        ? `${formatCapitalisedContactLabel(contact)} is on record for somebody with the family name of another name of the person (identity ${identity}), who may be a relative.`
        : `${formatCapitalisedContactLabel(contact)} is on record for somebody of the same family name (identity ${identity}), who may be a relative.`,
  contact_home: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${formatCapitalisedContactLabel(contact)} is on record for somebody whose address on record is the same (identity ${identity}).`,
  address_of_family: (contact: ContactFact) =>
    `${formatCapitalisedContactLabel(contact)} is on record for somebody of the same family name, who may be a relative.`,
  contact_namesake: ({
    identity,
    hasOtherSuffix,
    ...contact
  }: ContactFact & { identity: number; hasOtherSuffix: boolean }) =>
    `${formatCapitalisedContactLabel(contact)} belongs to another person${hasOtherSuffix ? '' : ' of the same name'} (identity ${identity}), ${hasOtherSuffix ? OTHER_SUFFIX : 'whom a birth date or suffix tells apart'}.`,
  contact_same_name: ({
    identity,
    hasInitial,
    ...contact
  }: ContactFact & { identity: number | null; hasInitial: boolean }) =>
    hasInitial
      ? `${formatCapitalisedContactLabel(contact)} belongs to another identity that the initial fits (${identity}): ask for the whole given name.`
      : `${formatCapitalisedContactLabel(contact)} belongs to another identity with this name (${identity}); the records do not tell whether both are one person.`,
  phone_old: ({ years, ...contact }: ContactFact & { years: number }) =>
    `${formatCapitalisedContactLabel(contact)} was last seen on record ${formatCountOfNoun(years, 'year')} before the newest record; numbers are given to new subscribers.`,
  contact_old: ({ years, ...contact }: ContactFact & { years: number }) =>
    `${formatCapitalisedContactLabel(contact)} was last seen with the person of this name ${formatCountOfNoun(years, 'year')} before the newest record.`,
  phone_passed_on: ({ years, ...contact }: ContactFact & { years: number }) =>
    `${formatCapitalisedContactLabel(contact)} was seen with somebody else ${formatCountOfNoun(years, 'year')} after it was last seen with the person of this name; numbers are given to new subscribers.`,
  name_no_person: ({ sort }: { sort: NonPersonNameType }) =>
    `The name ${NON_PERSON_NAME_DESCRIPTIONS[sort]}. Check ${WHOM_TO_CHECK[sort]} by their own name.`,
  contact_shared: ({ share, ...contact }: ContactFact & { share: number }) =>
    `${formatCapitalisedContactLabel(contact)} is shared by ${formatCountOfNoun(share, 'identity')}, so it counts less than an unshared one.`,
  contact_misspelt: (contact: ContactFact) =>
    `${formatCapitalisedContactLabel(contact)} is spelt differently on record.`,
  name_mixed_scripts: () => 'A word of the name mixes letters of two scripts that look alike.',
  contact_disguised: ({ disguise, ...contact }: ContactFact & { disguise: NamedDisguise }) =>
    `${formatCapitalisedContactLabel(contact)} ${DISGUISES[disguise]}`,
  contact_look_alike: (contact: ContactFact) =>
    `A very similar e-mail is on record for a person of this name, but not ${getNumberOfContact(contact) === 0 ? 'the one that was sent' : `${formatContactLabel(contact)} as it was sent`}.`,
  phone_foreign: (contact: ContactFact) =>
    `${formatCapitalisedContactLabel(contact)} was read as a number in the country of a submitted address.`,
  phone_extension: (contact: ContactFact) =>
    `${formatCapitalisedContactLabel(contact)} was sent with an extension, which is not part of the number.`,
  values_unknown: (facts: UnknownContactFacts) => `${formatUnknownContacts(facts)} no matching record.`,
  history: ({
    identity,
    years,
    yearsUnseen,
  }: {
    identity: number | null;
    years: number;
    yearsUnseen: number;
  }) =>
    `The records of identity ${identity} span ${years >= 1 ? formatCountOfNoun(years, 'year') : 'less than a year'}${yearsUnseen >= OLD_PHONE_YEARS ? ` and end ${formatCountOfNoun(yearsUnseen, 'year')} before the newest record` : ''}.`,
};

type Templates = typeof SENTENCE_TEMPLATES;
export type SentenceCode = keyof Templates;

/** Fills the template of a sentence with facts. */
export function fillSentenceTemplate<Code extends SentenceCode>(
  code: Code,
  ...[facts]: Parameters<Templates[Code]>
): string {
  return (SENTENCE_TEMPLATES[code] as (facts: Parameters<Templates[Code]>[0]) => string)(facts);
}
