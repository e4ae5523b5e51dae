// Finds in the link cache which pairs of changed records must be compared, and compares them.
import type { LinkCache, ErrorRateRecordPair } from '../../graph/linking.ts';
import { isWeakBlockingKey, getMaxRecordsOfWeakKey } from '../../link/blocking.ts';
import type { LinkStatistics } from '../../link/compare/evidence.ts';
import {
  createCompactNameEncoder,
  createCompactNameStore,
  createNameConflictTest,
} from '../../link/compare/compact-names.ts';
import { createCachedNameWeigher } from '../../link/compare/names.ts';
import { comparePair, meetsLinkThreshold, sumPairEvidenceInBits } from '../../link/compare/pair.ts';
import {
  type LinkStatisticsWithoutErrorRates,
  computeComparisonPatternCode,
} from '../../link/statistics/comparison-patterns.ts';
import type { LinkCacheRecord } from '../../link/statistics/link-cache-record.ts';
import type { CollectedLinkStatistics } from '../../link/statistics/collected.ts';
import {
  MAX_FULLY_COMPARED_RECORDS,
  listPairsConnectingSameLabelRows,
  listPairsAmongSameNameRows,
  encodeRowPair,
  decodeRowPair,
} from '../../link/candidate-pairs.ts';
import type { LinkableRecord } from '../../link/link-record.ts';
import { type AffectedRowsAndPairs, readRecordFieldsByRow } from './change.ts';
import {
  type ClusteringInput,
  createErrorRatePairFilter,
  type RecordReader,
  toClusteringInput,
  yieldBetweenPages,
} from './compare.ts';
import { createNumberList } from './pair-list.ts';

/** Lists the pairs to compare again, in ascending order: every pair of an affected row that blocking selects, and the affected single pairs. */
export function listChangedCandidatePairs(
  cache: LinkCache,
  { rows, pairs: single }: AffectedRowsAndPairs,
  perPerson: number,
): number[] {
  const findPartners = partnersIn(cache, perPerson);
  const pairs = new Set(single.map(([a, b]) => encodeRowPair(a, b)));
  for (const row of rows) {
    const facts = cache.facts(row);
    for (const other of facts ? findPartners(row, facts) : [])
      if (other !== row) pairs.add(encodeRowPair(row, other));
  }
  return [...pairs].sort((a, b) => a - b);
}

/**
 * Creates a function that returns the rows with which a row is compared. It caches the rows of each blocking key, because affected rows share many
 * keys.
 */
function partnersIn(cache: LinkCache, perPerson: number) {
  const known = new Map<string, Map<number, number[]> | number[]>();
  const once = <T extends Map<number, number[]> | number[]>(name: string, list: () => T): T => {
    const before = known.get(name) as T | undefined;
    const rows = before ?? list();
    if (!before) known.set(name, rows);
    return rows;
  };
  const most = getMaxRecordsOfWeakKey(perPerson);
  const rowsWith = (key: number) =>
    once(`${key}`, () => cache.listHolders(key, MAX_FULLY_COMPARED_RECORDS + 1).map(({ row }) => row));
  const namedPartners = (key: number, person: number) =>
    once(`${key} ${person}`, () => {
      const rows = cache.listRowsOfPerson(key, person);
      // Records that share many values are the same rows under each of their keys.
      return once(`rows ${rows.join(' ')}`, () =>
        partnersByRow(listPairsAmongSameNameRows(rows, readRecordFieldsByRow(cache.facts, rows))),
      );
    });
  const labelledPartners = (label: number) =>
    once(`label ${label}`, () => {
      const rows = cache.listHolders(label, Infinity).map(({ row }) => row);
      return partnersByRow(listPairsConnectingSameLabelRows(rows, readRecordFieldsByRow(cache.facts, rows)));
    });
  return (row: number, { contacts, keys, label, person }: LinkCacheRecord): Set<number> => {
    const partners = new Set(label === 0 ? [] : labelledPartners(label).get(row));
    for (const key of [...contacts, ...keys]) {
      const rows = rowsWith(key);
      const areAllCompared = rows.length <= (isWeakBlockingKey(key) ? most : MAX_FULLY_COMPARED_RECORDS);
      if (!areAllCompared && isWeakBlockingKey(key)) continue;
      for (const other of areAllCompared ? rows : (namedPartners(key, person).get(row) ?? []))
        partners.add(other);
    }
    return partners;
  };
}

