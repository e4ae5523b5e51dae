// Where people work.
import { at, Random } from '../random.ts';
import { type Land, OFFICE_SIZES, STREAM, type World } from '../world.ts';
import { plain } from './letters.ts';
import type { Person } from './person.ts';
import { numberOf, type Phone } from './phone.ts';
import { makePlace, type Place } from './place.ts';

/** An office with one switchboard and one domain. */
export interface Office {
  domain: string;
  phone: Phone;
  place: Place;
  /** What its colleagues have in common with nobody else. */
  key: number;
}

const OFFICE_WORDS = [
  'north harbor bright cedar blue iron stone river summit valley silver crown metro union prime delta atlas orion lumen vertex',
  'gate line works field bridge point lab trade wave port craft forge path mark stack grid desk house cargo media',
].map((list) => list.split(' ')) as [string[], string[]];

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
