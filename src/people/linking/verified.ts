import type { GraphRecords } from '../../graph/records.ts';
import type { Invariant } from '../../graph/verifying.ts';

/** Whether records are with whom they should be. */
export interface Placed {
  records: number;
  /** Records whose identity holds others than it should, or that have none. */
  wrong: number;
}

interface OfLinks extends Placed {
  /** Whether the graph is settled. */
  settled: boolean;
}

export interface VerifiedLinks extends OfLinks {
  /** What is remembered of linking; null where nothing is of the graph as it is. */
  remembered: Invariant[] | null;
  rates: Invariant[];
}

export interface Verified extends OfLinks {
  /** Are all records linked? If not, where each should be was not asked, and `wrong` is 0. */
  linked: boolean;
  /** Of those that are not linked, how many are known; 0 where it is not known which they are. */
  waiting: number;
  /** Whether that is an import which was cut short in its last step, and will be taken back. */
  half: boolean;
  /** Whether what linking remembers is of the graph as it is. */
  remembered: boolean;
  invariants: Invariant[];
}

/** @param clusters rows of each identity of two or more records, as they should be */
export async function verified(records: GraphRecords, clusters: number[][]): Promise<Placed> {
  const clusterOf = new Map<number, number>();
  for (const [number, rows] of clusters.entries()) for (const row of rows) clusterOf.set(row, number);
  const identities = new Map<number | null, number[]>();
  for await (const page of records.pages())
    for (const { row, identity } of page) {
      const rows = identities.get(identity);
      if (rows) rows.push(row);
      else identities.set(identity, [row]);
    }
  let [all, wrong] = [0, 0];
  for (const [identity, rows] of identities) {
    const [first = 0] = rows;
    const cluster = clusterOf.get(first);
    const should = cluster === undefined ? 1 : clusters[cluster]?.length;
    const isRight =
      identity !== null && rows.length === should && rows.every((row) => clusterOf.get(row) === cluster);
    all += rows.length;
    if (!isRight) wrong += rows.length;
  }
  return { records: all, wrong };
}
