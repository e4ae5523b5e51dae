import type { GraphRecords } from '../../graph/records.ts';
import type { FoundPairs, MeasuredPair } from '../../graph/linking.ts';
import type { Support } from '../../link/cluster.ts';
import type { LinkContext } from '../../link/compare/evidence.ts';
import { outlineBatch, outlinesFor, settling } from '../../link/compare/outlines.ts';
import { comparePair, isJoining, supportOf } from '../../link/compare/pair.ts';
import type { Counts } from '../../link/compare/pattern.ts';
import { drawingFor, measurePair } from '../../link/counted/measure.ts';
import { remembering } from '../../link/keys.ts';
import { pairOf, rowsOf } from '../../link/pairs.ts';
import { linkRecord, type LinkRecord } from '../../link/record.ts';
import type { Survey } from '../../link/counted/survey.ts';
import type { Fingerprint } from '../../link/stored.ts';
import { createNumberList, type PairList, toPairLists } from './pair-list.ts';
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Reads records by their rows, many at a time. */
export type RecordReader = (rows: Iterable<number>) => Promise<Map<number, LinkRecord>>;

/** Pairs whose records are read together. */
const TOGETHER = 512;

/** Decoded records kept at hand while pairs are compared. */
const CACHE = 5000;

/** Fingerprints of a graph's texts, which are at hand from one batch to the next. */
export function cachedFingerprint({ fingerprints: { of } }: GraphRecords): Fingerprint {
  let known = REMEMBERED.get(of);
  if (!known) REMEMBERED.set(of, (known = remembering(of)));
  return known;
}
const REMEMBERED = new WeakMap<Fingerprint, Fingerprint>();

/** Keeps those at hand that were read last. */
export function openRecordReader(records: GraphRecords): RecordReader {
  const of = cachedFingerprint(records);
  const cache = new Map<number, LinkRecord>();
  return async (rows) => {
    const found = new Map<number, LinkRecord>();
    const missing: number[] = [];
    for (const row of new Set(rows)) {
      const record = cache.get(row);
      if (record) found.set(row, record);
      else missing.push(row);
    }
    for (const raw of missing.length > 0 ? await records.readRows(missing) : []) {
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

/** How many of the pairs are of each pattern. */
export function countPatterns({ measured }: Pick<FoundPairs, 'measured'>): Map<number, number> {
  const patterns = new Map<number, number>();
  for (const [, , pattern] of measured) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  return patterns;
}

export interface ComparedPairs {
  joined: PairList;
  /** How pairs compare, in a part of the pairs that does not depend on the order of import. */
  measured: MeasuredPair[];
  /** What speaks for two records being one person. Compares those that have not been compared. */
  support: Support;
}

/** Compares some pairs, and measures how they do. @param context for comparing and measuring alike */
export async function comparePairs(
  pairs: number[],
  read: RecordReader,
  { context, survey }: { context: LinkContext & Counts; survey: Survey },
): Promise<ComparedPairs> {
  const [all, supports, bits] = [createNumberList(), createNumberList(), createNumberList()];
  const measured: MeasuredPair[] = [];
  const isMeasured = measuredBy(survey);
  for await (const page of yieldBetween(paged(pairs))) {
    const found = await recordPairs(page, read);
    const isApart = apartIn(found, context);
    for (const [one, two] of found) {
      const pattern = isMeasured(one, two) ? measurePair(one, two, context) : 0;
      if (pattern > 0) measured.push([one.row, two.row, pattern]);
      const verdict = isApart(one, two) ? null : comparePair(one, two, context);
      all.add(pairOf(one.row, two.row));
      supports.add(verdict ? supportOf(verdict) : -Infinity);
      bits.add(verdict && isJoining(verdict) ? verdict.bits : NaN);
    }
  }
  // What clustering asks about is mostly what was compared anyway.
  const compared = toPairLists(all.all(), { supports: supports.all(), bits: bits.all() });
  const ask = async (pair: number) => {
    const [both] = await recordPairs([pair], read);
    return both ? supportOf(comparePair(...both, context)) : -Infinity;
  };
  const support: Support = (a, b) => {
    const pair = pairOf(a, b);
    return compared.supports.find(pair) ?? ask(pair);
  };
  return { joined: compared.bits, measured, support };
}

type Two = (one: LinkRecord, two: LinkRecord) => boolean;

function measuredBy(survey: Survey): Two {
  if (survey.dated === 0) return () => false;
  const { isDrawn } = drawingFor(survey);
  const isDated = ({ nameAndBirth }: LinkRecord) => (nameAndBirth ?? 0) !== 0;
  return (one, two) => isDated(one) && isDated(two) && isDrawn(one.order, two.order);
}

/** To make the records ready for being told apart by their given names is worth it from so many pairs on. */
const MANY = 64;

/** Do given names alone make two of these records two people? Most pairs need nothing else. */
function apartIn(pairs: [LinkRecord, LinkRecord][], context: LinkContext): Two {
  if (pairs.length < MANY) return () => false;
  const places = new Map<number, number>();
  const records: LinkRecord[] = [];
  for (const record of pairs.flat())
    if (!places.has(record.row)) places.set(record.row, records.push(record) - 1);
  const outlines = outlinesFor(records.length);
  outlines.keep([...places.values()], outlineBatch(records));
  const settles = settling(outlines.view(), context);
  return (one, two) => settles(places.get(one.row) ?? 0, places.get(two.row) ?? 0);
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

/** The same pages, with a turn of the event loop after each: linking takes minutes, and a signal is only heard between turns. */
export async function* yieldBetween<T>(pages: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  for await (const page of pages) {
    yield page;
    await endOfTurn();
  }
}
