// Values to send: one's own, somebody else's, ones that nobody has.
import type { Random } from '../random.ts';
import { createMail, createMobile, type GeneratedPhone } from '../contacts.ts';
import { getExactName, type NameForm } from '../name-forms.ts';
import { createPerson, type GeneratedPerson } from '../person.ts';
import { drawAddress, type GeneratedAddress, toAddressKey, getOffice } from '../places.ts';
import { type World, getRecordRange } from '../world.ts';
import { type RecordDraft, type DraftValue, createRecordDraft } from '../draft.ts';
import { toTruthId } from '../records.ts';

/** On record for the person of the submitted name; for others only; for nobody. */
export type ExpectedMatch = 'match' | 'other' | 'unknown';

/** A value to send, and whom the records give it to. */
export interface SentValue<T> {
  value: T;
  verdict: ExpectedMatch;
  owners: string[];
}

export interface SentContacts {
  mails: SentValue<string>[];
  phones: SentValue<GeneratedPhone>[];
  places: SentValue<GeneratedAddress>[];
}

/** What a maker of cases draws from. */
export interface CaseDraw {
  world: World;
  random: Random;
  /** Whom the case is about. */
  subject: RecordedPerson;
}

/** A case before it is written down. */
export interface CasePlan extends SentContacts {
  name: NameForm;
  /** Who bears the submitted name. */
  bearer: GeneratedPerson;
  /** Records of the person whom the answer should be about; none where nobody's name and values agree. */
  records: string[];
  nameVerdict: ExpectedMatch;
}

/** Which kinds of contact. */
export type ContactKinds = readonly ('mails' | 'phones' | 'places')[];
export const ALL_CONTACT_KINDS: ContactKinds = ['mails', 'phones', 'places'];

export const NO_CONTACTS: SentContacts = { mails: [], phones: [], places: [] };

/** One value of each kind that is on record for somebody; null where one of the kinds is not. */
export function drawRecordedContacts(
  draw: CaseDraw,
  of: RecordedPerson,
  ask: { kinds: ContactKinds; verdict: ExpectedMatch },
): SentContacts | null {
  const { kinds, verdict } = ask;
  if (kinds.some((kind) => of[kind].length === 0)) return null;
  const { random } = draw;
  return {
    mails: kinds.includes('mails') ? [toSentMail(draw, of, { value: random.pick(of.mails), verdict })] : [],
    phones: kinds.includes('phones')
      ? [toSentPhone(draw, of, { value: random.pick(of.phones), verdict })]
      : [],
    places: kinds.includes('places')
      ? [toSentPlace(draw, of, { value: random.pick(of.places), verdict })]
      : [],
  };
}

interface One<T> {
  value: T;
  verdict: ExpectedMatch;
}

export function toSentMail(
  { world }: CaseDraw,
  { person }: RecordedPerson,
  one: One<string>,
): SentValue<string> {
  return { ...one, owners: holders(world, person, ({ mails }) => mails.includes(one.value)) };
}

export function toSentPhone(
  { world }: CaseDraw,
  { person }: RecordedPerson,
  one: One<GeneratedPhone>,
): SentValue<GeneratedPhone> {
  const has = ({ phones }: RecordedPerson) =>
    phones.some((phone) => toPhoneKey(phone) === toPhoneKey(one.value));
  return { ...one, owners: holders(world, person, has) };
}

export function toSentPlace(
  { world }: CaseDraw,
  { person }: RecordedPerson,
  one: One<GeneratedAddress>,
): SentValue<GeneratedAddress> {
  const has = ({ places }: RecordedPerson) =>
    places.some((place) => toAddressKey(place) === toAddressKey(one.value));
  return { ...one, owners: holders(world, person, has) };
}

/** Kinds of which the subject has something on record. */
export const getContactKinds = (known: RecordedPerson): ContactKinds =>
  ALL_CONTACT_KINDS.filter((kind) => known[kind].length > 0);

/** New values of somebody whom no record knows, in the subject's country. */
export function drawUnknownContacts({ world, random, subject }: CaseDraw, kinds: ContactKinds): SentContacts {
  const { land } = subject.person.household;
  const somebody = createStranger(world, subject.person, random.int(60_000));
  const nobody = { verdict: 'unknown' as const, owners: [] };
  const place = drawAddress(land, random);
  return {
    mails: kinds.includes('mails') ? [{ value: createMail(world, somebody, 0), ...nobody }] : [],
    phones: kinds.includes('phones') ? [{ value: createMobile(somebody, 0), ...nobody }] : [],
    places: kinds.includes('places') ? [{ value: place, ...nobody }] : [],
  };
}

