// E-mails and phones: which ones a person has, and their spelling before anybody writes them down.
import type { Country, Numbers } from '../tables/countries.ts';
import type { Household } from './household.ts';
import type { Person } from './person.ts';
import { at, placeIn, Random } from '../random.ts';
import { type Land, OFFICE_SIZES, STREAM, type World } from '../world.ts';
import { makePlace, type Place } from './place.ts';

/** A phone: digits without the country code, as they stand in the national plan. */
export interface Phone {
  country: Country;
  digits: string;
}

/** An office with one switchboard and one domain. */
export interface Office {
  domain: string;
  phone: Phone;
  place: Place;
  /** What its colleagues have in common with nobody else. */
  key: number;
}

/** How many personal mailboxes and mobiles a person has had, most people one or two; later ones replace earlier ones. */
const HAS_MORE = { mails: [0.55, 0.15], mobiles: 0.35 } as const;
const OFFICE_WORDS = [
  'north harbor bright cedar blue iron stone river summit valley silver crown metro union prime delta atlas orion lumen vertex',
  'gate line works field bridge point lab trade wave port craft forge path mark stack grid desk house cargo media',
].map((list) => list.split(' ')) as [string[], string[]];

export function mailCount(world: World, person: Person): number {
  const random = new Random(world.seed, STREAM.contact, person.index * 8);
  return 1 + HAS_MORE.mails.filter((share) => random.chance(share)).length;
}

export function mobileCount(world: World, person: Person): number {
  return new Random(world.seed, STREAM.contact, person.index * 8 + 1).chance(HAS_MORE.mobiles) ? 2 : 1;
}

/** A personal mailbox: `nth` below 4. */
export function mailOf(world: World, person: Person, nth: number): string {
  const random = new Random(world.seed, STREAM.contact, person.index * 8 + 2 + nth);
  const { country } = person.household.land;
  return `${mailbox(world, person, random)}@${random.pickWeighted(country.mail)}`;
}

function mailbox(world: World, person: Person, random: Random): string {
  const given = plain((person.western ?? person.given).text);
  const family = plain(random.chance(0.1) ? (person.maiden ?? person.family).text : person.family.text);
  const short = random.pick([given, ...person.given.shorts.map(plain)]) || given;
  const initial = given.slice(0, 1);
  const forms = [
    `${given}.${family}`,
    `${given}${family}`,
    `${initial}${family}`,
    `${short}.${family}`,
    `${family}.${given}`,
    `${initial}.${family}`,
    `${given}_${family}`,
    `${short}${family}`,
    `${given}`,
  ].filter((form) => form.length > 4);
  const box = random.pickEarly(forms.length > 0 ? forms : [`${given}${family}`], 1.6);
  // The more people there are, the fewer find their own name free, and the longer are the figures that the others add.
  const free = box.length > 12 ? Math.min(0.3, 2000 / world.people) : 0;
  const figures = Math.max(2, Math.round(Math.log10(world.people)) - 2);
  return random.chance(free) ? box : `${box}${random.int(10 ** random.between(figures, figures + 2))}`;
}

/** The mailbox of a household: `thehales4711@…`. */
export function familyMail(world: World, household: Household): string {
  const random = new Random(world.seed, STREAM.contact, household.first * 8 + 7);
  const family = plain(household.family.text);
  const box = random.pick([`the${family}s`, `${family}.family`, `familie${family}`, `${family}family`]);
  return `${box}${random.int(10_000)}@${random.pickWeighted(household.land.country.mail)}`;
}

/** A mobile number; a couple may have one between them. */
export function mobileOf(person: Person, nth: number): Phone {
  const { household } = person;
  const owner = household.oneMobileForTwo ? household.first : person.index;
  return numberOf(household.land, 'mobile', owner * 3 + nth);
}

export function landlineOf(household: Household): Phone {
  return numberOf(household.land, 'landline', household.first * 3 + 2);
}

/** Where a person works: an office of one of the classes of size. */
export function officeOf(world: World, person: Person): Office {
  const { land } = person.household;
  const random = new Random(world.seed, STREAM.job, person.index);
  let share = random.next();
  let kind = 0;
  for (; kind < OFFICE_SIZES.length - 1; kind++) {
    share -= at(OFFICE_SIZES, kind)[1];
    if (share < 0) break;
  }
  const before = land.offices.slice(0, kind).reduce((sum, count) => sum + count, 0);
  return makeOffice(world, land, before + random.int(at(land.offices, kind)));
}

function makeOffice(world: World, land: Land, index: number): Office {
  const key = land.index * 0x100_0000 + index;
  const random = new Random(world.seed, STREAM.office, key);
  const [first, second] = OFFICE_WORDS;
  const owners = 3 * (world.firstStranger + 0x1_0000);
  return {
    key,
    domain: `${random.pick(first)}${random.pick(second)}${index}.example`,
    phone: numberOf(land, 'landline', owners + index),
    place: {
      ...makePlace(land, random),
      unit: random.chance(0.3) ? String(100 * random.between(1, 20)) : '',
    },
  };
}

/** `given.family@office`, with a figure where others of the name work there. */
export function workMail(person: Person, office: Office): string {
  const figure = person.index % 3 === 0 ? String(person.index % 1000) : '';
  return `${plain(person.given.text)}.${plain(person.family.text)}${figure}@${office.domain}`;
}

function numberOf({ country, slots }: Land, kind: 'mobile' | 'landline', owner: number): Phone {
  const numbers: Numbers = country[kind];
  const slot = slots[kind].at(owner);
  const { items, sums } = numbers.ranges;
  const range = placeIn(sums, slot);
  const { prefix, free } = at(items, range);
  const line = slot - (range === 0 ? 0 : at(sums, range - 1));
  return { country, digits: `${prefix}${String(line).padStart(free, '0')}` };
}

/** Lower-case letters a-z: what mailboxes are made of. */
export function plain(text: string): string {
  return ascii(text)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

const LETTERS: Record<string, string> = {
  ß: 'ss',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  æ: 'ae',
  º: '',
};
const ASCII = /^[\u0020-\u007e]*$/;

/** Without accents. */
export function ascii(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłŁøØđĐıæº]/g, (letter) => LETTERS[letter] ?? '');
}
