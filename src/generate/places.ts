import type { City, Country } from './tables.ts';
import { Random, getItemAt } from './random.ts';
import {
  TOWER_BLOCK_HOME_SHARE,
  type GeneratedCountry,
  RANDOM_STREAMS,
  type GeneratedWorld,
  OFFICE_SIZES_WITH_SHARES,
} from './world.ts';
import type { GeneratedPerson } from './person.ts';
import { toLowerCaseLetters, createPhoneNumber, type GeneratedPhone } from './contacts.ts';

export interface GeneratedAddress {
  country: Country;
  number: number;
  street: string;
  type: readonly [long: string, short: string];
  city: City;
  zip: string;
  /** Flat or suite; empty if the building has only one unit. */
  unit: string;
}

/** Share (0-1) of homes that are flats, among homes outside tower blocks. */
const IN_FLAT = 0.12;
const ZIP_LETTERS = 'ABDEFGHJLNPRSTUWXY';

export function createHomeAddress(
  world: GeneratedWorld,
  land: GeneratedCountry,
  home: Home,
): GeneratedAddress {
  const random = new Random(world.seed, RANDOM_STREAMS.home, home.owner * 8 + home.nth);
  if (random.chance(TOWER_BLOCK_HOME_SHARE)) return drawTowerAddress(world, land, random);
  const unit = random.chance(IN_FLAT) ? drawUnitNumber(random, 9) : '';
  return { ...drawAddress(land, random), unit };
}

/** Draws a unit in a tower block of the country. The addresses in one block differ only in the unit. */
function drawTowerAddress(world: GeneratedWorld, land: GeneratedCountry, random: Random): GeneratedAddress {
  const tower = random.int(land.towers);
  const place = drawAddress(
    land,
    new Random(world.seed, RANDOM_STREAMS.tower, land.index * 0x100_0000 + tower),
  );
  return { ...place, unit: drawUnitNumber(random, 30) };
}

/** Draws the number of a flat or suite, such as `3`, `12B` or `1204`, in a building with `floors` floors. */
export function drawUnitNumber(random: Random, floors: number): string {
  const floor = random.between(1, floors);
  const door = random.between(1, 8);
  if (floors < 10) return String(floor);
  return random.chance(0.5) ? `${floor}${'ABCDEFGH'.charAt(door - 1)}` : `${floor}0${door}`;
}

/** Draws an address without a unit. All addresses of a street in a city have the same postcode. */
export function drawAddress({ country }: GeneratedCountry, random: Random): GeneratedAddress {
  const city = random.pickEarly(country.cities, 1.3);
  const { listed, parts } = country.streets;
  const [left, right] = parts;
  const street = random.chance(0.15)
    ? random.pickWeighted(listed)
    : `${random.pick(left)}${random.pick(right)}`.trimEnd();
  const type = random.pickWeighted(country.types);
  const number = 1 + Math.floor(country.highestNumber * random.next() ** 2.2);
  const zip = zipOf(city.zip, `${street}${type[0]}${city.name}`);
  return { country, number, street, type, city, zip, unit: '' };
}

function zipOf(form: string, street: string): string {
  let state = 0;
  for (let i = 0; i < street.length; i++) state = (Math.imul(state, 31) + street.charCodeAt(i)) | 0;
  const random = new Random(state, 0, 0);
  let zip = '';
  for (const sign of form) {
    if (sign === '#') zip += random.int(10);
    else zip += sign === '@' ? ZIP_LETTERS.charAt(random.int(ZIP_LETTERS.length)) : sign;
  }
  return zip;
}

/** Returns a text that is equal for addresses that differ only in spelling or format. */
export function toAddressKey({ country, number, street, type, city, unit }: GeneratedAddress): string {
  return `${country.code}|${city.name}|${street}|${type[0]}|${number}|${unit}`;
}

export const toBuildingKey = (place: GeneratedAddress): string => toAddressKey({ ...place, unit: '' });

/** Home of an owner, who is a person or the first member of a household. `nth` counts the owner's homes; `from` is the first year. */
interface Home {
  owner: number;
  nth: number;
  from: number;
}

/** Share (0-1) of people with one or two earlier homes. In half of these cases the whole household moved. */
const HAS_MOVED = 0.55;

/** Returns the homes of a person, the earliest first. The last one is the household's present home. */
export function listHomes(world: GeneratedWorld, { index, household, birth }: GeneratedPerson): Home[] {
  const random = new Random(world.seed, RANDOM_STREAMS.moves, index);
  const current = { owner: household.first, nth: 0, from: household.moved };
  if (!random.chance(HAS_MOVED)) return [current];
  const together = random.chance(0.5);
  const adult = Math.max(1985, birth.year + 18);
  const years = Math.max(0, household.moved - adult);
  const earlier = Array.from({ length: random.between(1, 2) }, (_, i) => ({
    owner: together ? household.first : index,
    // A household's earlier homes are numbered from 1, a single member's own earlier homes from 5.
    nth: (together ? 1 : 5) + i,
    from: adult + Math.floor((i * years) / 2),
  }));
  return [...earlier.filter(({ from }) => from < household.moved), current];
}

/** Office of invented employees, with one switchboard number and one e-mail domain. */
interface Office {
  domain: string;
  phone: GeneratedPhone;
  place: GeneratedAddress;
  key: number;
}

const OFFICE_WORDS = [
  'north harbor bright cedar blue iron stone river summit valley silver crown metro union prime delta atlas orion lumen vertex',
  'gate line works field bridge point lab trade wave port craft forge path mark stack grid desk house cargo media',
].map((list) => list.split(' ')) as [string[], string[]];

export function getOfficeOfPerson(world: GeneratedWorld, person: GeneratedPerson): Office {
  const { land } = person.household;
  const random = new Random(world.seed, RANDOM_STREAMS.job, person.index);
  let share = random.next();
  let kind = 0;
  for (; kind < OFFICE_SIZES_WITH_SHARES.length - 1; kind++) {
    share -= getItemAt(OFFICE_SIZES_WITH_SHARES, kind)[1];
    if (share < 0) break;
  }
  const before = land.offices.slice(0, kind).reduce((sum, count) => sum + count, 0);
  return makeOffice(world, land, before + random.int(getItemAt(land.offices, kind)));
}

function makeOffice(world: GeneratedWorld, land: GeneratedCountry, index: number): Office {
  const key = land.index * 0x100_0000 + index;
  const random = new Random(world.seed, RANDOM_STREAMS.office, key);
  const [first, second] = OFFICE_WORDS;
  const owners = 3 * (world.firstStranger + 0x1_0000);
  return {
    key,
    domain: `${random.pick(first)}${random.pick(second)}${index}.example`,
    phone: createPhoneNumber(land, 'landline', owners + index),
    place: {
      ...drawAddress(land, random),
      unit: random.chance(0.3) ? String(100 * random.between(1, 20)) : '',
    },
  };
}

/** Creates the e-mail `given.family@office`. A third of people have digits in it, as if the name were already in use. */
export function createWorkEmailAddress(person: GeneratedPerson, office: Office): string {
  const figure = person.index % 3 === 0 ? String(person.index % 1000) : '';
  return `${toLowerCaseLetters(person.given.text)}.${toLowerCaseLetters(person.family.text)}${figure}@${office.domain}`;
}