/** A person without records who lives in the country of another. Only the name and own contacts are theirs. */
export function createStranger(world: World, other: GeneratedPerson, number: number): GeneratedPerson {
  const stranger = createPerson(world, world.firstStranger + number);
  const household = { ...stranger.household, land: other.household.land, oneMobileForTwo: false };
  return { ...stranger, household };
}

/** Somebody else with records, of another household, and with something of each kind on record. */
export function drawOtherPerson(
  { world, random, subject }: CaseDraw,
  kinds: ContactKinds,
): RecordedPerson | null {
  const { household } = subject.person;
  for (let tries = 0; tries < 40; tries++) {
    const index = random.int(world.people);
    const near = index >= household.first && index < household.first + household.size;
    const other = near ? null : getRecordedPerson(world, index);
    if (other !== null && sameCountry(other, subject) && kinds.every((kind) => other[kind].length > 0))
      return other;
  }
  return null;
}

const sameCountry = (a: RecordedPerson, b: RecordedPerson): boolean =>
  a.person.household.land.index === b.person.household.land.index;

export function joinContacts(a: SentContacts, b: SentContacts): SentContacts {
  return {
    mails: [...a.mails, ...b.mails],
    phones: [...a.phones, ...b.phones],
    places: [...a.places, ...b.places],
  };
}

/** The subject under a form of the own name, with these contacts. */
export function createSubjectPlan({ subject }: CaseDraw, contacts: SentContacts, name?: NameForm): CasePlan {
  const { person, records, names } = subject;
  return {
    ...contacts,
    name: name ?? getExactName(person),
    bearer: person,
    records,
    nameVerdict: names.length > 0 ? 'match' : 'unknown',
  };
}

/** Somebody whom no record knows, with these contacts. */
export function createStrangerPlan(
  bearer: GeneratedPerson,
  contacts: SentContacts,
  name?: NameForm,
): CasePlan {
  return { ...contacts, name: name ?? getExactName(bearer), bearer, records: [], nameVerdict: 'unknown' };
}

// What the records of a world say of a person, mistakes left out: what a check may count on.
export interface RecordedPerson {
  person: GeneratedPerson;
  /** Ids of the person's records. */
  records: string[];
  /** As each record has it; empty where none has one. */
  names: NameForm[];
  /** The person's own and the household's; what belongs to an office stands apart. */
  mails: string[];
  phones: GeneratedPhone[];
  places: GeneratedAddress[];
  /** The office's switchboard and address, where a record has them. */
  workPhone: GeneratedPhone | null;
  workPlace: GeneratedAddress | null;
}

/** Members of a household are asked about again and again while a case is made. */
const LATELY = new WeakMap<World, Map<number, RecordedPerson>>();
const REMEMBERED = 500;

/** Reads a person's records. A stranger has none. */
export function getRecordedPerson(world: World, index: number): RecordedPerson {
  let lately = LATELY.get(world);
  if (lately === undefined || lately.size > REMEMBERED) LATELY.set(world, (lately = new Map()));
  const known = lately.get(index) ?? readKnown(world, index);
  lately.set(index, known);
  return known;
}

function readKnown(world: World, index: number): RecordedPerson {
  const person = createPerson(world, index);
  const { first, count } = getRecordRange(world, index);
  const drafts = Array.from({ length: count }, (_, nth) => createRecordDraft(world, person, first + nth));
  const phones = distinct(drafts, (draft) => draft.phones, toPhoneKey);
  const places = distinct(drafts, (draft) => draft.places, toAddressKey);
  const office = person.hasJob ? getOffice(world, person) : null;
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

export const toPhoneKey = ({ country, digits }: GeneratedPhone): string => `${country.dial}-${digits}`;

/** The values that some record has without a mistake, each once. */
function distinct<T>(
  drafts: RecordDraft[],
  of: (draft: RecordDraft) => DraftValue<T>[],
  key: (value: T) => string,
): T[] {
  const values = drafts.flatMap(of).filter(({ value, entered }) => key(value) === key(entered));
  return [...new Map(values.map(({ value }) => [key(value), value])).values()];
}

/** Forms under which a record does not tell the present name: another one stands there. */
const OTHER_NAMES = new Set<NameForm['form']>(['former', 'western', 'replaced']);

/** Whether some record bears the name that the person goes by. */
export const hasRecordedName = ({ names }: RecordedPerson): boolean =>
  names.some(({ form }) => !OTHER_NAMES.has(form));

/** The members of a household that a record says this of, as the truth names them. */
function holders(
  world: World,
  { household }: GeneratedPerson,
  holds: (known: RecordedPerson) => boolean,
): string[] {
  const members = Array.from({ length: household.size }, (_, i) => household.first + i);
  return members.filter((member) => holds(getRecordedPerson(world, member))).map(toTruthId);
}
