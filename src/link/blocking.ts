import { together } from './keys.ts';
import type { Named } from './named.ts';
import type { LinkRecord } from './record.ts';
import type { Fingerprint } from './stored.ts';

/**
 * The keys under which a record meets others, without duplicates; nothing else is ever compared. Some are good as long as few share
 * them: those are weak keys, and a record has a finer one for each of them (see `shareKey`).
 *
 * Two records meet under a key of a contact, the house number with the postcode, an identifier; the name together with a place, a birth
 * place, a birth date or two of its three parts; a birth date together with an initial. And where it is rare, under a name, a birth
 * date or a place alone.
 */
export function blockKeys(record: LinkRecord, fingerprint: Fingerprint): number[] {
  const keys: number[] = [];
  const places: number[] = [];
  for (const { value } of record.identifiers) addOnce(keys, value);
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) addOnce(keys, key);
    if (contact.kind === 'address' && contact.signature) addOnce(keys, contact.signature.exactPart);
    for (const place of contact.places) addOnce(places, place);
  }
  if (record.birthPlace !== null) addOnce(places, record.birthPlace);
  for (const place of places) addOnce(keys, weak(place));
  const names = keysOfNames(record, fingerprint);
  for (const name of distinct(names)) for (const place of places) addOnce(keys, together(name, place));
  for (const name of distinct(names, 0, WHOLE)) addOnce(keys, weak(name));
  addDateKeys(keys, { ...record, names }, fingerprint);
  return keys;
}

/** A record has some twenty keys: looking through them costs half of what a set of them does. */
export function addOnce(keys: number[], key: number): void {
  if (!keys.includes(key)) keys.push(key);
}

/** The fingerprints of each name's keys; those of the first are known. */
function keysOfNames({ named, nameKeys }: LinkRecord, fingerprint: Fingerprint): number[][] {
  return named.map(({ keys }, i) => (i === 0 ? nameKeys : keys.map((key) => fingerprint('name', key))));
}

/** Of each list the keys from one place to another, each once. */
function distinct(lists: number[][], from = 0, to = Infinity): number[] {
  const keys: number[] = [];
  for (const list of lists)
    for (let i = from; i < Math.min(to, list.length); i++) addOnce(keys, list[i] ?? 0);
  return keys;
}

/** How many of a name's keys stand for the whole name. */
const WHOLE = 3;

/** Behind a weak key that more records share than this nobody is compared for its sake. @param perPerson records that a person has */
export function weakMost(perPerson: number): number {
  return 4 * Math.max(2, perPerson);
}

/** Weak keys are the negative ones. */
export function isWeak(key: number): boolean {
  return key < 0;
}

const weak = (key: number) => -key;

/** @param names the fingerprints of each name's keys */
function addDateKeys(
  keys: number[],
  { birthDate, named, names }: Pick<LinkRecord, 'birthDate' | 'named'> & { names: number[][] },
  fingerprint: Fingerprint,
): void {
  if (birthDate === null) return;
  const birth = (text: string) => fingerprint('birth', text);
  // Day and month in one order: they are often exchanged.
  const [year = '', ...rest] = birthDate.split('-');
  const date = birth([year, ...rest.toSorted()].join('-'));
  addOnce(keys, weak(date));
  for (const name of distinct(names)) addOnce(keys, together(date, name));
  for (const initial of initials(named)) addOnce(keys, together(date, birth(initial)));
  const [month, day] = rest;
  if (month === undefined || day === undefined) return;
  const parts = [`${year}-${month}`, `${month}-${day}`, `${year}--${day}`].map(birth);
  for (const name of distinct(names, 1, WHOLE)) for (const part of parts) addOnce(keys, together(part, name));
}

function initials(names: Named[]): Set<string> {
  const words = names.flatMap(({ parts }) => [...parts.given, ...parts.family]);
  return new Set(words.filter((word) => word.length > 0).map((word) => word.charAt(0)));
}
