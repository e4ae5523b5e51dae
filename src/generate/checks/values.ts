// Contacts to submit: the subject's, another person's, or unknown to all records.
import type { Random } from '../random.ts';
import { createPersonalEmailAddress, createMobileNumber, type GeneratedPhone } from '../contacts.ts';
import { getFullNameVariant, type NameVariant } from '../name-variants.ts';
import { createPerson, type GeneratedPerson } from '../person.ts';
import { drawAddress, type GeneratedAddress, toAddressKey, getOfficeOfPerson } from '../places.ts';
import { type GeneratedWorld, getPersonRecordStartAndCount } from '../world.ts';
import { type RecordDraft, type TrueAndEnteredValue, createRecordDraft } from '../draft.ts';
import { toGroundTruthPersonId } from '../records.ts';

/**
 * Expected match of a submitted value: `match` if a record of the named person has it, `other` if only other people's records have it, `unknown`
 * if no record has it.
 */
export type ExpectedMatch = 'match' | 'other' | 'unknown';

/** Value to submit, its expected match, and the truth ids of the people who have it on record. */
export interface SubmittedValue<T> {
  value: T;
  verdict: ExpectedMatch;
  owners: string[];
}

export interface SubmittedContacts {
  mails: SubmittedValue<string>[];
  phones: SubmittedValue<GeneratedPhone>[];
  places: SubmittedValue<GeneratedAddress>[];
}

/** Inputs of a function that plans a check: the world, random numbers, and the person whom the check is about. */
export interface CasePlanningContext {
  world: GeneratedWorld;
  random: Random;
  subject: RecordedPerson;
}

/** Case whose name and contacts are not formatted as text yet. */
export interface CasePlan extends SubmittedContacts {
  name: NameVariant;
  /** Person whose name is submitted. It may be another person than the one whom the case is about. */
  bearer: GeneratedPerson;
  /** Truth ids of the records that the check should find. Empty if no person has both the name and the values. */
  records: string[];
  nameVerdict: ExpectedMatch;
}

/** Plans a check. Returns null if the person whom the check is about does not fit it. */
export type CasePlanner = (draw: CasePlanningContext) => CasePlan | null;

/** Types of checks: name, relative frequency, and planner. */
export type WeightedCaseSubtypes = [subkind: string, weight: number, plan: CasePlanner][];

export type ContactKindList = readonly ('mails' | 'phones' | 'places')[];
export const ALL_CONTACT_KINDS: ContactKindList = ['mails', 'phones', 'places'];

export const NO_CONTACTS: SubmittedContacts = { mails: [], phones: [], places: [] };

/** Draws one recorded value of each type for the person `of`. Returns null if the person has no recorded value of a type. */
export function drawRecordedContacts(
  draw: CasePlanningContext,
  of: RecordedPerson,
  ask: { kinds: ContactKindList; verdict: ExpectedMatch },
): SubmittedContacts | null {
  const { kinds, verdict } = ask;
  if (kinds.some((kind) => of[kind].length === 0)) return null;
  const { random } = draw;
  const [mails, phones, places] = ALL_CONTACT_KINDS.map((kind) => kinds.includes(kind));
  return {
    mails: mails ? [toSubmittedMail(draw, of, { value: random.pick(of.mails), verdict })] : [],
    phones: phones ? [toSubmittedPhone(draw, of, { value: random.pick(of.phones), verdict })] : [],
    places: places ? [toSubmittedAddress(draw, of, { value: random.pick(of.places), verdict })] : [],
  };
}

/** Draws one recorded value of each type for the person whom the check is about. Returns null if a value, or a record with the name, is missing. */
export const drawOwnContacts = (
  draw: CasePlanningContext,
  kinds: ContactKindList,
): SubmittedContacts | null =>
  hasRecordedPresentName(draw.subject)
    ? drawRecordedContacts(draw, draw.subject, { kinds, verdict: 'match' })
    : null;

interface One<T> {
  value: T;
  verdict: ExpectedMatch;
}

