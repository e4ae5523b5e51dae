// Phones: which ones a person has, before anybody writes them down.
import { at, placeIn, Random } from '../random.ts';
import type { Country, Numbers } from '../tables/countries.ts';
import { type Land, STREAM, type World } from '../world.ts';
import type { Household } from './household.ts';
import type { Person } from './person.ts';

/** A phone: digits without the country code, as they stand in the national plan. */
export interface Phone {
  country: Country;
  digits: string;
}

/** Share of people who have had two mobiles; the later one replaces the earlier. */
const TWO_MOBILES = 0.35;

export function mobileCount(world: World, person: Person): number {
  return new Random(world.seed, STREAM.contact, person.index * 8 + 1).chance(TWO_MOBILES) ? 2 : 1;
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

/** The number of an owner: people, households and offices are numbered apart, so that no two have one. */
export function numberOf({ country, slots }: Land, kind: 'mobile' | 'landline', owner: number): Phone {
  const numbers: Numbers = country[kind];
  const slot = slots[kind].at(owner);
  const { items, sums } = numbers.ranges;
  const range = placeIn(sums, slot);
  const { prefix, free } = at(items, range);
  const line = slot - (range === 0 ? 0 : at(sums, range - 1));
  return { country, digits: `${prefix}${String(line).padStart(free, '0')}` };
}
