// Homes and offices as addresses.
import type { City, Country } from '../tables/countries.ts';
import type { Home } from './home.ts';
import { Random } from '../random.ts';
import { IN_TOWER, type Land, STREAM, type World } from '../world.ts';

/** An address before anybody has written it down. */
export interface Place {
  country: Country;
  number: number;
  street: string;
  type: readonly [long: string, short: string];
  city: City;
  zip: string;
  /** Empty in a house for one household. */
  unit: string;
}

/** Share of homes that are a flat in a small house. */
const IN_FLAT = 0.12;
const ZIP_LETTERS = 'ABDEFGHJLNPRSTUWXY';

/** The address of a home. */
export function placeOfHome(world: World, land: Land, home: Home): Place {
  const random = new Random(world.seed, STREAM.home, home.owner * 8 + home.nth);
  if (random.chance(IN_TOWER)) return placeInTower(world, land, random);
  const unit = random.chance(IN_FLAT) ? unitOf(random, 9) : '';
  return { ...makePlace(land, random), unit };
}

/** One of a country's tower blocks, where a hundred homes differ in the unit alone. */
export function placeInTower(world: World, land: Land, random: Random): Place {
  const tower = random.int(land.towers);
  const place = makePlace(land, new Random(world.seed, STREAM.tower, land.index * 0x100_0000 + tower));
  return { ...place, unit: unitOf(random, 30) };
}

/** `12B`, `1204`, `7`. */
export function unitOf(random: Random, floors: number): string {
  const floor = random.between(1, floors);
  const door = random.between(1, 8);
  if (floors < 10) return String(floor);
  return random.chance(0.5) ? `${floor}${'ABCDEFGH'.charAt(door - 1)}` : `${floor}0${door}`;
}

/** An address without a unit. A street of one name has one postcode in a city. */
export function makePlace({ country }: Land, random: Random): Place {
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

/** What makes two addresses one: everything but how it is written. */
export function placeKey({ country, number, street, type, city, unit }: Place): string {
  return `${country.code}|${city.name}|${street}|${type[0]}|${number}|${unit}`;
}

/** The same, of all units of a building. */
export const buildingKey = (place: Place): string => placeKey({ ...place, unit: '' });
