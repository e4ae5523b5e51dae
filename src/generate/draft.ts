// Content of one record before its source formats it.
import {
  createFamilyEmailAddress,
  countEmailsOfPerson,
  createPersonalEmailAddress,
  createLandlineNumber,
  countMobileNumbersOfPerson,
  createMobileNumber,
  type GeneratedPhone,
} from './contacts.ts';
import {
  getOfficeOfPerson,
  createWorkEmailAddress,
  listHomes,
  type GeneratedAddress,
  createHomeAddress,
} from './places.ts';
import type { BirthDate } from './household.ts';
import { drawEnteredName, type NameVariant } from './name-variants.ts';
import type { GeneratedPerson } from './person.ts';
import { getItemAt, Random } from './random.ts';
import { WEIGHTED_RECORD_SOURCES, type RecordSource, RECORD_SOURCES } from './sources.ts';
import { addDigitTypo, addTypo } from './typos.ts';
import { RANDOM_STREAMS, NEWEST_RECORD_DATE, type GeneratedWorld } from './world.ts';

/** Correct value, and the value that was entered, which may contain a mistake. */
export interface TrueAndEnteredValue<T> {
  value: T;
  entered: T;
}

export interface RecordDraft {
  person: GeneratedPerson;
  source: RecordSource;
  /** Name in the record; null if the record has none. */
  name: NameVariant | null;
  mails: TrueAndEnteredValue<string>[];
  phones: TrueAndEnteredValue<GeneratedPhone>[];
  places: TrueAndEnteredValue<GeneratedAddress>[];
  birth: TrueAndEnteredValue<BirthDate> | null;
  firstYear: number;
  lastYear: number;
}

/** Input for choosing the parts of one generated record at random. */
interface Making {
  world: GeneratedWorld;
  person: GeneratedPerson;
  source: RecordSource;
  random: Random;
  year: number;
}

export function createRecordDraft(
  world: GeneratedWorld,
  person: GeneratedPerson,
  number: number,
): RecordDraft {
  const random = new Random(world.seed, RANDOM_STREAMS.record, number);
  const source = sourceOf(person, random);
  const [firstYear, lastYear] = yearsOf(person, source, random);
  const making = { world, person, source, random, year: lastYear };
  const name = random.chance(source.nameless) ? null : drawEnteredName(person, { source, random, firstYear });
  const mails = mailsIn(making);
  const phones = phonesIn(making);
  const places = placesIn(making);
  const hasContent = name !== null || mails.length + phones.length + places.length > 0;
  if (!hasContent || (name === null && mails.length + phones.length === 0)) mails.push(personalMail(making));
  const birth = random.chance(source.born) ? birthIn(making) : null;
  return { person, source, name, mails, phones, places, birth, firstYear, lastYear };
}

/** Draws the source of a record. A source with work contacts has only employed people; for others, another source is drawn. */
function sourceOf(person: GeneratedPerson, random: Random): RecordSource {
  const source = random.pickWeighted(WEIGHTED_RECORD_SOURCES);
  return source.work && !person.hasJob ? getItemAt(RECORD_SOURCES, random.int(3)) : source;
}

/**
 * Draws the first and last year of a record. Both are within the years of the source and after the person's 16th birthday; later years are more
 * likely.
 */
function yearsOf(
  person: GeneratedPerson,
  { years: [from, to] }: RecordSource,
  random: Random,
): [number, number] {
  const grown = Math.min(NEWEST_RECORD_DATE.year - 1, person.birth.year + 16);
  const start = Math.max(from, grown);
  const end = Math.max(start, to);
  const first = end - Math.floor((end - start) * random.next() ** 1.3);
  return [first, first + Math.floor((end - first) * random.next())];
}

function held<T>({ source, random }: Making, value: T, wrong: (value: T) => T): TrueAndEnteredValue<T> {
  return { value, entered: random.chance(source.mistakes) ? wrong(value) : value };
}

const heldMail = (making: Making, value: string): TrueAndEnteredValue<string> =>
  held(making, value, (mail) => mistypedMail(mail, making));

/** Adds a typo before the @. Returns the unchanged address if the typo would make it invalid. */
function mistypedMail(mail: string, { random }: Making): string {
  const end = mail.indexOf('@');
  const box = addTypo(mail.slice(0, end), 'keyed', random);
  return /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(box) ? box + mail.slice(end) : mail;
}

