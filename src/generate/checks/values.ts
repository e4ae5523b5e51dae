// Values to send: one's own, somebody else's, ones that nobody has.
import { mailOf } from '../people/mail.ts';
import { mobileOf, type Phone } from '../people/phone.ts';
import { exactName, type NameForm } from '../records/name-form.ts';
import { makePerson, type Person } from '../people/person.ts';
import { makePlace, type Place, placeKey } from '../people/place.ts';
import type { World } from '../world.ts';
import type { Contacts, Draw, Plan, Sent, Verdict } from './case.ts';
import { holders, type Known, knownOf, phoneKey } from './known.ts';

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
