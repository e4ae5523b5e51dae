import type { KeepingGraph } from './graph.ts';

/** What a graph holds of one source. Times are milliseconds since 1970, null where no record of it carries a date. */
export interface SourceCount {
  source: string;
  records: number;
  firstSeen: number | null;
  lastSeen: number | null;
  /** When records of it were imported last; null where that is not known. */
  imported: number | null;
}

/** The sources of a graph's records, the largest first. Reads every record once. */
export async function countSources({ records }: KeepingGraph): Promise<SourceCount[]> {
  const counts = new Map<string, SourceCount>();
  for await (const page of records.pages())
    for (const { source, firstSeen, lastSeen } of page) {
      const one = counts.get(source) ?? {
        source,
        records: 0,
        firstSeen: null,
        lastSeen: null,
        imported: null,
      };
      one.records += 1;
      one.firstSeen = either(one.firstSeen, firstSeen, Math.min);
      one.lastSeen = either(one.lastSeen, lastSeen, Math.max);
      counts.set(source, one);
    }
  for (const one of counts.values()) one.imported = (await records.importedAt?.(one.source)) ?? null;
  return [...counts.values()].sort((a, b) => b.records - a.records || (a.source < b.source ? -1 : 1));
}

const either = (a: number | null, b: number | null, of: (a: number, b: number) => number): number | null =>
  a === null || b === null ? (a ?? b) : of(a, b);
