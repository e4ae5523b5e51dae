// Lists of people inside objects: `{ "lease": "L-17", "tenants": [{ "name": …, "email": … }] }`. Each of the people gets a record of its own.
import { guessColumn } from '../../columns/guess.ts';
import { ADDRESS_FIELDS, NAME_FIELDS, type TableColumn, toHeaderKey } from '../../columns/headers.ts';
import { isColumnGroupOfRelative, isColumnGroupOfRelativeOrGuarantor } from '../../columns/words.ts';
import { findPersonalValueTypesOfKeys } from '../wrapped.ts';

/** Value of an object, with the path of its property as the header. */
export interface ValueOfObject {
  header: string;
  cell: string;
  /** Person in a list to whom the value belongs, as in the record id: `tenants2`. Missing for values of the object itself. */
  person?: string;
  /** True if that person cannot be the person of the object, because the list is one of relatives or guarantors. */
  isRelative?: boolean;
}

/** First part of the headers of people in lists, in place of the name of the list, which may mean anything. */
export const PERSON_IN_LIST = 'person';

/** Number of first elements that show what a list contains. */
const CHECKED_ELEMENTS = 3;

/** True if a list contains objects of people: the first ones have a name, and an e-mail or phone. */
export const isListOfPeople = (list: readonly unknown[]): boolean =>
  list.slice(0, CHECKED_ELEMENTS).some((element) => {
    const keys = Object.entries(element ?? {}).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${PERSON_IN_LIST}.${key}.${inner}`)
        : `${PERSON_IN_LIST}.${key}`,
    );
    const types = findPersonalValueTypesOfKeys(keys);
    return types.has('name') && (types.has('email') || types.has('phone'));
  });

const MOST_LIST_NAME = 40;

type PersonOfValue = Pick<ValueOfObject, 'person' | 'isRelative'>;

/**
 * Returns a function that returns the person that an element of a list is. `inner` is the person in a list inside the element, if the value belongs to
 * one.
 */
export function describeListOfPeople(
  path: readonly string[],
): (number: number, inner?: string) => PersonOfValue {
  const { group = '' } = guessColumn(path.join('.')) ?? {};
  const isRelative = isColumnGroupOfRelativeOrGuarantor(group);
  const name = toHeaderKey(path.at(-1) ?? '').slice(0, MOST_LIST_NAME);
  return (number, inner) => ({ person: [`${name}${number}`, inner ?? []].flat().join('/'), isRelative });
}

/**
 * Separates the values of the people in lists. A person without a name, or without an e-mail or phone, is left out, and then `others` is true. The first
 * person is that of the object if the object names nobody and has no e-mail or phone of its own.
 */
export function separatePeopleInLists<T extends ValueOfObject>(
  values: readonly T[],
): { own: T[]; people: Map<string, T[]>; others: boolean } {
  const own = values.filter(({ person }) => person === undefined);
  const people = Map.groupBy(
    values.filter(({ person }) => person !== undefined),
    ({ person }) => person ?? '',
  );
  if (people.size === 0) return { own, people, others: false };
  const guesses = new Map<string, TableColumn | null>();
  const guess = ({ header }: ValueOfObject) => {
    if (!guesses.has(header)) guesses.set(header, guessColumn(header));
    return guesses.get(header);
  };
  let others = false;
  for (const [person, ofPerson] of people) {
    const fields = listFields(ofPerson, guess);
    others ||= fields.size === 1;
    // The ids in a list are not those of the objects.
    if (fields.size === 2)
      people.set(
        person,
        ofPerson.filter((value) => guess(value)?.field !== 'record_id'),
      );
    else people.delete(person);
  }
  const [first] = people;
  if (!first || first[1][0]?.isRelative || listFields(own, guess).size > 0) return { own, people, others };
  people.delete(first[0]);
  const isAddress = (value: T) => ADDRESS_FIELDS.has(guess(value)?.field ?? 'name');
  // The object and its first person may both have an address.
  const added = own.some(isAddress) ? first[1].filter((value) => !isAddress(value)) : first[1];
  return { own: [...own, ...added], people, others };
}

/** Returns which of a name and a contact (an e-mail or phone) the values include. Those of relatives do not count. */
function listFields(
  values: readonly ValueOfObject[],
  guess: (value: ValueOfObject) => TableColumn | null | undefined,
): Set<'name' | 'contact'> {
  return new Set(
    values.flatMap((value) => {
      const { field, group = '' } = (value.cell.trim() !== '' && guess(value)) || {};
      if (field === undefined || isColumnGroupOfRelative(group)) return [];
      if (NAME_FIELDS.has(field)) return 'name';
      return field === 'email' || field === 'phone' ? 'contact' : [];
    }),
  );
}
