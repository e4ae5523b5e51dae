import { combineFingerprints } from './fingerprints.ts';
import type { LinkName } from './link-name.ts';
import type { LinkRecord } from './link-record.ts';
import type { FingerprintFunction } from './stored-record.ts';

/**
 * Returns the blocking keys of a record, without duplicates. Two records are compared only if they share a key. Keys: each contact; house number
 * with postcode; identifier; name with a place, birth place, birth date or two of its three parts; birth date with an initial. Weak keys, which
 * are used only while few records share them: a name, birth date or place alone.
 */
export function getBlockingKeys(record: LinkRecord, fingerprint: FingerprintFunction): number[] {
  const keys: number[] = [];
  for (const { value } of record.identifiers) pushUnique(keys, value);
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) pushUnique(keys, key);
    if (contact.kind === 'address' && contact.signature) pushUnique(keys, contact.signature.exactPart);
  }
  const places = listRecordPlaces(record);
  for (const place of places) pushUnique(keys, toWeakKey(place));
  const names = record.nameFingerprints.map((name) => name.keys);
  for (const name of distinct(names))
    for (const place of places) pushUnique(keys, combineFingerprints(name, place));
  for (const name of distinct(names, 0, WHOLE)) pushUnique(keys, toWeakKey(name));
  addDateKeys(keys, { ...record, names }, fingerprint);
  return keys;
}

/** Adds an item to a list unless it is already there. For the about 20 keys of a record, a scan costs half as much as a Set. */
export function pushUnique<T extends number | string>(list: T[], item: T): void {
  if (!list.includes(item)) list.push(item);
}

export function listRecordPlaces({
  contacts,
  birthPlace,
}: Pick<LinkRecord, 'contacts' | 'birthPlace'>): number[] {
  const all: number[] = [];
  for (const { places } of contacts) for (const place of places) pushUnique(all, place);
  if (birthPlace !== null) pushUnique(all, birthPlace);
  return all;
}

/** Returns the keys at the indexes `from` to `to` of every list, without duplicates. */
function distinct(lists: number[][], from = 0, to = Infinity): number[] {
  const keys: number[] = [];
  for (const list of lists)
    for (let i = from; i < Math.min(to, list.length); i++) pushUnique(keys, list[i] ?? 0);
  return keys;
}

/** Number of look-up keys of a name that contain the whole name. */
const WHOLE = 3;

/** Returns the maximum number of records with which a weak key is used for comparisons. @param perPerson average number of records per person */
export function getMaxWeakKeyRecords(perPerson: number): number {
  return 4 * Math.max(2, perPerson);
}

export function isWeakBlockingKey(key: number): boolean {
  return key < 0;
}

const toWeakKey = (key: number) => -key;

/** Adds the blocking keys that contain the birth date. @param names key fingerprints of each name */
function addDateKeys(
  keys: number[],
  { birthDate, linkNames, names }: Pick<LinkRecord, 'birthDate' | 'linkNames'> & { names: number[][] },
  fingerprint: FingerprintFunction,
): void {
  if (birthDate === null) return;
  const birth = (text: string) => fingerprint('birth', text);
  // Day and month are sorted, because they are often exchanged.
  const [year = '', ...rest] = birthDate.split('-');
  const date = birth([year, ...rest.toSorted()].join('-'));
  pushUnique(keys, toWeakKey(date));
  for (const name of distinct(names)) pushUnique(keys, combineFingerprints(date, name));
  for (const initial of initials(linkNames.named))
    pushUnique(keys, combineFingerprints(date, birth(initial)));
  const [month, day] = rest;
  if (month === undefined || day === undefined) return;
  const parts = [`${year}-${month}`, `${month}-${day}`, `${year}--${day}`].map(birth);
  for (const name of distinct(names, 1, WHOLE))
    for (const part of parts) pushUnique(keys, combineFingerprints(part, name));
}

function initials(names: LinkName[]): string[] {
  const letters: string[] = [];
  for (const { parts } of names)
    for (const words of [parts.given, parts.family])
      for (const word of words) if (word.length > 0) pushUnique(letters, word.charAt(0));
  return letters;
}
