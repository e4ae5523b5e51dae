import type { GraphRecords } from '../graph/graph.ts';
import type { Found, JoinedPair, MeasuredPair } from '../graph/link-index.ts';
import type { Support } from '../link/cluster.ts';
import type { LinkContext } from '../link/compare/evidence.ts';
import { comparePair, LINK_BITS, supportOf } from '../link/compare/pair.ts';
import type { Counts } from '../link/compare/pattern.ts';
import { drawingFor, measurePair } from '../link/counted/measure.ts';
import { linkRecord, type LinkRecord } from '../link/record.ts';
import type { Rows } from '../link/rows.ts';
import type { Survey } from '../link/counted/survey.ts';
import { breathing } from './breathing.ts';

/** Reads records by their rows, many at a time. */
export type RecordReader = (rows: Iterable<number>) => Promise<Map<number, LinkRecord>>;

/** Pairs of rows, the lower row first, as they come. */
export type PairPages = Iterable<[number, number][]> | AsyncIterable<[number, number][]>;

/** Decoded records kept at hand while pairs are compared. */
const CACHE = 5000;

/** Keeps those at hand that were read last. */
export function recordReader(records: GraphRecords): RecordReader {
  const cache = new Map<number, LinkRecord>();
  return async (rows) => {
    const found = new Map<number, LinkRecord>();
    const missing: number[] = [];
    for (const row of new Set(rows)) {
      const record = cache.get(row);
      if (record) found.set(row, record);
      else missing.push(row);
    }
    for (const raw of missing.length > 0 ? await records.read(missing) : []) {
      const record = linkRecord(raw, records.fingerprints.of);
      found.set(record.row, record);
      cache.set(record.row, record);
    }
    for (const row of cache.keys()) {
      if (cache.size <= CACHE) break;
      cache.delete(row);
    }
    return found;
  };
}

/** Measures how pairs of records compare, in a part of the pairs that does not depend on the order of import. */
export async function measurePairs(
  pages: PairPages,
  read: RecordReader,
  known: { counts: Counts; survey: Survey; rows: Pick<Rows, 'dated' | 'orders'> },
): Promise<MeasuredPair[]> {
  const { counts, survey, rows } = known;
  if (survey.dated === 0) return [];
  const { isDrawn } = drawingFor(survey);
  const wanted = ([a, b]: [number, number]) =>
    (rows.dated[a] ?? 0) !== 0 &&
    (rows.dated[b] ?? 0) !== 0 &&
    isDrawn(rows.orders[a] ?? 0, rows.orders[b] ?? 0);
  const measured: MeasuredPair[] = [];
  for await (const page of breathing(pages))
    for (const [one, two] of await recordPairs(page.filter(wanted), read)) {
      const pattern = measurePair(one, two, counts);
      if (pattern > 0) measured.push([one.row, two.row, pattern]);
    }
  return measured;
}

/** How many of the pairs are of each pattern. */
export function patternsOf({ measured }: Pick<Found, 'measured'>): Map<number, number> {
  const patterns = new Map<number, number>();
  for (const [, , pattern] of measured) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  return patterns;
}

export interface Compared {
  joined: JoinedPair[];
  /** What speaks for two records being one person. Compares those that have not been compared. */
  support: Support;
}

/** Compares all pairs. @param onRow told the row that is compared */
export async function comparePairs(
  pages: PairPages,
  read: RecordReader,
  { context, onRow }: { context: LinkContext; onRow?: (row: number) => void },
): Promise<Compared> {
  const joined: JoinedPair[] = [];
  // What clustering asks about is mostly what was compared anyway.
  const supports = new Map<number, number>();
  const compare = (a: LinkRecord, b: LinkRecord) => {
    const verdict = comparePair(a, b, context);
    supports.set(place(a.row, b.row), supportOf(verdict));
    return verdict;
  };
  for await (const page of breathing(pages)) {
    for (const [one, two] of await recordPairs(page, read)) {
      const { bits, conflict } = compare(one, two);
      if (bits >= LINK_BITS && !conflict) joined.push([one.row, two.row, bits]);
    }
    onRow?.(page[0]?.[0] ?? 0);
  }
  const ask = async (a: number, b: number) => {
    const [pair] = await recordPairs([[a, b]], read);
    return pair ? supportOf(compare(...pair)) : -Infinity;
  };
  return { joined, support: (a, b) => supports.get(place(a, b)) ?? ask(a, b) };
}

/** One number for two rows, whichever comes first. */
export function place(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
}

/** The records of pairs of rows. */
async function recordPairs(
  pairs: [number, number][],
  read: RecordReader,
): Promise<[LinkRecord, LinkRecord][]> {
  if (pairs.length === 0) return [];
  const records = await read(pairs.flat());
  return pairs.flatMap(([a, b]) => {
    const [one, two] = [records.get(a), records.get(b)];
    return one && two ? [[one, two] as [LinkRecord, LinkRecord]] : [];
  });
}