function personalMail(making: Making): TrueAndEnteredValue<string> {
  const { world, person, random } = making;
  if (person.household.hasFamilyMail && random.chance(0.4))
    return heldMail(making, createFamilyEmailAddress(world, person.household));
  return heldMail(
    making,
    createPersonalEmailAddress(world, person, currentOf(making, countEmailsOfPerson(world, person))),
  );
}

/** Draws which of a person's `count` successive values is in use in the year of the record, and returns its index. */
function currentOf({ person, year, random }: Making, count: number): number {
  const since = person.birth.year + 18;
  const share = (year - since + 4 * random.next()) / Math.max(8, NEWEST_RECORD_DATE.year - since);
  return Math.max(0, Math.min(count - 1, Math.floor(count * share)));
}

function mailsIn(making: Making): TrueAndEnteredValue<string>[] {
  const { world, person, source, random } = making;
  const mails: TrueAndEnteredValue<string>[] = [];
  if (source.work && random.chance(source.mail))
    mails.push(heldMail(making, createWorkEmailAddress(person, getOfficeOfPerson(world, person))));
  if (!source.work && random.chance(source.mail)) mails.push(personalMail(making));
  if (random.chance(source.more)) mails.push(heldMail(making, createPersonalEmailAddress(world, person, 0)));
  return mails.filter(({ value }, i) => mails.findIndex((other) => other.value === value) === i);
}

const heldPhone = (making: Making, value: GeneratedPhone): TrueAndEnteredValue<GeneratedPhone> =>
  held(making, value, (phone) => ({ ...phone, digits: addDigitTypo(phone.digits, making.random) }));

function phonesIn(making: Making): TrueAndEnteredValue<GeneratedPhone>[] {
  const { world, person, source, random } = making;
  const phones: TrueAndEnteredValue<GeneratedPhone>[] = [];
  const mobile = () =>
    heldPhone(
      making,
      createMobileNumber(person, currentOf(making, countMobileNumbersOfPerson(world, person))),
    );
  if (random.chance(source.phone)) {
    const landline = person.household.hasLandline && random.chance(source.landline);
    if (source.work) phones.push(heldPhone(making, getOfficeOfPerson(world, person).phone));
    else phones.push(landline ? heldPhone(making, createLandlineNumber(person.household)) : mobile());
  }
  if (random.chance(source.more)) phones.push(mobile());
  const digits = phones.map(({ value }) => value.digits);
  return phones.filter((_, i) => digits.indexOf(digits[i] ?? '') === i);
}

function placesIn(making: Making): TrueAndEnteredValue<GeneratedAddress>[] {
  const { world, person, source, random, year } = making;
  if (!random.chance(source.address)) return [];
  if (source.work) return [heldPlace(making, getOfficeOfPerson(world, person).place)];
  const { land } = person.household;
  const all = listHomes(world, person);
  const last = Math.max(0, all.filter(({ from }) => from <= year).length - 1);
  const homes = [getItemAt(all, last)];
  if (last > 0 && random.chance(source.earlier)) homes.push(getItemAt(all, last - 1));
  return homes.map((home) => heldPlace(making, createHomeAddress(world, land, home)));
}

function heldPlace(making: Making, value: GeneratedAddress): TrueAndEnteredValue<GeneratedAddress> {
  const { source, random } = making;
  return held(making, value, (place) => {
    const kind = random.next();
    if (kind < 0.55) return { ...place, street: addTypo(place.street, source.entry, random) };
    if (kind < 0.75)
      return { ...place, city: { ...place.city, name: addTypo(place.city.name, source.entry, random) } };
    if (kind < 0.9) return { ...place, zip: place.zip.replace(/(.)(.)$/, '$2$1') };
    return { ...place, number: Math.max(1, place.number + random.between(-1, 1) * 10) };
  });
}

function birthIn(making: Making): TrueAndEnteredValue<BirthDate> {
  const { random } = making;
  return held(making, making.person.birth, (birth) => {
    const kind = random.next();
    if (kind < 0.35 && birth.day <= 12) return { ...birth, month: birth.day, day: birth.month };
    if (kind < 0.6) return { ...birth, year: birth.year + (random.chance(0.5) ? 1 : -1) };
    if (kind < 0.7) return { ...birth, year: birth.year - 10 };
    return { ...birth, day: 1 + ((birth.day + random.between(1, 20)) % 28) };
  });
}
