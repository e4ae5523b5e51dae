// Ages of an identity's contacts: how long before the identity's last record each contact was last seen.
//
// Form: four characters (bytes) for each contact with an age: the last three bytes of its exact look-up key, and its age in quarter years. Ascending
// by the key. With fewer bytes, two contacts of an identity would now and then share an entry, under one secret of the graph and not under another.
// Contacts that are not listed count as seen when the identity was last seen. After the entries, `OPEN` follows if some records have no last date:
// they may be current. Then contacts that are not listed may be current, and all other contacts are listed.
import type { StoredRecord } from '../../link/stored-record.ts';
import type { ContactMatch, Identity } from '../../model.ts';
import type { SeenDates } from './reader.ts';

type IdentityDates = Pick<Identity, 'firstSeen' | 'lastSeen'>;

/** Types of look-up keys that only equal contacts have. */
const EXACT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['email', 'phone', 'address']);

const QUARTER_YEAR_MS = (365.25 / 4) * 86_400_000;
/** Age in quarter years from which a contact is old. */
const MIN_AGE = 4;
const MAX_AGE = 255;
const ENTRY_LENGTH = 4;
const OPEN = '\u0001';
/** Age of a contact in a record without a last date. */
const MAY_BE_CURRENT = -1;

/** Returns the last three bytes of a look-up key, each as one character. */
const toKeyEnd = (key: number): string =>
  String.fromCharCode(...[key / 65_536, key / 256, key].map((part) => Math.floor(part) % 256));

type DatedContacts = Pick<StoredRecord, 'contacts' | 'lastSeen'>;

/**
 * Returns the ages of an identity's contacts. Spellings of a contact that have a look-up key in common are one contact.
 *
 * @param lastSeen latest date of the records, in milliseconds since 1970
 */
export function computeContactAges(records: readonly DatedContacts[], lastSeen: number | null): string {
  if (lastSeen === null) return '';
  const isOpen = records.some((record) => record.lastSeen === null);
  if (!isOpen && records.every((record) => ageOf(record, lastSeen) === 0)) return '';
  const ageByKey = new Map<number, number>();
  for (const record of records)
    for (const { keys } of record.contacts)
      for (const [, key] of keys) keepLeast(ageByKey, key, ageOf(record, lastSeen));
  const ages = new Map<string, number>();
  for (const { contacts } of records)
    for (const { keys } of contacts) {
      // The key of a street without its city is also that of streets in other cities.
      const age = Math.min(
        ...keys.map(([type, key]) => (type === 'street' ? MAX_AGE : (ageByKey.get(key) ?? MAX_AGE))),
      );
      for (const [type, key] of keys) if (EXACT_KEYS.has(type)) keepLeast(ages, toKeyEnd(key), age);
    }
  const entries = [...ages]
    .filter(([, age]) => (isOpen ? age !== MAY_BE_CURRENT : age > 0))
    .map(([end, age]) => end + String.fromCharCode(age))
    .sort();
  return entries.join('') + (isOpen ? OPEN : '');
}

function keepLeast<K>(ages: Map<K, number>, key: K, age: number): void {
  ages.set(key, Math.min(age, ages.get(key) ?? age));
}

function ageOf(record: DatedContacts, lastSeen: number): number {
  if (record.lastSeen === null) return MAY_BE_CURRENT;
  const age = Math.min(Math.floor((lastSeen - record.lastSeen) / QUARTER_YEAR_MS), MAX_AGE);
  return age < MIN_AGE ? 0 : age;
}

/** True if an identity has a record without a last date, so that it counts as current. */
const mayBeCurrent = (contactAges: string): boolean => contactAges.length % ENTRY_LENGTH > 0;

/** Returns the first and the last date of an identity; the last date is null if a record has none, because the identity then counts as current. */
export const toIdentityDates = ({ firstSeen, lastSeen, contactAges }: SeenDates): IdentityDates => ({
  firstSeen,
  lastSeen: mayBeCurrent(contactAges) ? null : lastSeen,
});

/**
 * Returns when an identity was last seen with a contact, in milliseconds since 1970. Null if the contact is of a record without a last date, and may
 * be current. Undefined if it was seen when the identity was last seen, or if that is unknown.
 *
 * @param contactAges ages of the identity's contacts
 */
export function findContactLastSeen(
  { contactAges, lastSeen }: { contactAges: string; lastSeen: number | null },
  type: ContactMatch['type'],
  key: number,
): number | null | undefined {
  if (contactAges === '' || lastSeen === null) return undefined;
  const end = toKeyEnd(key);
  if (EXACT_KEYS.has(type))
    for (let at = 0; at + ENTRY_LENGTH <= contactAges.length; at += ENTRY_LENGTH) {
      if (!contactAges.startsWith(end, at)) continue;
      const age = contactAges.charCodeAt(at + 3);
      return age === 0 ? undefined : Math.round(lastSeen - age * QUARTER_YEAR_MS);
    }
  return mayBeCurrent(contactAges) ? null : undefined;
}
