import { nameKeys, nameParts, type PreparedName } from '../names/index.ts';
import type { LinkRecord } from './record.ts';
import type { Fingerprint } from './stored.ts';

/** A key that more records share than this is a frequent one: its records are split by their names before any two are compared. */
export const FREQUENT = 64;

/**
 * The keys under which a record meets others, without duplicates. Two records are compared when they share one: a key of a contact, the
 * house number with the postcode, the name together with a place or a birth date, or a birth date together with an initial. Nothing
 * else is ever compared.
 */
export function blockKeys(record: LinkRecord, fingerprint: Fingerprint): Set<number> {
  const keys = new Set<number>();
  const places = new Set<number>();
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) keys.add(key);
    for (const place of contact.places) places.add(place);
    if (contact.kind === 'address' && contact.signature) keys.add(contact.signature.exactPart);
  }
  const { birthDate, prepared } = record;
  for (const name of new Set(prepared.flatMap(nameKeys))) {
    for (const place of places) keys.add(fingerprint('place', `${name}|${place}`));
    if (birthDate) keys.add(fingerprint('birth', `${birthDate}|${name}`));
  }
  if (birthDate)
    for (const initial of initials(prepared)) keys.add(fingerprint('birth', `${birthDate}|${initial}`));
  return keys;
}

function initials(names: PreparedName[]): Set<string> {
  const parts = names.map(nameParts);
  const words = parts.flatMap(({ given, family }) => [...given, ...family]);
  return new Set(words.filter((word) => word.length > 0).map((word) => word.charAt(0)));
}

/**
 * The records behind one key, by who they are: how many differently named people share it, and where it is a frequent key (an office
 * phone, a tower block), the pairs of equally named ones, since no others are compared for its sake.
 *
 * @param rows records that have the key, ascending
 * @param persons the `personKey` of each row
 */
export function shareKey(
  rows: number[],
  persons: Float64Array,
): { people: number; pairs: [number, number][] } {
  const named = new Map<number, number[]>();
  for (const row of rows) {
    const person = persons[row] ?? 0;
    const group = named.get(person);
    if (group) group.push(row);
    else named.set(person, [row]);
  }
  const pairs: [number, number][] = [];
  if (rows.length > FREQUENT)
    for (const group of named.values()) pairs.push(...everyTwo(group.slice(0, FREQUENT)));
  return { people: named.size, pairs };
}

function* everyTwo(rows: number[]): Iterable<[number, number]> {
  for (const [i, one] of rows.entries()) for (const other of rows.slice(i + 1)) yield [one, other];
}
