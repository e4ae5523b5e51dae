import { combineFingerprints } from './fingerprints.ts';
import type { NameForLinking } from './link-name.ts';
import type { LinkableRecord } from './link-record.ts';
import type { FingerprintFunction } from './stored-record.ts';

/**
 * Returns the blocking keys of a record, without duplicates. Two records are compared only if they share a blocking key. Keys: each
 * contact; house number with postcode; identifier; name with a postcode or city, with the birth place, or with the birth date or two of its
 * three parts; birth date with an initial. Weak keys (name, birth date or city alone) are used only while few records share them.
 */
export function getBlockingKeys(record: LinkableRecord, fingerprint: FingerprintFunction): number[] {
  const keys: number[] = [];
  for (const { value } of record.identifiers) addIfMissing(keys, value);
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) addIfMissing(keys, key);
    if (contact.kind === 'address' && contact.signature) addIfMissing(keys, contact.signature.exactPart);
  }
  const places = listRecordPlaceFingerprints(record);
  for (const place of places) addIfMissing(keys, toWeakKey(place));
  const names = record.nameFingerprints.map((name) => name.keys);
  for (const name of distinct(names))
    for (const place of places) addIfMissing(keys, combineFingerprints(name, place));
  for (const name of distinct(names, 0, WHOLE)) addIfMissing(keys, toWeakKey(name));
  addDateKeys(keys, { ...record, names }, fingerprint);
  return keys;
}

/** Adds an item to a list unless it is already there. For the about 20 keys of a record, a scan costs half as much as a Set. */
export function addIfMissing<T extends number | string>(list: T[], item: T): void {
  if (!list.includes(item)) list.push(item);
}

export function listRecordPlaceFingerprints({
  contacts,
  birthPlace,
}: Pick<LinkableRecord, 'contacts' | 'birthPlace'>): number[] {
  const all: number[] = [];
  for (const { places } of contacts) for (const place of places) addIfMissing(all, place);
  if (birthPlace !== null) addIfMissing(all, birthPlace);
  return all;
}

/** Returns the elements at index `from` up to, not including, `to` of every list, without duplicates. */
function distinct(lists: number[][], from = 0, to = Infinity): number[] {
  const keys: number[] = [];
  for (const list of lists)
    for (let i = from; i < Math.min(to, list.length); i++) addIfMissing(keys, list[i] ?? 0);
  return keys;
}

/** Number of look-up keys of a name that contain the whole name. They are the first ones in the list of its keys. */
const WHOLE = 3;

/**
 * Returns the maximum number of records for which a weak blocking key is used. If more records share the key, it compares none of them.
 * @param perPerson average number of records per person
 */
export function getMaxRecordsOfWeakKey(perPerson: number): number {
  return 4 * Math.max(2, perPerson);
}

/** True for a blocking key that is used only while few records share it (see `getMaxRecordsOfWeakKey`). */
export function isWeakBlockingKey(key: number): boolean {
  return key < 0;
}

const toWeakKey = (key: number) => -key;

/**
 * Adds the blocking keys that contain the birth date.
 * @param names fingerprints of the look-up keys of each name
 */
function addDateKeys(
  keys: number[],
  { birthDate, linkNames, names }: Pick<LinkableRecord, 'birthDate' | 'linkNames'> & { names: number[][] },
  fingerprint: FingerprintFunction,
): void {
  if (birthDate === null) return;
  const birth = (text: string) => fingerprint('birth', text);
  // Day and month are sorted, because they are often exchanged.
  const [year = '', ...rest] = birthDate.split('-');
  const date = birth([year, ...rest.toSorted()].join('-'));
  addIfMissing(keys, toWeakKey(date));
  for (const name of distinct(names)) addIfMissing(keys, combineFingerprints(date, name));
  for (const initial of initials(linkNames.named))
    addIfMissing(keys, combineFingerprints(date, birth(initial)));
  const [month, day] = rest;
  if (month === undefined || day === undefined) return;
  const parts = [`${year}-${month}`, `${month}-${day}`, `${year}--${day}`].map(birth);
  for (const name of distinct(names, 1, WHOLE))
    for (const part of parts) addIfMissing(keys, combineFingerprints(part, name));
}

function initials(names: NameForLinking[]): string[] {
  const letters: string[] = [];
  for (const { parts } of names)
    for (const words of [parts.given, parts.family])
      for (const word of words) if (word.length > 0) addIfMissing(letters, word.charAt(0));
  return letters;
}
