import type { StoredRecord } from '../../link/stored.ts';

/** What is published of a record. */
export type Told = Pick<StoredRecord, 'source' | 'names' | 'contacts' | 'firstSeen' | 'lastSeen'>;

/** One value of an identity, as its records attest it. */
interface Attested<T> {
  value: T;
  records: number;
  lastSeen: number;
}

/**
 * The different values of an identity's records, the primary first: the one that most records attest, then the one seen last, then the
 * first listed.
 *
 * @param records in the order of import
 * @param list the values of one record, each with the text that it is known by
 */
export function ranked<T>(records: Told[], list: (record: Told) => (readonly [string, T])[]): T[] {
  const found = new Map<string, Attested<T>>();
  for (const record of records)
    for (const [text, value] of new Map(list(record))) {
      const known = found.get(text) ?? { value, records: 0, lastSeen: -Infinity };
      known.records++;
      known.lastSeen = Math.max(known.lastSeen, record.lastSeen ?? -Infinity);
      found.set(text, known);
    }
  // Array.sort keeps the order of equals: first listed stays first.
  return [...found.values()].sort((a, b) => b.records - a.records || later(a, b)).map(({ value }) => value);
}

/** Not a subtraction: two values without a date would give NaN. */
function later(a: { lastSeen: number }, b: { lastSeen: number }): number {
  if (a.lastSeen === b.lastSeen) return 0;
  return b.lastSeen > a.lastSeen ? 1 : -1;
}
