// Checks of honest people without records who share contacts with people on record, and checks that no record can decide.
import { createFamilyEmailAddress } from '../contacts.ts';
import { getOfficeOfPerson, createWorkEmailAddress, toBuildingKey, drawUnitNumber } from '../places.ts';

import type { GeneratedPerson } from '../person.ts';
import { toGroundTruthPersonId } from '../records.ts';
import type { CasePlanningContext, CasePlan, WeightedCaseSubtypes, SubmittedValue } from './values.ts';
import {
  getRecordedPerson,
  createStrangerCasePlan,
  createSubjectCasePlan,
  listRecordedContactKinds,
  mergeSubmittedContacts,
  NO_CONTACTS,
  drawRecordedContacts,
  toSubmittedMail,
  toSubmittedAddress,
  createStranger,
  drawUnknownContacts,
} from './values.ts';

const stranger = ({ world, random, subject }: CasePlanningContext): GeneratedPerson =>
  createStranger(world, subject.person, random.int(60_000));

/** Plans a check of a stranger who lives in the person's building, in another unit. */
function newTenant(draw: CasePlanningContext): CasePlan | null {
  const { subject, random } = draw;
  const home = subject.places.find(({ unit }) => unit !== '');
  if (home === undefined) return null;
  let unit = drawUnitNumber(random, 40);
  while (subject.places.some((place) => toBuildingKey(place) === toBuildingKey(home) && place.unit === unit))
    unit = drawUnitNumber(random, 40);
  const places: SubmittedValue<typeof home>[] = [
    { value: { ...home, unit }, verdict: 'unknown', owners: [] },
  ];
  return createStrangerCasePlan(
    stranger(draw),
    mergeSubmittedContacts(drawUnknownContacts(draw, ['mails', 'phones']), { ...NO_CONTACTS, places }),
  );
}

/** Plans a check of a stranger who submits an unknown e-mail and the address of a person on record. */
function newResident(draw: CasePlanningContext): CasePlan | null {
  const theirs = drawRecordedContacts(draw, draw.subject, { kinds: ['places'], verdict: 'other' });
  return theirs === null
    ? null
    : createStrangerCasePlan(
        stranger(draw),
        mergeSubmittedContacts(drawUnknownContacts(draw, ['mails']), theirs),
      );
}

/** Plans a check of a stranger with an unknown work e-mail and the switchboard number of the person's office. */
function colleague(draw: CasePlanningContext): CasePlan | null {
  const { workPhone, person } = draw.subject;
  if (workPhone === null) return null;
  const owners = [toGroundTruthPersonId(person.index)];
  const newcomer = stranger(draw);
  const mail = createWorkEmailAddress(newcomer, getOfficeOfPerson(draw.world, person));
  const phones = [{ value: workPhone, verdict: 'other' as const, owners }];
  const mails = [{ value: mail, verdict: 'unknown' as const, owners: [] }];
  return createStrangerCasePlan(newcomer, { ...NO_CONTACTS, mails, phones });
}

/** Plans a check of a relative without records, with the shared mailbox and the address of the person's household. */
function unlistedRelative(draw: CasePlanningContext): CasePlan | null {
  const { world, subject } = draw;
  const mail = createFamilyEmailAddress(world, subject.person.household);
  if (!subject.mails.includes(mail)) return null;
  const relative = { ...stranger(draw), family: subject.person.family };
  const mails = [toSubmittedMail(draw, subject, { value: mail, verdict: 'other' })];
  const places = subject.places
    .slice(0, 1)
    .map((value) => toSubmittedAddress(draw, subject, { value, verdict: 'other' }));
  return createStrangerCasePlan(relative, { ...NO_CONTACTS, mails, places });
}

/** Types of checks of genuine people without records who share contacts with people on record: name, relative frequency and planner. */
export const NEWCOMER_CASE_SUBTYPES: WeightedCaseSubtypes = [
  ['new_tenant', 2, newTenant],
  ['own_email_and_shared_address', 2, newResident],
  ['colleague_on_switchboard', 2, colleague],
  ['unlisted_relative', 2, unlistedRelative],
];

function notInGraph(draw: CasePlanningContext): CasePlan {
  const kinds = draw.random.pick([['mails'], ['phones', 'mails'], ['mails', 'phones', 'places']] as const);
  return createStrangerCasePlan(stranger(draw), drawUnknownContacts(draw, kinds));
}

/** Plans a check that submits the person's name with contacts that are in no record. */
function noOverlap(draw: CasePlanningContext): CasePlan {
  return { ...createSubjectCasePlan(draw, drawUnknownContacts(draw, ['mails', 'phones'])), records: [] };
}

/** Plans a check of a stranger who has the person's name, with contacts that are in no record. */
function namesake(draw: CasePlanningContext): CasePlan {
  const { person } = draw.subject;
  const { given, family, second, origin } = person;
  return createStrangerCasePlan(
    { ...stranger(draw), given, family, second, origin },
    drawUnknownContacts(draw, ['mails', 'phones', 'places']),
  );
}

/** Types of checks whose contacts are not on record, with their relative frequencies and planners. */
export const UNKNOWN_CONTACTS_CASE_SUBTYPES: WeightedCaseSubtypes = [
  ['person_not_in_graph', 6, notInGraph],
  ['known_person_no_overlap', 2, noOverlap],
  ['namesake_in_graph', 1, namesake],
];

/** Types of checks that submit only a name, with their relative frequencies and planners. */
export const NAME_ONLY_CASE_SUBTYPES: WeightedCaseSubtypes = [
  [
    'in_graph',
    2,
    (draw) => (draw.subject.names.length > 0 ? createSubjectCasePlan(draw, NO_CONTACTS) : null),
  ],
  ['not_in_graph', 1, (draw) => createStrangerCasePlan(stranger(draw), NO_CONTACTS)],
];

/** Plans a check with a random name and the contacts of a person whose records have no name. */
function anyName(draw: CasePlanningContext): CasePlan | null {
  const { world, random } = draw;
  for (let tries = 0; tries < 300; tries++) {
    const nameless = getRecordedPerson(world, random.int(world.people));
    const kinds = listRecordedContactKinds(nameless).filter((kind) => kind !== 'places');
    if (nameless.names.length > 0 || kinds.length === 0) continue;
    const contacts = drawRecordedContacts(draw, nameless, { kinds, verdict: 'other' });
    if (contacts === null || [...contacts.mails, ...contacts.phones].some(({ owners }) => owners.length > 1))
      continue;
    return createStrangerCasePlan(createStranger(world, nameless.person, random.int(60_000)), contacts);
  }
  return null;
}

/** Types of checks with the contacts of people whose records have no name, with their relative frequencies and planners. */
export const UNNAMED_RECORDS_CASE_SUBTYPES: WeightedCaseSubtypes = [['any_name', 1, anyName]];
