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
export function blockKeys(record: LinkRecord, fingerprint: Fingerprint): Set<number> {
  const keys = new Set<number>(record.identifiers.map(({ value }) => value));
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) keys.add(key);
    if (contact.kind === 'address' && contact.signature) keys.add(contact.signature.exactPart);
  }
  const places = new Set(record.contacts.flatMap((contact) => contact.places));
  if (record.birthPlace !== null) places.add(record.birthPlace);
  for (const place of places) keys.add(weak(place));
  const names = record.named.map((name) => name.keys.map((key) => fingerprint('name', key)));
  for (const name of new Set(names.flat())) for (const place of places) keys.add(together(name, place));
  for (const name of new Set(names.flatMap((all) => all.slice(0, WHOLE)))) keys.add(weak(name));
  addDateKeys(keys, { ...record, names }, fingerprint);
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
  keys: Set<number>,
  { birthDate, named, names }: Pick<LinkRecord, 'birthDate' | 'named'> & { names: number[][] },
  fingerprint: Fingerprint,
): void {
  if (birthDate === null) return;
  const birth = (text: string) => fingerprint('birth', text);
  // Day and month in one order: they are often exchanged.
  const [year = '', ...rest] = birthDate.split('-');
  const date = birth([year, ...rest.toSorted()].join('-'));
  keys.add(weak(date));
  for (const name of new Set(names.flat())) keys.add(together(date, name));
  for (const initial of initials(named)) keys.add(together(date, birth(initial)));
  const [month, day] = rest;
  if (month === undefined || day === undefined) return;
  const parts = [`${year}-${month}`, `${month}-${day}`, `${year}--${day}`].map(birth);
  for (const name of new Set(names.flatMap((all) => all.slice(1, WHOLE))))
    for (const part of parts) keys.add(together(part, name));
}

function initials(names: Named[]): Set<string> {
  const words = names.flatMap(({ parts }) => [...parts.given, ...parts.family]);
  return new Set(words.filter((word) => word.length > 0).map((word) => word.charAt(0)));
}
