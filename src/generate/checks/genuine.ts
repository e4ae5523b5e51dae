// Checks by people who submit their own name and contacts.
import { toAscii, createLandlineNumber } from '../contacts.ts';
import {
  getFullNameVariant,
  NAME_VARIANT_CREATORS,
  mistypeName,
  type NameVariant,
  removeMothersFamilyName,
} from '../name-variants.ts';
import type { GeneratedPerson } from '../person.ts';
import type { Random } from '../random.ts';
import {
  type SubmittedContacts,
  type CasePlanningContext,
  type CasePlan,
  type CasePlanner,
  type WeightedCaseSubtypes,
  hasRecordedPresentName,
  toPhoneKey,
  ALL_CONTACT_KINDS,
  createSubjectCasePlan,
  mergeSubmittedContacts,
  type ContactKindList,
  listRecordedContactKinds,
  drawOwnContacts,
  drawRecordedContacts,
  toSubmittedPhone,
  toSubmittedAddress,
  drawUnknownContacts,
} from './values.ts';

/** Draws one recorded contact of each type for the person. Returns null if the person has fewer than two types. */
function owned(draw: CasePlanningContext): SubmittedContacts | null {
  const kinds = listRecordedContactKinds(draw.subject);
  return kinds.length < 2 ? null : drawRecordedContacts(draw, draw.subject, { kinds, verdict: 'match' });
}

/** Creates a planner of checks with the person's contacts of all three types, under a variant of the person's name. */
const inForm =
  (
    form: (person: GeneratedPerson, random: Random) => NameVariant | null,
    isOnRecord = hasRecordedPresentName,
  ) =>
  (draw: CasePlanningContext): CasePlan | null => {
    const { subject, random } = draw;
    const name = isOnRecord(subject) ? form(subject.person, random) : null;
    if (name === null) return null;
    const contacts = drawRecordedContacts(draw, subject, { kinds: ALL_CONTACT_KINDS, verdict: 'match' });
    return createSubjectCasePlan(draw, contacts, name);
  };

/**
 * Creates a planner of checks under one variant of the person's name. A former or western name counts as genuine only if a record of the person
 * has it.
 */
const formOf = (kind: keyof typeof NAME_VARIANT_CREATORS) =>
  inForm(
    (person, random) => {
      const form = NAME_VARIANT_CREATORS[kind](person, random);
      return form === null ? null : { ...getFullNameVariant(person), ...form, form: kind };
    },
    kind === 'former' || kind === 'western'
      ? ({ names }) => names.some(({ form }) => form === kind)
      : hasRecordedPresentName,
  );

/** Creates a planner of checks under a name whose given and family name `write` has changed. The planner returns null if `write` changes nothing. */
const rewritten = (write: (text: string) => string) =>
  inForm((person) => {
    const name = getFullNameVariant(person);
    const other = { ...name, given: write(name.given), family: write(name.family) };
    return other.given === name.given && other.family === name.family ? null : other;
  });

