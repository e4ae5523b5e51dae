import type { RecordRow } from '../../link/stored-record.ts';
import type { ContactKind } from '../../model.ts';
import { CONTACT_KINDS } from './survey.ts';

/** Number of compared pairs of records of one person (`pairs`), and of those without a common contact of one kind (`differ`). */
export interface RecordPairDifferenceCounts {
  pairs: number;
  differ: number;
}

type ContactKeys = Record<ContactKind, number[]>;

interface RecordKeys {
  name: string;
  contactKeys: ContactKeys;
}

/** Counts the pairs of records of one person that differ, by kind of contact. Needs some hundred bytes of memory for each record. */
export function createRecordPairDifferenceCounter(): {
  add(row: RecordRow): void;
  count(): Record<ContactKind, RecordPairDifferenceCounts>;
} {
  const noPairs = (): RecordPairDifferenceCounts => ({ pairs: 0, differ: 0 });
  const people = new Map<number, RecordKeys[]>();
  return {
    add(row) {
      if (row.identity === null) return;
      const record = { name: `${row.source}\0${row.recordId}`, contactKeys: toContactKeys(row) };
      const ofPerson = people.get(row.identity);
      if (ofPerson) ofPerson.push(record);
      else people.set(row.identity, [record]);
    },
    count() {
      const differences = { email: noPairs(), phone: noPairs(), address: noPairs() };
      // Sorted, so that the counts do not depend on the order in which records were imported.
      for (const ofPerson of people.values()) compareNeighbours(differences, ofPerson.sort(byName));
      return differences;
    },
  };
}

const byName = (a: RecordKeys, b: RecordKeys) => (a.name < b.name ? -1 : 1);

function compareNeighbours(
  differences: Record<ContactKind, RecordPairDifferenceCounts>,
  ofPerson: RecordKeys[],
): void {
  for (const [index, { contactKeys }] of ofPerson.entries()) {
    const next = ofPerson[index + 1]?.contactKeys;
    if (next) for (const kind of CONTACT_KINDS) comparePair(differences[kind], contactKeys[kind], next[kind]);
  }
}

function toContactKeys({ contacts }: RecordRow): ContactKeys {
  const contactKeys: ContactKeys = { email: [], phone: [], address: [] };
  for (const { kind, keys } of contacts) for (const [, key] of keys.slice(0, 1)) contactKeys[kind].push(key);
  return contactKeys;
}

/** Adds a pair of records to the counts. `first` and `second` are the look-up keys of their contacts of one kind. */
function comparePair(counts: RecordPairDifferenceCounts, first: number[], second: number[]): void {
  if (first.length === 0 || second.length === 0) return;
  counts.pairs++;
  if (!first.some((key) => second.includes(key))) counts.differ++;
}