function partnersByRow(pairs: [number, number][]): Map<number, number[]> {
  const both = pairs.flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]) as [number, number][];
  const groups = Map.groupBy(both, ([row]) => row);
  return new Map(Array.from(groups, ([row, partners]) => [row, partners.map(([, other]) => other)]));
}

const PAIRS_PER_BATCH = 512;

/**
 * Compares pairs of records. `measured` contains the comparison patterns (which values agree) of the pairs in the sample for error rates.
 *
 * @param context statistics for comparing the pairs
 */
export async function compareChangedPairs(
  pairs: number[],
  read: RecordReader,
  {
    context,
    statistics,
  }: { context: LinkStatistics & LinkStatisticsWithoutErrorRates; statistics: CollectedLinkStatistics },
): Promise<ClusteringInput & { measured: ErrorRateRecordPair[] }> {
  const [all, supports, bits] = [createNumberList(), createNumberList(), createNumberList()];
  const measured: ErrorRateRecordPair[] = [];
  const weigh = createCachedNameWeigher();
  const isDrawn = createErrorRatePairFilter(statistics);
  const isMeasured: PairTest = (a, b) =>
    isDrawn(a.nameAndBirth ?? 0, b.nameAndBirth ?? 0, [a.order, b.order]);
  for await (const batch of yieldBetweenPages(batchesOf(pairs))) {
    const records = await readPairs(batch, read);
    const isSettled = settledIn(records, context);
    for (const [a, b] of records) {
      const pattern = isMeasured(a, b) ? computeComparisonPatternCode(a, b, context) : 0;
      if (pattern > 0) measured.push([a.row, b.row, pattern]);
      const verdict = isSettled(a, b) ? null : comparePair(a, b, context, { weigh, stopsAtConflict: true });
      all.add(encodeRowPair(a.row, b.row));
      supports.add(verdict ? sumPairEvidenceInBits(verdict) : -Infinity);
      bits.add(verdict && meetsLinkThreshold(verdict) ? verdict.bits : NaN);
    }
  }
  const supportOf = (a: LinkableRecord, b: LinkableRecord) =>
    sumPairEvidenceInBits(comparePair(a, b, context, { weigh, stopsAtConflict: true }));
  const compared = toClusteringInput(all.all(), { supports: supports.all(), bits: bits.all() }, (pair) => {
    const [a, b] = decodeRowPair(pair).map(read.cached);
    // A large cluster needs thousands of pairs, too many for one promise each.
    if (a && b) return supportOf(a, b);
    return readPairs([pair], read).then(([both]) => (both ? supportOf(...both) : -Infinity));
  });
  return { ...compared, measured };
}

type PairTest = (a: LinkableRecord, b: LinkableRecord) => boolean;

/** Minimum number of pairs for which a quick test of the given names saves time (see `settledIn`). */
const FEWEST_FOR_OUTLINES = 64;

/** Creates a quick test that is true if the given names alone show that two records belong to two people. Most pairs need no other comparison. */
function settledIn(pairs: [LinkableRecord, LinkableRecord][], context: LinkStatistics): PairTest {
  if (pairs.length < FEWEST_FOR_OUTLINES) return () => false;
  const records = [...new Map(pairs.flat().map((record) => [record.row, record])).values()];
  const indexes = new Map(records.map(({ row }, i) => [row, i]));
  const outlines = createCompactNameStore(records.length);
  const batch = createCompactNameEncoder();
  for (const record of records) batch.add(record);
  outlines.keep([...indexes.values()], batch.take());
  const isSettled = createNameConflictTest(outlines.view(), context);
  return (a, b) => isSettled(indexes.get(a.row) ?? 0, indexes.get(b.row) ?? 0);
}

function* batchesOf(pairs: number[]): Iterable<number[]> {
  for (let at = 0; at < pairs.length; at += PAIRS_PER_BATCH) yield pairs.slice(at, at + PAIRS_PER_BATCH);
}

async function readPairs(pairs: number[], read: RecordReader): Promise<[LinkableRecord, LinkableRecord][]> {
  if (pairs.length === 0) return [];
  const rows = pairs.map(decodeRowPair);
  const records = await read(rows.flat());
  return rows.flatMap(([rowA, rowB]): [LinkableRecord, LinkableRecord][] => {
    const [a, b] = [records.get(rowA), records.get(rowB)];
    return a && b ? [[a, b]] : [];
  });
}