/** Plans a check with other punctuation in the name: O'Brien as O Brien, OBrien or O´Brien; Al-Masri as Al Masri; El Masri as ElMasri. */
const apostrophes = (draw: CasePlanningContext): CasePlan | null => {
  const sign = draw.random.pick([' ', '', '´']);
  return rewritten((text) =>
    text.replace(/['-]/g, text.includes("'") ? sign : ' ').replace(/^(El|Al|De|Ben|Abu|Mc|Mac) /, '$1'),
  )(draw);
};

const otherOrder = inForm((person) => {
  const { given, family, ...name } = getFullNameVariant(person);
  return { ...name, given: family, family: given };
});

const withMiddle = inForm((person) =>
  person.middle === null ? null : { ...getFullNameVariant(person), middle: person.middle.text },
);

const allOwned = (draw: CasePlanningContext) => (hasRecordedPresentName(draw.subject) ? owned(draw) : null);

function someUnknown(draw: CasePlanningContext): CasePlan | null {
  const contacts = allOwned(draw);
  const kind = draw.random.pick(ALL_CONTACT_KINDS);
  return (
    contacts &&
    createSubjectCasePlan(draw, mergeSubmittedContacts(contacts, drawUnknownContacts(draw, [kind])))
  );
}

/** Plans a check with the person's contacts of two of the three types (e-mail, phone, address). */
function oneKindMissing(draw: CasePlanningContext): CasePlan | null {
  if (!hasRecordedPresentName(draw.subject)) return null;
  const missing = draw.random.pick(ALL_CONTACT_KINDS);
  const kinds = ALL_CONTACT_KINDS.filter((kind) => kind !== missing);
  return createSubjectCasePlan(draw, drawOwnContacts(draw, kinds));
}

/** Plans a check with an e-mail and two addresses of the person. */
function mover(draw: CasePlanningContext): CasePlan | null {
  const { subject } = draw;
  if (subject.places.length < 2) return null;
  const contacts = drawOwnContacts(draw, ['mails']);
  const places = subject.places
    .slice(0, 2)
    .map((value) => toSubmittedAddress(draw, subject, { value, verdict: 'match' }));
  return contacts && createSubjectCasePlan(draw, { ...contacts, places });
}

/** Plans a check with the person's e-mail and the landline that the household shares. */
function sharedPhone(draw: CasePlanningContext): CasePlan | null {
  const { subject } = draw;
  const landline = toPhoneKey(createLandlineNumber(subject.person.household));
  const shared = subject.phones.find((phone) => toPhoneKey(phone) === landline);
  const contacts = drawRecordedContacts(draw, subject, { kinds: ['mails'], verdict: 'match' });
  if (shared === undefined || contacts === null || !hasRecordedPresentName(subject)) return null;
  if (subject.person.household.size < 2) return null;
  return createSubjectCasePlan(draw, {
    ...contacts,
    phones: [toSubmittedPhone(draw, subject, { value: shared, verdict: 'match' })],
  });
}

/**
 * Plans a check of a person whose name is misspelt in every record. It leaves out people with a record that has a word of another name, because
 * such a record looks like a relative's.
 */
function misspeltRecord(draw: CasePlanningContext): CasePlan | null {
  const { names } = draw.subject;
  const contacts = names.length > 0 && names.every(({ form }) => form === 'typo') ? owned(draw) : null;
  return createSubjectCasePlan(draw, contacts);
}

function twoFamilyNames(draw: CasePlanningContext): CasePlan | null {
  if (draw.subject.person.second === null) return null;
  return inForm((person) => removeMothersFamilyName(person, getFullNameVariant(person)))(draw);
}

/** Types of genuine checks, with their relative frequencies and planners. */
export const GENUINE_CASE_SUBTYPES: WeightedCaseSubtypes = [
  ['all_match', 16, (draw) => createSubjectCasePlan(draw, allOwned(draw))],
  ['some_unknown', 12, someUnknown],
  ['one_kind_missing', 4, oneKindMissing],
  ['mover', 4, mover],
  ['shared_phone', 3, sharedPhone],
  ['nickname', 3, formOf('nickname')],
  ['other_spelling', 3, formOf('spelling')],
  ['initial', 2, formOf('initial')],
  ['other_script', 2, formOf('native')],
  ['western_name', 1, formOf('western')],
  ['former_name', 2, formOf('former')],
  ['typo', 3, inForm((person, random) => mistypeName(getFullNameVariant(person), 'keyed', random))],
  ['without_accents', 2, rewritten(toAscii)],
  ['apostrophes', 2, apostrophes],
  ['word_order', 2, otherOrder],
  ['with_middle_name', 2, withMiddle],
  ['one_of_two_family_names', 2, twoFamilyNames],
  ['misspelt_record', 3, misspeltRecord],
];

const only =
  (...kinds: ContactKindList): CasePlanner =>
  (draw) =>
    createSubjectCasePlan(draw, drawOwnContacts(draw, kinds));

/** Types of genuine checks that submit only one value, with their relative frequencies and planners. */
export const SINGLE_VALUE_CASE_SUBTYPES: WeightedCaseSubtypes = [
  ['email_only', 3, only('mails')],
  ['phone_only', 3, only('phones')],
  ['address_only', 4, only('places')],
];