export function toSubmittedMail(
  { world }: CasePlanningContext,
  { person }: RecordedPerson,
  one: One<string>,
): SubmittedValue<string> {
  return { ...one, owners: holders(world, person, ({ mails }) => mails.includes(one.value)) };
}

export function toSubmittedPhone(
  { world }: CasePlanningContext,
  { person }: RecordedPerson,
  one: One<GeneratedPhone>,
): SubmittedValue<GeneratedPhone> {
  const has = ({ phones }: RecordedPerson) =>
    phones.some((phone) => toPhoneKey(phone) === toPhoneKey(one.value));
  return { ...one, owners: holders(world, person, has) };
}

export function toSubmittedAddress(
  { world }: CasePlanningContext,
  { person }: RecordedPerson,
  one: One<GeneratedAddress>,
): SubmittedValue<GeneratedAddress> {
  const has = ({ places }: RecordedPerson) =>
    places.some((place) => toAddressKey(place) === toAddressKey(one.value));
  return { ...one, owners: holders(world, person, has) };
}

export const listRecordedContactKinds = (known: RecordedPerson): ContactKindList =>
  ALL_CONTACT_KINDS.filter((kind) => known[kind].length > 0);

/** Draws contacts, in the person's country, of somebody without records. */
export function drawUnknownContacts(
  { world, random, subject }: CasePlanningContext,
  kinds: ContactKindList,
): SubmittedContacts {
  const { land } = subject.person.household;
  const stranger = createStranger(world, subject.person, random.int(60_000));
  const nobody = { verdict: 'unknown' as const, owners: [] };
  const place = drawAddress(land, random);
  return {
    mails: kinds.includes('mails')
      ? [{ value: createPersonalEmailAddress(world, stranger, 0), ...nobody }]
      : [],
    phones: kinds.includes('phones') ? [{ value: createMobileNumber(stranger, 0), ...nobody }] : [],
    places: kinds.includes('places') ? [{ value: place, ...nobody }] : [],
  };
}

/** Creates the stranger with the given number: a person without records, in the country of `other`. */
export function createStranger(
  world: GeneratedWorld,
  other: GeneratedPerson,
  number: number,
): GeneratedPerson {
  const stranger = createPerson(world, world.firstStranger + number);
  const household = { ...stranger.household, land: other.household.land, oneMobileForTwo: false };
  return { ...stranger, household };
}

/** Draws a person of the same country and another household who has recorded contacts of each type. Returns null after 40 failed tries. */
export function drawOtherPerson(
  { world, random, subject }: CasePlanningContext,
  kinds: ContactKindList,
): RecordedPerson | null {
  const { household } = subject.person;
  for (let tries = 0; tries < 40; tries++) {
    const index = random.int(world.people);
    const isInHousehold = index >= household.first && index < household.first + household.size;
    const other = isInHousehold ? null : getRecordedPerson(world, index);
    if (other !== null && sameCountry(other, subject) && kinds.every((kind) => other[kind].length > 0))
      return other;
  }
  return null;
}

const sameCountry = (a: RecordedPerson, b: RecordedPerson): boolean =>
  a.person.household.land.index === b.person.household.land.index;

export function mergeSubmittedContacts(a: SubmittedContacts, b: SubmittedContacts): SubmittedContacts {
  return {
    mails: [...a.mails, ...b.mails],
    phones: [...a.phones, ...b.phones],
    places: [...a.places, ...b.places],
  };
}

/**
 * Creates a case plan with the person's name and the given contacts. Returns null without contacts.
 * @param name variant of the name; default: the full name
 */
export function createSubjectCasePlan<C extends SubmittedContacts | null>(
  { subject }: CasePlanningContext,
  contacts: C,
  name = getFullNameVariant(subject.person),
): CasePlan | Extract<C, null> {
  const { person: bearer, records, names } = subject;
  if (contacts === null) return contacts as Extract<C, null>;
  return { ...contacts, name, bearer, records, nameVerdict: names.length > 0 ? 'match' : 'unknown' };
}

