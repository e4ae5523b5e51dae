// Values to send: one's own, somebody else's, ones that nobody has.
import type { Random } from '../random.ts';
import { mailOf, mobileOf, type Phone } from '../contacts.ts';
import { exactName, type NameForm } from '../name-forms.ts';
import { makePerson, type Person } from '../person.ts';
import { makePlace, type Place, placeKey, officeOf } from '../places.ts';
import { type World, recordsOf } from '../world.ts';
import { type Draft, type Held, makeDraft } from '../draft.ts';
import { truthOf } from '../records.ts';

/** On record for the person of the submitted name; for others only; for nobody. */
export type Verdict = 'match' | 'other' | 'unknown';

/** A value to send, and whom the records give it to. */
export interface Sent<T> {
  value: T;
  verdict: Verdict;
  owners: string[];
}

export interface Contacts {
  mails: Sent<string>[];
  phones: Sent<Phone>[];
  places: Sent<Place>[];
}

/** What a maker of cases draws from. */
export interface Draw {
  world: World;
  random: Random;
  /** Whom the case is about. */
  subject: Known;
}

/** A case before it is written down. */
export interface Plan extends Contacts {
  name: NameForm;
  /** Who bears the submitted name. */
  bearer: Person;
  /** Records of the person whom the answer should be about; none where nobody's name and values agree. */
  records: string[];
  nameVerdict: Verdict;
}

/** Which kinds of contact. */
export type Kinds = readonly ('mails' | 'phones' | 'places')[];
export const ALL_KINDS: Kinds = ['mails', 'phones', 'places'];

export const NO_CONTACTS: Contacts = { mails: [], phones: [], places: [] };

/** One value of each kind that is on record for somebody; null where one of the kinds is not. */
export function onRecord(draw: Draw, of: Known, ask: { kinds: Kinds; verdict: Verdict }): Contacts | null {
  const { kinds, verdict } = ask;
  if (kinds.some((kind) => of[kind].length === 0)) return null;
  const { random } = draw;
  return {
    mails: kinds.includes('mails') ? [sentMail(draw, of, { value: random.pick(of.mails), verdict })] : [],
    phones: kinds.includes('phones') ? [sentPhone(draw, of, { value: random.pick(of.phones), verdict })] : [],
    places: kinds.includes('places') ? [sentPlace(draw, of, { value: random.pick(of.places), verdict })] : [],
  };
}

interface One<T> {
  value: T;
  verdict: Verdict;
}

export function sentMail({ world }: Draw, { person }: Known, one: One<string>): Sent<string> {
  return { ...one, owners: holders(world, person, ({ mails }) => mails.includes(one.value)) };
}

export function sentPhone({ world }: Draw, { person }: Known, one: One<Phone>): Sent<Phone> {
  const has = ({ phones }: Known) => phones.some((phone) => phoneKey(phone) === phoneKey(one.value));
  return { ...one, owners: holders(world, person, has) };
}

export function sentPlace({ world }: Draw, { person }: Known, one: One<Place>): Sent<Place> {
  const has = ({ places }: Known) => places.some((place) => placeKey(place) === placeKey(one.value));
  return { ...one, owners: holders(world, person, has) };
}

/** Kinds of which the subject has something on record. */
export const kindsOf = (known: Known): Kinds => ALL_KINDS.filter((kind) => known[kind].length > 0);

/** New values of somebody whom no record knows, in the subject's country. */
export function unheardOf({ world, random, subject }: Draw, kinds: Kinds): Contacts {
  const { land } = subject.person.household;
  const somebody = strangerLike(world, subject.person, random.int(60_000));
  const nobody = { verdict: 'unknown' as const, owners: [] };
  const place = makePlace(land, random);
  return {
    mails: kinds.includes('mails') ? [{ value: mailOf(world, somebody, 0), ...nobody }] : [],
    phones: kinds.includes('phones') ? [{ value: mobileOf(somebody, 0), ...nobody }] : [],
    places: kinds.includes('places') ? [{ value: place, ...nobody }] : [],
  };
}

/** A person without records who lives in the country of another. Only the name and own contacts are theirs. */
export function strangerLike(world: World, other: Person, number: number): Person {
  const stranger = makePerson(world, world.firstStranger + number);
  const household = { ...stranger.household, land: other.household.land, oneMobileForTwo: false };
  return { ...stranger, household };
}

