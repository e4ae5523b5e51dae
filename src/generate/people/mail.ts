// Mailboxes of people and households.
import { Random } from '../random.ts';
import { STREAM, type World } from '../world.ts';
import type { Household } from './household.ts';
import { plain } from './letters.ts';
import type { Person } from './person.ts';

/** Shares of people who have had a second and a third mailbox; later ones replace earlier ones. */
const MORE_MAILS = [0.55, 0.15];

export function mailCount(world: World, person: Person): number {
  const random = new Random(world.seed, STREAM.contact, person.index * 8);
  return 1 + MORE_MAILS.filter((share) => random.chance(share)).length;
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