/** Creates a case plan with the name of a person without records, and the given contacts. */
export const createStrangerCasePlan = (bearer: GeneratedPerson, contacts: SubmittedContacts): CasePlan => ({
  ...contacts,
  name: getFullNameVariant(bearer),
  bearer,
  records: [],
  nameVerdict: 'unknown',
});

// Values that the records of one person contain, without values that were entered with a mistake.
export interface RecordedPerson {
  person: GeneratedPerson;
  records: string[];
  names: NameVariant[];
  /** E-mail addresses of the person and the household, without work e-mails. */
  mails: string[];
  phones: GeneratedPhone[];
  places: GeneratedAddress[];
  /** Number of the office's switchboard; null if no record contains it. */
  workPhone: GeneratedPhone | null;
  workPlace: GeneratedAddress | null;
}

/** Cache of recently read people, because one case reads the same household many times. */
const RECENT_PEOPLE = new WeakMap<GeneratedWorld, Map<number, RecordedPerson>>();
const REMEMBERED = 500;

export function getRecordedPerson(world: GeneratedWorld, index: number): RecordedPerson {
  let recentPeople = RECENT_PEOPLE.get(world);
  if (recentPeople === undefined || recentPeople.size > REMEMBERED)
    RECENT_PEOPLE.set(world, (recentPeople = new Map()));
  const recordedPerson = recentPeople.get(index) ?? readKnown(world, index);
  recentPeople.set(index, recordedPerson);
  return recordedPerson;
}

function readKnown(world: GeneratedWorld, index: number): RecordedPerson {
  const person = createPerson(world, index);
  const { first, count } = getPersonRecordStartAndCount(world, index);
  const drafts = Array.from({ length: count }, (_, nth) => createRecordDraft(world, person, first + nth));
  const phones = distinct(drafts, (draft) => draft.phones, toPhoneKey);
  const places = distinct(drafts, (draft) => draft.places, toAddressKey);
  const office = person.hasJob ? getOfficeOfPerson(world, person) : null;
  const isWorkPhone = (phone: GeneratedPhone) => office !== null && phone.digits === office.phone.digits;
  const isWorkPlace = (place: GeneratedAddress) =>
    office !== null && toAddressKey(place) === toAddressKey(office.place);
  return {
    person,
    records: drafts.map(({ source }, nth) => `${source.id}-${world.order.placeOf(first + nth)}`),
    names: drafts.flatMap(({ name }) => name ?? []),
    mails: distinct(
      drafts,
      (draft) => draft.mails,
      (mail) => mail,
    ),
    phones: phones.filter((phone) => !isWorkPhone(phone)),
    places: places.filter((place) => !isWorkPlace(place)),
    workPhone: phones.find(isWorkPhone) ?? null,
    workPlace: places.find(isWorkPlace) ?? null,
  };
}

/** Returns a text that identifies a phone number, independent of its format. */
export const toPhoneKey = ({ country, digits }: GeneratedPhone): string => `${country.dial}-${digits}`;

/** Returns the different values that at least one record contains without a mistake. */
function distinct<T>(
  drafts: RecordDraft[],
  of: (draft: RecordDraft) => TrueAndEnteredValue<T>[],
  key: (value: T) => string,
): T[] {
  const values = drafts.flatMap(of).filter(({ value, entered }) => key(value) === key(entered));
  return [...new Map(values.map(({ value }) => [key(value), value])).values()];
}

/** Name variants that do not contain the person's present name. */
const OTHER_NAMES = new Set<NameVariant['form']>(['former', 'western', 'replaced']);

export const hasRecordedPresentName = ({ names }: RecordedPerson): boolean =>
  names.some(({ form }) => !OTHER_NAMES.has(form));

/** Returns the truth ids of the household members whose recorded values pass the test `holds`. */
function holders(
  world: GeneratedWorld,
  { household }: GeneratedPerson,
  holds: (known: RecordedPerson) => boolean,
): string[] {
  const members = Array.from({ length: household.size }, (_, i) => household.first + i);
  return members.filter((member) => holds(getRecordedPerson(world, member))).map(toGroundTruthPersonId);
}