/** Somebody else with records, of another household, and with something of each kind on record. */
export function somebodyElse({ world, random, subject }: Draw, kinds: Kinds): Known | null {
  const { household } = subject.person;
  for (let tries = 0; tries < 40; tries++) {
    const index = random.int(world.people);
    const near = index >= household.first && index < household.first + household.size;
    const other = near ? null : knownOf(world, index);
    if (other !== null && sameCountry(other, subject) && kinds.every((kind) => other[kind].length > 0))
      return other;
  }
  return null;
}

const sameCountry = (a: Known, b: Known): boolean =>
  a.person.household.land.index === b.person.household.land.index;

export function joined(a: Contacts, b: Contacts): Contacts {
  return {
    mails: [...a.mails, ...b.mails],
    phones: [...a.phones, ...b.phones],
    places: [...a.places, ...b.places],
  };
}

/** The subject under a form of the own name, with these contacts. */
export function asSubject({ subject }: Draw, contacts: Contacts, name?: NameForm): Plan {
  const { person, records, names } = subject;
  return {
    ...contacts,
    name: name ?? exactName(person),
    bearer: person,
    records,
    nameVerdict: names.length > 0 ? 'match' : 'unknown',
  };
}

/** Somebody whom no record knows, with these contacts. */
export function asStranger(bearer: Person, contacts: Contacts, name?: NameForm): Plan {
  return { ...contacts, name: name ?? exactName(bearer), bearer, records: [], nameVerdict: 'unknown' };
}

// What the records of a world say of a person, mistakes left out: what a check may count on.
export interface Known {
  person: Person;
  /** Ids of the person's records. */
  records: string[];
  /** As each record has it; empty where none has one. */
  names: NameForm[];
  /** The person's own and the household's; what belongs to an office stands apart. */
  mails: string[];
  phones: Phone[];
  places: Place[];
  /** The office's switchboard and address, where a record has them. */
  workPhone: Phone | null;
  workPlace: Place | null;
}

/** Members of a household are asked about again and again while a case is made. */
const LATELY = new WeakMap<World, Map<number, Known>>();
const REMEMBERED = 500;

/** Reads a person's records. A stranger has none. */
export function knownOf(world: World, index: number): Known {
  let lately = LATELY.get(world);
  if (lately === undefined || lately.size > REMEMBERED) LATELY.set(world, (lately = new Map()));
  const known = lately.get(index) ?? readKnown(world, index);
  lately.set(index, known);
  return known;
}

function readKnown(world: World, index: number): Known {
  const person = makePerson(world, index);
  const { first, count } = recordsOf(world, index);
  const drafts = Array.from({ length: count }, (_, nth) => makeDraft(world, person, first + nth));
  const phones = distinct(drafts, (draft) => draft.phones, phoneKey);
  const places = distinct(drafts, (draft) => draft.places, placeKey);
  const office = person.hasJob ? officeOf(world, person) : null;
  const isWorkPhone = (phone: Phone) => office !== null && phone.digits === office.phone.digits;
  const isWorkPlace = (place: Place) => office !== null && placeKey(place) === placeKey(office.place);
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

export const phoneKey = ({ country, digits }: Phone): string => `${country.dial}-${digits}`;

/** The values that some record has without a mistake, each once. */
function distinct<T>(drafts: Draft[], of: (draft: Draft) => Held<T>[], key: (value: T) => string): T[] {
  const values = drafts.flatMap(of).filter(({ value, entered }) => key(value) === key(entered));
  return [...new Map(values.map(({ value }) => [key(value), value])).values()];
}

/** Forms under which a record does not tell the present name: another one stands there. */
const OTHER_NAMES = new Set<NameForm['form']>(['former', 'western', 'replaced']);

/** Whether some record bears the name that the person goes by. */
export const isNamed = ({ names }: Known): boolean => names.some(({ form }) => !OTHER_NAMES.has(form));

/** The members of a household that a record says this of, as the truth names them. */
function holders(world: World, { household }: Person, holds: (known: Known) => boolean): string[] {
  const members = Array.from({ length: household.size }, (_, i) => household.first + i);
  return members.filter((member) => holds(knownOf(world, member))).map(truthOf);
}
