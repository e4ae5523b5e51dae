// How often records of one person differ in their contacts.
import type { RecordGraph } from '../../graph/graph.ts';
import type { RecordRow, StoredContact } from '../../link/stored.ts';

export type ContactKind = StoredContact['kind'];

/**
 * Counts of pairs of records of one person that are neighbours in the order of source and record id, and both have a contact of a kind: all
 * pairs, and pairs without a common contact.
 */
export interface DifferenceCount {
  pairs: number;
  differ: number;
}

type Exact = Record<ContactKind, number[]>;

interface Named {
  name: string;
  exact: Exact;
}

const KINDS = ['email', 'phone', 'address'] as const;

/** Counts differences by kind of contact. Reads every record once, and needs some hundred bytes of memory for each record. Errors: those of the graph. */
export async function countDifferences({
  records,
}: RecordGraph): Promise<Record<ContactKind, DifferenceCount>> {
  const none = (): DifferenceCount => ({ pairs: 0, differ: 0 });
  const found = { email: none(), phone: none(), address: none() };
  const people = new Map<number, Named[]>();
  for await (const page of records.pages())
    for (const row of page) {
      if (row.identity === null) continue;
      const named = { name: `${row.source}\0${row.recordId}`, exact: exactOf(row) };
      const theirs = people.get(row.identity);
      if (theirs) theirs.push(named);
      else people.set(row.identity, [named]);
    }
  // Sorted, so that the counts do not depend on the order in which records were imported.
  for (const theirs of people.values()) compareNeighbours(found, theirs.sort(byName));
  return found;
}

const byName = (a: Named, b: Named) => (a.name < b.name ? -1 : 1);

function compareNeighbours(found: Record<ContactKind, DifferenceCount>, theirs: Named[]): void {
  for (const [at, { exact }] of theirs.entries()) {
    const next = theirs[at + 1]?.exact;
    if (next) for (const kind of KINDS) compare(found[kind], exact[kind], next[kind]);
  }
}

function exactOf({ contacts }: RecordRow): Exact {
  const exact: Exact = { email: [], phone: [], address: [] };
  for (const { kind, keys } of contacts) for (const [, key] of keys.slice(0, 1)) exact[kind].push(key);
  return exact;
}

function compare(into: DifferenceCount, one: number[], other: number[]): void {
  if (one.length === 0 || other.length === 0) return;
  into.pairs++;
  if (!one.some((key) => other.includes(key))) into.differ++;
}
