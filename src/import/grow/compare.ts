import type { GraphRecords } from '../../graph/graph.ts';
import type { Found, MeasuredPair } from '../../graph/link-index.ts';
import type { Support } from '../../link/cluster.ts';
import type { LinkContext } from '../../link/compare/evidence.ts';
import { comparePair, LINK_BITS, supportOf } from '../../link/compare/pair.ts';
import type { Counts } from '../../link/compare/pattern.ts';
import { drawingFor, measurePair } from '../../link/counted/measure.ts';
import { remembering } from '../../link/keys.ts';
import { pairOf, rowsOf } from '../../link/pairs.ts';
import { linkRecord, type LinkRecord } from '../../link/record.ts';
import type { Rows } from '../../link/rows.ts';
import type { Survey } from '../../link/counted/survey.ts';
import { breathing } from '../breathing.ts';
import { type PairList, pairList } from '../bulk/pair-list.ts';

/** Reads records by their rows, many at a time. */
export type RecordReader = (rows: Iterable<number>) => Promise<Map<number, LinkRecord>>;

/** Pairs whose records are read together. */
const TOGETHER = 512;

/** Decoded records kept at hand while pairs are compared. */
const CACHE = 5000;

/** Keeps those at hand that were read last. */
export function recordReader(records: GraphRecords): RecordReader {
  const of = remembering(records.fingerprints.of);
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
      const record = linkRecord(raw, of);
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
  pairs: number[],
  read: RecordReader,
  known: { counts: Counts; survey: Survey; rows: Pick<Rows, 'dated' | 'orders'> },
): Promise<MeasuredPair[]> {
  const { counts, survey, rows } = known;
  if (survey.dated === 0) return [];
  const { isDrawn } = drawingFor(survey);
  const wanted = (pair: number) => {
    const [a, b] = rowsOf(pair);
    return (
      (rows.dated[a] ?? 0) !== 0 &&
      (rows.dated[b] ?? 0) !== 0 &&
      isDrawn(rows.orders[a] ?? 0, rows.orders[b] ?? 0)
    );
  };
  const measured: MeasuredPair[] = [];
  for await (const page of breathing(paged(pairs.filter(wanted))))
    for (const [one, two] of await recordPairs(page, read)) {
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
  joined: PairList;
  /** What speaks for two records being one person. Compares those that have not been compared. */
  support: Support;
}

/** Compares some pairs. */
export async function comparePairs(
  pairs: number[],
  read: RecordReader,
  context: LinkContext,
): Promise<Compared> {
  const joined = pairList();
  // What clustering asks about is mostly what was compared anyway.
  const supports = pairList();
  for await (const page of breathing(paged(pairs)))
    for (const [one, two] of await recordPairs(page, read)) {
      const verdict = comparePair(one, two, context);
      const pair = pairOf(one.row, two.row);
      supports.add(pair, supportOf(verdict));
      if (verdict.bits >= LINK_BITS && !verdict.conflict) joined.add(pair, verdict.bits);
    }
  joined.sort();
  supports.sort();
  const ask = async (a: number, b: number) => {
    const [pair] = await recordPairs([pairOf(a, b)], read);
    return pair ? supportOf(comparePair(...pair, context)) : -Infinity;
  };
  return { joined, support: (a, b) => supports.find(pairOf(a, b)) ?? ask(a, b) };
}

function* paged(pairs: number[]): Iterable<number[]> {
  for (let at = 0; at < pairs.length; at += TOGETHER) yield pairs.slice(at, at + TOGETHER);
}

/** The records of pairs of rows. */
async function recordPairs(pairs: number[], read: RecordReader): Promise<[LinkRecord, LinkRecord][]> {
  if (pairs.length === 0) return [];
  const rows = pairs.map(rowsOf);
  const records = await read(rows.flat());
  return rows.flatMap(([a, b]) => {
    const [one, two] = [records.get(a), records.get(b)];
    return one && two ? [[one, two] as [LinkRecord, LinkRecord]] : [];
  });
}
