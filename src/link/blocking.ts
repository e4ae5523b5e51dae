import { combineFingerprints } from './fingerprints.ts';
import type { LinkName } from './link-name.ts';
import type { LinkRecord } from './link-record.ts';
import type { Fingerprint } from './stored-record.ts';

/**
 * The keys under which a record meets others, without duplicates; nothing else is ever compared. Some are good as long as few share
 * them: those are weak keys, and a record has a finer one for each of them (see `shareKey`).
 *
 * Two records meet under a key of a contact, the house number with the postcode, an identifier; the name together with a place, a birth
 * place, a birth date or two of its three parts; a birth date together with an initial. And where it is rare, under a name, a birth
 * date or a place alone.
 */
export function getBlockingKeys(record: LinkRecord, fingerprint: Fingerprint): number[] {
  const keys: number[] = [];
  const places: number[] = [];
  for (const { value } of record.identifiers) pushUnique(keys, value);
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) pushUnique(keys, key);
    if (contact.kind === 'address' && contact.signature) pushUnique(keys, contact.signature.exactPart);
    for (const place of contact.places) pushUnique(places, place);
  }
  if (record.birthPlace !== null) pushUnique(places, record.birthPlace);
  for (const place of places) pushUnique(keys, toWeakKey(place));
  const names = keysOfNames(record, fingerprint);
  for (const name of distinct(names))
    for (const place of places) pushUnique(keys, combineFingerprints(name, place));
  for (const name of distinct(names, 0, WHOLE)) pushUnique(keys, toWeakKey(name));
  addDateKeys(keys, { ...record, names }, fingerprint);
  return keys;
}

/** A record has some twenty keys: looking through them costs half of what a set of them does. */
export function pushUnique(keys: number[], key: number): void {
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
    for (let i = from; i < Math.min(to, list.length); i++) pushUnique(keys, list[i] ?? 0);
  return keys;
}

/** How many of a name's keys stand for the whole name. */
const WHOLE = 3;

/** Behind a weak key that more records share than this nobody is compared for its sake. @param perPerson records that a person has */
export function maxWeakKeyRecords(perPerson: number): number {
  return 4 * Math.max(2, perPerson);
}

/** Weak keys are the negative ones. */
export function isWeakKey(key: number): boolean {
  return key < 0;
}

const toWeakKey = (key: number) => -key;

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
  pushUnique(keys, toWeakKey(date));
  for (const name of distinct(names)) pushUnique(keys, combineFingerprints(date, name));
  for (const initial of initials(named)) pushUnique(keys, combineFingerprints(date, birth(initial)));
  const [month, day] = rest;
  if (month === undefined || day === undefined) return;
  const parts = [`${year}-${month}`, `${month}-${day}`, `${year}--${day}`].map(birth);
  for (const name of distinct(names, 1, WHOLE))
    for (const part of parts) pushUnique(keys, combineFingerprints(part, name));
}

function initials(names: LinkName[]): Set<string> {
  const words = names.flatMap(({ parts }) => [...parts.given, ...parts.family]);
  return new Set(words.filter((word) => word.length > 0).map((word) => word.charAt(0)));
}
