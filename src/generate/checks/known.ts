// What the records of a world say of a person, mistakes left out: what a check may count on.
import { officeOf } from '../people/office.ts';
import type { Phone } from '../people/phone.ts';
import { type Draft, type Held, makeDraft } from '../records/draft.ts';
import type { NameForm } from '../records/name-form.ts';
import { makePerson, type Person } from '../people/person.ts';
import { type Place, placeKey } from '../people/place.ts';
import { truthOf } from '../record.ts';
import { recordsOf, type World } from '../world.ts';

export interface Known {
  person: Person;
  /** Ids of the person's records. */
  records: string[];
  /** As each record has it; empty where none has one. */
  names: NameForm[];
  /** The person's own and the household's; what belongs to an office stands apart. */
  mails: string[];
  phones: Phone[];
  places: Place[];
  /** The office's switchboard and address, where a record has them. */
  workPhone: Phone | null;
  workPlace: Place | null;
}

/** Members of a household are asked about again and again while a case is made. */
const LATELY = new WeakMap<World, Map<number, Known>>();
const REMEMBERED = 500;

/** Reads a person's records. A stranger has none. */
export function knownOf(world: World, index: number): Known {
  let lately = LATELY.get(world);
  if (lately === undefined || lately.size > REMEMBERED) LATELY.set(world, (lately = new Map()));
  const known = lately.get(index) ?? readKnown(world, index);
  lately.set(index, known);
  return known;
}

function readKnown(world: World, index: number): Known {
  const person = makePerson(world, index);
  const { first, count } = recordsOf(world, index);
  const drafts = Array.from({ length: count }, (_, nth) => makeDraft(world, person, first + nth));
  const phones = distinct(drafts, (draft) => draft.phones, phoneKey);
  const places = distinct(drafts, (draft) => draft.places, placeKey);
  const office = person.hasJob ? officeOf(world, person) : null;
  const isWorkPhone = (phone: Phone) => office !== null && phone.digits === office.phone.digits;
  const isWorkPlace = (place: Place) => office !== null && placeKey(place) === placeKey(office.place);
  return {
    person,
    records: drafts.map(({ source }, nth) => `${source.id}-${world.order.placeOf(first + nth)}`),
    names: drafts.flatMap(({ name }) => name ?? []),
    mails: distinct(
      drafts,
      (draft) => draft.mails,
      (mail) => mail,
    ),
    phones: phones.filter((phone) => !isWorkPhone(phone)),
    places: places.filter((place) => !isWorkPlace(place)),
    workPhone: phones.find(isWorkPhone) ?? null,
    workPlace: places.find(isWorkPlace) ?? null,
  };
}

export const phoneKey = ({ country, digits }: Phone): string => `${country.dial}-${digits}`;

/** The values that some record has without a mistake, each once. */
function distinct<T>(drafts: Draft[], of: (draft: Draft) => Held<T>[], key: (value: T) => string): T[] {
  const values = drafts.flatMap(of).filter(({ value, entered }) => key(value) === key(entered));
  return [...new Map(values.map(({ value }) => [key(value), value])).values()];
}

/** Forms under which a record does not tell the present name: another one stands there. */
const OTHER_NAMES = new Set<NameForm['form']>(['former', 'western', 'replaced']);

/** Whether some record bears the name that the person goes by. */
export const isNamed = ({ names }: Known): boolean => names.some(({ form }) => !OTHER_NAMES.has(form));

/** The members of a household that a record says this of, as the truth names them. */
export function holders(world: World, { household }: Person, holds: (known: Known) => boolean): string[] {
  const members = Array.from({ length: household.size }, (_, i) => household.first + i);
  return members.filter((member) => holds(knownOf(world, member))).map(truthOf);
}
