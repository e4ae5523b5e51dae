// How far the records of one person agree in their contacts.
import type { KeepingGraph } from '../graph/graph.ts';
import type { RecordRow, StoredContact } from '../link/stored.ts';

export type Kind = StoredContact['kind'];

/** Of the neighbouring records of one person that both have a contact of a kind: how many there are, and how many have none of it in common. */
export interface Difference {
  pairs: number;
  differ: number;
}

type Exact = Record<Kind, number[]>;

/** Reads every record once, and holds some hundred bytes a person. Errors: those of the graph. */
export async function differencesIn({ records }: KeepingGraph): Promise<Record<Kind, Difference>> {
  const none = (): Difference => ({ pairs: 0, differ: 0 });
  const found = { email: none(), phone: none(), address: none() };
  const before = new Map<number, Exact>();
  for await (const page of records.pages())
    for (const row of page) {
      if (row.identity === null) continue;
      const [exact, last] = [exactOf(row), before.get(row.identity)];
      if (last)
        for (const kind of ['email', 'phone', 'address'] as const)
          compare(found[kind], last[kind], exact[kind]);
      before.set(row.identity, exact);
    }
  return found;
}

function exactOf({ contacts }: RecordRow): Exact {
  const exact: Exact = { email: [], phone: [], address: [] };
  for (const { kind, keys } of contacts) for (const [, key] of keys.slice(0, 1)) exact[kind].push(key);
  return exact;
}

function compare(into: Difference, one: number[], other: number[]): void {
  if (one.length === 0 || other.length === 0) return;
  into.pairs++;
  if (!one.some((key) => other.includes(key))) into.differ++;
}
