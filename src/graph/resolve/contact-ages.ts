// Ages of an identity's old contacts: how long before the identity's last record each contact was last seen.
//
// Form: four characters (bytes) for each contact that is at least a year old: the last three bytes of its exact look-up key, and its age in quarter
// years. Ascending by the key. Contacts that are not listed count as seen when the identity was last seen. With fewer bytes, two contacts of an
// identity would now and then share an entry, under one secret of the graph and not under another.
import type { StoredRecord } from '../../link/stored-record.ts';
import type { ContactMatch } from '../../model.ts';

/** Types of look-up keys that only equal contacts have. */
const EXACT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['email', 'phone', 'address']);

const QUARTER_YEAR_MS = (365.25 / 4) * 86_400_000;
/** Age in quarter years from which a contact is old. */
const MIN_AGE = 4;
const MAX_AGE = 255;

/** Returns the last three bytes of a look-up key, each as one character. */
const toKeyEnd = (key: number): string =>
  String.fromCharCode(...[key / 65_536, key / 256, key].map((part) => Math.floor(part) % 256));

type DatedContacts = Pick<StoredRecord, 'contacts' | 'firstSeen' | 'lastSeen'>;

/**
 * Returns the ages of an identity's old contacts. Spellings of a contact that have a look-up key in common are one contact. A record without a date
 * may be the newest.
 *
 * @param lastSeen latest date of the records, in milliseconds since 1970
 */
export function computeContactAges(records: readonly DatedContacts[], lastSeen: number | null): string {
  if (lastSeen === null || records.every((record) => ageOf(seenAt(record), lastSeen) === 0)) return '';
  const seen = new Map<number, number>();
  for (const record of records)
    for (const { keys } of record.contacts)
      for (const [, key] of keys) seen.set(key, Math.max(seenAt(record), seen.get(key) ?? -Infinity));
  const ages = new Map<string, number>();
  for (const { contacts } of records)
    for (const { keys } of contacts) {
      // The key of a street without its city is also that of streets in other cities.
      const dates = keys.map(([type, key]) => (type === 'street' ? -Infinity : (seen.get(key) ?? -Infinity)));
      const age = ageOf(Math.max(...dates), lastSeen);
      for (const [type, key] of keys) {
        if (!EXACT_KEYS.has(type)) continue;
        const end = toKeyEnd(key);
        ages.set(end, Math.min(age, ages.get(end) ?? age));
      }
    }
  return [...ages]
    .filter(([, age]) => age > 0)
    .map(([end, age]) => end + String.fromCharCode(age))
    .sort()
    .join('');
}

const seenAt = ({ firstSeen, lastSeen }: DatedContacts): number => lastSeen ?? firstSeen ?? Infinity;

function ageOf(contactLastSeen: number, lastSeen: number): number {
  const age = Math.min(Math.floor((lastSeen - contactLastSeen) / QUARTER_YEAR_MS), MAX_AGE);
  return age < MIN_AGE ? 0 : age;
}

/**
 * Returns when an identity was last seen with a contact, in milliseconds since 1970. Undefined if the contact is not old, or the look-up key not exact.
 *
 * @param contactAges ages of the identity's old contacts
 */
export function findContactLastSeen(
  { contactAges, lastSeen }: { contactAges: string; lastSeen: number | null },
  type: ContactMatch['type'],
  key: number,
): number | undefined {
  if (contactAges === '' || lastSeen === null || !EXACT_KEYS.has(type)) return undefined;
  const end = toKeyEnd(key);
  for (let at = 0; at < contactAges.length; at += 4)
    if (contactAges.startsWith(end, at))
      return Math.round(lastSeen - contactAges.charCodeAt(at + 3) * QUARTER_YEAR_MS);
  return undefined;
}
