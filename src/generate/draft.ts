// What one record says of a person, before it is put into the words of its source.
import { familyMail, mailCount, mailOf, landlineOf, mobileCount, mobileOf, type Phone } from './contacts.ts';
import { officeOf, workMail, homesOf, type Place, placeOfHome } from './places.ts';
import type { Birth } from './household.ts';
import { enterName, type NameForm } from './name-forms.ts';
import type { Person } from './person.ts';
import { at, Random } from './random.ts';
import { BY_SHARE, type Source, SOURCES } from './sources.ts';
import { misdial, mistype } from './typos.ts';
import { STREAM, TODAY, type World } from './world.ts';

/** A value, and what was entered for it: the same but for mistakes. */
export interface Held<T> {
  value: T;
  entered: T;
}

export interface Draft {
  person: Person;
  source: Source;
  /** Null in a record without a name. */
  name: NameForm | null;
  mails: Held<string>[];
  phones: Held<Phone>[];
  places: Held<Place>[];
  birth: Held<Birth> | null;
  firstYear: number;
  lastYear: number;
}

/** One draft in the making. */
interface Making {
  world: World;
  person: Person;
  source: Source;
  random: Random;
  year: number;
}

/** What record `number` says of the person whom it is about. */
export function makeDraft(world: World, person: Person, number: number): Draft {
  const random = new Random(world.seed, STREAM.record, number);
  const source = sourceOf(person, random);
  const [firstYear, lastYear] = yearsOf(person, source, random);
  const making = { world, person, source, random, year: lastYear };
  const name = random.chance(source.nameless) ? null : enterName(person, { source, random, firstYear });
  const mails = mailsIn(making);
  const phones = phonesIn(making);
  const places = placesIn(making);
  const said = name !== null || mails.length + phones.length + places.length > 0;
  if (!said || (name === null && mails.length + phones.length === 0)) mails.push(personalMail(making));
  const birth = random.chance(source.born) ? birthIn(making) : null;
  return { person, source, name, mails, phones, places, birth, firstYear, lastYear };
}

/** Whom an office employs is in its directory; others are in another source instead. */
function sourceOf(person: Person, random: Random): Source {
  const source = random.pickWeighted(BY_SHARE);
  return source.work && !person.hasJob ? at(SOURCES, random.int(3)) : source;
}

/** A record's years: within those of the source and of a grown-up person, later ones likelier. */
function yearsOf(person: Person, { years: [from, to] }: Source, random: Random): [number, number] {
  const grown = Math.min(TODAY.year - 1, person.birth.year + 16);
  const start = Math.max(from, grown);
  const end = Math.max(start, to);
  const first = end - Math.floor((end - start) * random.next() ** 1.3);
  return [first, first + Math.floor((end - first) * random.next())];
}

function held<T>({ source, random }: Making, value: T, wrong: (value: T) => T): Held<T> {
  return { value, entered: random.chance(source.mistakes) ? wrong(value) : value };
}

const heldMail = (making: Making, value: string): Held<string> =>
  held(making, value, (mail) => mistypedMail(mail, making));

/** In the mailbox, not in the domain, and such that it stays one. */
function mistypedMail(mail: string, { random }: Making): string {
  const end = mail.indexOf('@');
  const box = mistype(mail.slice(0, end), 'keyed', random);
  return /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(box) ? box + mail.slice(end) : mail;
}

function personalMail(making: Making): Held<string> {
  const { world, person, random } = making;
  if (person.household.hasFamilyMail && random.chance(0.4))
    return heldMail(making, familyMail(world, person.household));
  return heldMail(making, mailOf(world, person, currentOf(making, mailCount(world, person))));
}

/** Which of several values that replaced one another was in use: the later the year, the later the value. */
function currentOf({ person, year, random }: Making, count: number): number {
  const since = person.birth.year + 18;
  const share = (year - since + 4 * random.next()) / Math.max(8, TODAY.year - since);
  return Math.max(0, Math.min(count - 1, Math.floor(count * share)));
}

function mailsIn(making: Making): Held<string>[] {
  const { world, person, source, random } = making;
  const mails: Held<string>[] = [];
  if (source.work && random.chance(source.mail))
    mails.push(heldMail(making, workMail(person, officeOf(world, person))));
  if (!source.work && random.chance(source.mail)) mails.push(personalMail(making));
  if (random.chance(source.more)) mails.push(heldMail(making, mailOf(world, person, 0)));
  return mails.filter(({ value }, i) => mails.findIndex((other) => other.value === value) === i);
}

const heldPhone = (making: Making, value: Phone): Held<Phone> =>
  held(making, value, (phone) => ({ ...phone, digits: misdial(phone.digits, making.random) }));

function phonesIn(making: Making): Held<Phone>[] {
  const { world, person, source, random } = making;
  const phones: Held<Phone>[] = [];
  const mobile = () => heldPhone(making, mobileOf(person, currentOf(making, mobileCount(world, person))));
  if (random.chance(source.phone)) {
    const landline = person.household.hasLandline && random.chance(source.landline);
    if (source.work) phones.push(heldPhone(making, officeOf(world, person).phone));
    else phones.push(landline ? heldPhone(making, landlineOf(person.household)) : mobile());
  }
  if (random.chance(source.more)) phones.push(mobile());
  const digits = phones.map(({ value }) => value.digits);
  return phones.filter((_, i) => digits.indexOf(digits[i] ?? '') === i);
}

function placesIn(making: Making): Held<Place>[] {
  const { world, person, source, random, year } = making;
  if (!random.chance(source.address)) return [];
  if (source.work) return [heldPlace(making, officeOf(world, person).place)];
  const { land } = person.household;
  const all = homesOf(world, person);
  const last = Math.max(0, all.filter(({ from }) => from <= year).length - 1);
  const homes = [at(all, last)];
  if (last > 0 && random.chance(source.earlier)) homes.push(at(all, last - 1));
  return homes.map((home) => heldPlace(making, placeOfHome(world, land, home)));
}

function heldPlace(making: Making, value: Place): Held<Place> {
  const { source, random } = making;
  return held(making, value, (place) => {
    const kind = random.next();
    if (kind < 0.55) return { ...place, street: mistype(place.street, source.entry, random) };
    if (kind < 0.75)
      return { ...place, city: { ...place.city, name: mistype(place.city.name, source.entry, random) } };
    if (kind < 0.9) return { ...place, zip: place.zip.replace(/(.)(.)$/, '$2$1') };
    return { ...place, number: Math.max(1, place.number + random.between(-1, 1) * 10) };
  });
}

function birthIn(making: Making): Held<Birth> {
  const { random } = making;
  return held(making, making.person.birth, (birth) => {
    const kind = random.next();
    if (kind < 0.35 && birth.day <= 12) return { ...birth, month: birth.day, day: birth.month };
    if (kind < 0.6) return { ...birth, year: birth.year + (random.chance(0.5) ? 1 : -1) };
    if (kind < 0.7) return { ...birth, year: birth.year - 10 };
    return { ...birth, day: 1 + ((birth.day + random.between(1, 20)) % 28) };
  });
}
