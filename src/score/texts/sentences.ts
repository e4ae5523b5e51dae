// Every sentence of a verdict, by its code. A template takes exactly the facts that the sentence claims, and nothing that was submitted.
import type { DisguisedValueSign, NonPersonNameType, SharedNamePart } from '../../model.ts';
import { OLD_PHONE_YEARS } from '../weights.ts';
import {
  type ContactFact,
  numberOf,
  formatContactLabel,
  subject,
  capitalise,
  agree,
  formatCountOfNoun,
  formatCountOfOthers,
  formatNumberWithCommas,
  contactsOnRecord,
  anotherIdentity,
  contactsOfOthers,
  partOf,
} from './phrases.ts';

export const PARTIAL_NAME_DESCRIPTIONS: Record<SharedNamePart, string> = {
  given: 'with the same given name, but not the whole name',
  family: 'with the same family name, but another given name',
  patronymic: 'whose name is that of a parent or a child, by the patronymic',
  suffix: 'with the same name, but another suffix (Jr, Sr, III)',
  part: 'whose name is longer than the submitted one',
  words: 'whose name has another word beside the ones that agree',
  both: 'whose name resembles the submitted one, but is not the same',
  nameless: 'whose records have no name',
};

/** Sentences that explain why a name agrees only in part. `#` is replaced by "the contact" or "the contacts". */
const WHY_NAME_UNKNOWN: Record<SharedNamePart, string> = {
  given: "The given name agrees, the family name does not: it may have changed, or # may be somebody else's.",
  part: 'The submitted name is only a part of the name on record, which many people may share.',
  family:
    "The family name agrees, the given name does not: # may be a relative's, or the record may be wrong.",
  words: 'Each of the two names has a word that the other lacks, so they may be the names of two people.',
  both: 'The name on record differs so much that it may be another name.',
  patronymic: 'The patronymic is that of a parent or a child, who may have #.',
  suffix:
    "The name agrees, the suffix (Jr, Sr, III) does not: # may be a parent's, a child's or a namesake's.",
  nameless: 'The matching records have no name, so they do not tell to whom a contact belongs.',
};

/** Description of somebody whose name is the submitted one with another suffix. */
export const OTHER_SUFFIX = 'whose name has another suffix';

const ASK_FOR_OWN_CONTACT = 'Ask for an e-mail or phone that only this person uses.';

/** Requests that would settle whether an identity with a similar name is the person. */
const QUESTIONS_BY_PART: Record<SharedNamePart, string> = {
  given: 'Ask whether the person had another family name.',
  part: 'Ask for the whole name.',
  family: ASK_FOR_OWN_CONTACT,
  words: 'Ask for the whole name.',
  both: 'Ask for the name in an official spelling.',
  patronymic: ASK_FOR_OWN_CONTACT,
  suffix: ASK_FOR_OWN_CONTACT,
  nameless: 'Ask for another e-mail or phone of the person.',
};

/** Descriptions of a name that does not belong to one person. Each follows the words "the name". */
export const NON_PERSON_NAME_DESCRIPTIONS: Record<NonPersonNameType, string> = {
  company: 'is that of a company or department',
  couple: 'is that of two people',
  family: 'is that of a family or an estate',
  relation: 'only describes a relative of somebody',
};

/** Sentences about a name that matches in another form, by `variation` of the match. */
const NAME_FORMS: Readonly<Record<string, string>> = {
  nickname: 'The given name matches in another form.',
  cultural: 'The name matches in the form of another language.',
  transliteration: 'The name matches in another spelling.',
  typo: 'The name matches except for what may be a typing error.',
  partial: 'One of the two forms of the name is longer.',
  initial: 'The submitted name has only an initial for a word of the name on record.',
};

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

/** Beginning of sentences about a lower bound, which raises the score. */
const HIGHER = 'A lower bound makes the score higher than the sum of the evidence';
const LESS = 'lowers it by less than its weight';

