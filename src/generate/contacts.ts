import { Random, getItemAt, findIntervalIndex } from './random.ts';
import { RANDOM_STREAMS, type GeneratedWorld, type GeneratedCountry } from './world.ts';
import type { Household } from './household.ts';
import type { GeneratedPerson } from './person.ts';
import type { Country, PhoneNumberPlan } from './tables.ts';

/** Share (0-1) of people who have had a second, and a third e-mail address. A later one replaces the earlier one. */
const MORE_MAILS = [0.55, 0.15];

export function countEmailsOfPerson(world: GeneratedWorld, person: GeneratedPerson): number {
  const random = new Random(world.seed, RANDOM_STREAMS.contact, person.index * 8);
  return 1 + MORE_MAILS.filter((share) => random.chance(share)).length;
}

/** Returns an e-mail address of a person. @param nth index of the address (0 to 3) */
export function createPersonalEmailAddress(
  world: GeneratedWorld,
  person: GeneratedPerson,
  nth: number,
): string {
  const random = new Random(world.seed, RANDOM_STREAMS.contact, person.index * 8 + 2 + nth);
  const { country } = person.household.land;
  return `${mailbox(world, person, random)}@${random.pickWeighted(country.mail)}`;
}

function mailbox(world: GeneratedWorld, person: GeneratedPerson, random: Random): string {
  const givenName = toLowerCaseLetters((person.western ?? person.given).text);
  const family = toLowerCaseLetters(
    random.chance(0.1) ? (person.maiden ?? person.family).text : person.family.text,
  );
  const short = random.pick([givenName, ...person.given.shorts.map(toLowerCaseLetters)]) || givenName;
  const initial = givenName.slice(0, 1);
  const forms = [
    `${givenName}.${family}`,
    `${givenName}${family}`,
    `${initial}${family}`,
    `${short}.${family}`,
    `${family}.${givenName}`,
    `${initial}.${family}`,
    `${givenName}_${family}`,
    `${short}${family}`,
    `${givenName}`,
  ].filter((form) => form.length > 4);
  const box = random.pickEarly(forms.length > 0 ? forms : [`${givenName}${family}`], 1.6);
  // The larger the world, the fewer people get their name without digits, and the more digits the other mailboxes need.
  const free = box.length > 12 ? Math.min(0.3, 2000 / world.people) : 0;
  const figures = Math.max(2, Math.round(Math.log10(world.people)) - 2);
  return random.chance(free) ? box : `${box}${random.int(10 ** random.between(figures, figures + 2))}`;
}

/** Returns the e-mail address that a household shares, such as `thehales4711@…`. */
export function createFamilyEmailAddress(world: GeneratedWorld, household: Household): string {
  const random = new Random(world.seed, RANDOM_STREAMS.contact, household.first * 8 + 7);
  const family = toLowerCaseLetters(household.family.text);
  const box = random.pick([`the${family}s`, `${family}.family`, `familie${family}`, `${family}family`]);
  return `${box}${random.int(10_000)}@${random.pickWeighted(household.land.country.mail)}`;
}

/** Converts a text to lower-case letters a-z, for the part of an e-mail before the @. */
export function toLowerCaseLetters(text: string): string {
  return toAscii(text)
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

export function toAscii(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłŁøØđĐıæº]/g, (letter) => LETTERS[letter] ?? '');
}

/** Phone number that is not formatted yet: country, and national digits without the country code. */
export interface GeneratedPhone {
  country: Country;
  digits: string;
}

/** Share (0-1) of people who have had two mobile numbers. The later number replaces the earlier one. */
const TWO_MOBILES = 0.35;

export function countMobileNumbersOfPerson(world: GeneratedWorld, person: GeneratedPerson): number {
  return new Random(world.seed, RANDOM_STREAMS.contact, person.index * 8 + 1).chance(TWO_MOBILES) ? 2 : 1;
}

/** Returns a mobile number of a person. The members of some couples share one. */
export function createMobileNumber(person: GeneratedPerson, nth: number): GeneratedPhone {
  const { household } = person;
  const owner = household.oneMobileForTwo ? household.first : person.index;
  return createPhoneNumber(household.land, 'mobile', owner * 3 + nth);
}

export function createLandlineNumber(household: Household): GeneratedPhone {
  return createPhoneNumber(household.land, 'landline', household.first * 3 + 2);
}

/**
 * Returns the phone number of an owner. People, households and offices have different owner numbers, so no two owners get the same phone number.
 */
export function createPhoneNumber(
  { country, slots }: GeneratedCountry,
  kind: 'mobile' | 'landline',
  owner: number,
): GeneratedPhone {
  const numbers: PhoneNumberPlan = country[kind];
  const slot = slots[kind].at(owner);
  const { items, sums } = numbers.ranges;
  const range = findIntervalIndex(sums, slot);
  const { prefix, free } = getItemAt(items, range);
  const line = slot - (range === 0 ? 0 : getItemAt(sums, range - 1));
  return { country, digits: `${prefix}${String(line).padStart(free, '0')}` };
}