/** Templates for the sentences in `message`, `summary`, `insights` and `explanation`. */
const SENTENCE_TEMPLATES = {
  name_absent: () => 'The name does not appear in the identity graph.',
  name_present: () => 'The name appears in the identity graph.',
  no_record: ({ contacts }: { contacts: number }) =>
    contacts === 1
      ? 'The contact has no matching record in the identity graph.'
      : `None of the ${contacts} contacts has a matching record in the identity graph.`,
  own_contacts: ({
    own,
    contacts,
    sort,
  }: {
    own: number;
    contacts: number;
    sort: NonPersonNameType | null;
  }) =>
    `The name and ${partOf(own, contacts)} belong to one identity${sort ? `, but the name ${NON_PERSON_NAME_DESCRIPTIONS[sort]}` : ''}.`,
  own_and_other_contacts: (facts: { own: number; others: number; identities: number; contacts: number }) =>
    `The name and ${partOf(facts.own, facts.contacts)} belong to one identity${contactsOfOthers(facts)}.`,
  couple_contacts: (facts: { own: number; others: number; contacts: number }) => {
    const own = `${capitalise(partOf(facts.own, facts.contacts))} ${agree(facts.own, 'belongs', 'belong')} to the people named, or to one of them`;
    return facts.others === 0
      ? `${own}.`
      : `${own}; ${formatCountOfNoun(facts.others, 'contact')} ${agree(facts.others, 'belongs', 'belong')} to somebody else.`;
  },
  other_contacts: ({ others, identities }: { others: number; identities: number }) =>
    `The name is on record, but ${contactsOnRecord(others)} to ${anotherIdentity(identities)}.`,
  partial_name: ({
    part,
    own,
    contacts,
    countsAsSame,
    ...rest
  }: {
    part: SharedNamePart;
    own: number;
    others: number;
    identities: number;
    contacts: number;
    /** True if the name counts as that of the identity, because of the contacts. */
    countsAsSame: boolean;
  }) =>
    `${capitalise(partOf(own, contacts))} ${agree(own, 'belongs', 'belong')} to an identity ${PARTIAL_NAME_DESCRIPTIONS[part]}${countsAsSame ? '; because of its contacts it counts as the person named' : ''}${contactsOfOthers(rest)}.`,
  other_name: ({ others, identities }: { others: number; identities: number }) =>
    `${capitalise(contactsOnRecord(others))} to ${agree(identities, 'an identity that does', 'identities that do')} not have this name.`,
  shared_contacts_of_others: ({
    others,
    sharers,
    isNameOnRecord,
  }: {
    others: number;
    sharers: { least: number; greatest: number };
    isNameOnRecord: boolean;
  }) => {
    const contacts = agree(
      others,
      'the contact with a record belongs',
      'each of the contacts with a record belongs',
    );
    const { least, greatest } = sharers;
    const number = `${least < greatest ? 'at least ' : ''}${formatNumberWithCommas(least)}`;
    return isNameOnRecord
      ? `The name is on record, but ${contacts} to ${number} other identities.`
      : `${capitalise(contacts)} to ${number} identities, ${number === '2' ? 'neither' : 'none'} of which has this name.`;
  },
  check_contacts: ({ contacts }: { contacts: number }) =>
    `Check who is really behind ${agree(contacts, 'this contact', 'these contacts')} before you rely on the name.`,
  ask_for_person: () => 'Ask for the name of one person.',
  ask_by_part: ({ part }: { part: SharedNamePart }) => QUESTIONS_BY_PART[part],
  ask_whose: ({ others }: { others: number }) =>
    `Ask whose ${agree(others, 'the other contact is', 'the other contacts are')}.`,
  ask_for_own_contact: () => ASK_FOR_OWN_CONTACT,
  some_unknown: ({ unknown }: { unknown: number }) =>
    `${formatCountOfNoun(unknown, 'value')} ${agree(unknown, 'has', 'have')} no matching record, which counts neither for nor against the person.`,
  identity_years: ({ years }: { years: number }) =>
    `The identity's records span ${formatCountOfNoun(years, 'year')}.`,
  contacts_split: ({ people }: { people: number | null }) =>
    `The contacts are split among ${people ?? 'several'} people.`,
  contacts_of_one: ({ identity }: { identity: number }) =>
    `Identity ${identity}, which does not have this name, has all contacts with a record.`,
  contacts_elsewhere: ({ others }: { others: number }) =>
    `${agree(others, 'The contact points', 'The contacts point')} to somebody other than the person named.`,
  name_unknown: ({ part, contacts }: { part: SharedNamePart; contacts: number }) =>
    WHY_NAME_UNKNOWN[part].replace('#', agree(contacts, 'the contact', 'the contacts')),
  name_of_no_contact: ({ contacts }: { contacts: number }) =>
    `No identity with ${agree(contacts, 'this contact', 'these contacts')} has this name.`,
  name_without_record: () => 'The name has no matching record.',
  name_minority: ({ identity }: { identity: number | null }) =>
    `Most values belong to another identity than the one with this name (${identity}).`,
  name_elsewhere: ({ identity }: { identity: number | null }) =>
    `The name belongs to another identity (${identity}).`,
  name_form: ({ variation }: { variation: string }) =>
    NAME_FORMS[variation] ?? 'The name matches in another form.',
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
    `${subject(contact)} resolves to a different identity (${identity})${others > 0 ? ` and ${formatCountOfOthers(others)}` : ''}.`,
  contact_same_given: (contact: ContactFact) =>
    `${subject(contact)} counts less against the person, because its holder has the same given name: the family name may have changed.`,
  contact_of_partner: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${subject(contact)} belongs to the other person named (identity ${identity}).`,
  contact_also_own: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${subject(contact)} is also on record for the identity with this name (${identity}).`,
  contact_household: ({
    identity,
    isParentOrChild,
    ...contact
  }: ContactFact & { identity: number | null; isParentOrChild: boolean }) =>
    isParentOrChild
      ? `${subject(contact)} is on record for a possible parent or child (identity ${identity}).`
      : `${subject(contact)} is on record for somebody of the same family name (identity ${identity}), who may be a relative.`,
  contact_home: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${subject(contact)} is on record for somebody whose home on record is the same (identity ${identity}).`,
  address_of_family: (contact: ContactFact) =>
    `${subject(contact)} is on record for somebody of the same family name, who may be a relative.`,
  contact_namesake: ({
    identity,
    hasOtherSuffix,
    ...contact
  }: ContactFact & { identity: number; hasOtherSuffix: boolean }) =>
    `${subject(contact)} belongs to another person${hasOtherSuffix ? '' : ' of the same name'} (identity ${identity}), ${hasOtherSuffix ? OTHER_SUFFIX : 'whose birth date or suffix differs'}.`,
  contact_same_name: ({ identity, ...contact }: ContactFact & { identity: number | null }) =>
    `${subject(contact)} belongs to another identity with this name (${identity}); the records do not tell whether both are one person.`,
  phone_old: ({ years, ...contact }: ContactFact & { years: number }) =>
    `${subject(contact)} was last seen on record ${formatCountOfNoun(years, 'year')} before the newest record; numbers are given to new subscribers.`,
  contact_old: ({ years, ...contact }: ContactFact & { years: number }) =>
    `${subject(contact)} was last seen with the person of this name ${formatCountOfNoun(years, 'year')} before the newest record.`,
  phone_passed_on: ({ years, ...contact }: ContactFact & { years: number }) =>
    `${subject(contact)} was seen with somebody else ${formatCountOfNoun(years, 'year')} after it was last seen with the person of this name; numbers are given to new subscribers.`,
  name_no_person: ({ sort }: { sort: NonPersonNameType }) =>
    `The name ${NON_PERSON_NAME_DESCRIPTIONS[sort]}. Check ${WHOM_TO_CHECK[sort]} by their own name.`,
  contact_shared: ({ share, ...contact }: ContactFact & { share: number }) =>
    `${subject(contact)} is shared by ${formatCountOfNoun(share, 'identity')}, so it counts less than an unshared one.`,
  contact_misspelt: (contact: ContactFact) => `${subject(contact)} is spelt differently on record.`,
  name_mixed_scripts: () => 'A word of the name mixes letters of two scripts that look alike.',
  contact_disguised: ({ disguise, ...contact }: ContactFact & { disguise: NamedDisguise }) =>
    `${subject(contact)} ${DISGUISES[disguise]}`,
  contact_look_alike: (contact: ContactFact) =>
    `A very similar e-mail is on record for a person of this name, but not ${numberOf(contact) === 0 ? 'the one that was sent' : `${formatContactLabel(contact)} as it was sent`}.`,
  phone_foreign: (contact: ContactFact) =>
    `${subject(contact)} was read as a number in the country of a submitted address.`,
  phone_extension: (contact: ContactFact) =>
    `${subject(contact)} was sent with an extension, which is not part of the number.`,
  values_unknown: ({ unknown }: { unknown: number }) =>
    `${formatCountOfNoun(unknown, 'value')} ${agree(unknown, 'has', 'have')} no matching record.`,
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
  no_bound: () => 'The score is the sum of the evidence; no bound applied.',
  bound_no_bearer: () =>
    'Without a contact that is on record for a person of this name the score is at most 64.',
  bound_one_kind: () => 'The score is limited because one kind of contact gives all or most of the evidence.',
  bound_address_alone: () =>
    'The score is limited because all the evidence, or nearly all, comes from addresses, which a phone book has too.',
  bound_shared_contacts: () =>
    'The score is limited because the matching e-mails and phones are shared by several people.',
  bound_namesake: () => 'The score is limited by a contact that belongs to another person of the same name.',
  bound_shared_only: () =>
    'The score is limited: the matching contacts are shared with the holder of the other contacts, so they do not tell the two people apart.',
  bound_no_person: () => 'The score is at most 64 because the name is not the name of one person.',
  bound_old_phone: () =>
    `${HIGHER}: a phone of somebody else ${LESS}, because numbers are given to new subscribers.`,
  bound_phone: ({ phones }: { phones: number }) =>
    phones > 1
      ? `${HIGHER}: phones of somebody else lower it by less than their weight, because numbers are given to new subscribers.`
      : `${HIGHER}: a phone of somebody else ${LESS}, because a phone may be mistyped or passed on.`,
  bound_phone_country: () =>
    'The score keeps a lower bound: only the address tells the country of the phone, so the two together do not lower it.',
  bound_household: () => `${HIGHER}: a contact of the same household ${LESS}.`,
  bound_conflict: () => 'The score is limited by an e-mail or phone that is on record for somebody else.',
  bound_addresses: () => `${HIGHER}: an address of somebody else ${LESS}, because people move.`,
  calibration: ({ name }: { name: string }) => `The calibration ${name} was applied.`,
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
