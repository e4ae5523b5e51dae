// Compares pairs of records: all pairs that blocking found. Incremental linking shares parts of this.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { GraphRecordOperations } from '../../graph/records.ts';
import { createLowestConnectedRowLookup, type PairEvidenceFunction } from '../../link/cluster.ts';
import { createErrorRatePairSampler } from '../../link/statistics/comparison-patterns.ts';
import type { CollectedLinkStatistics } from '../../link/statistics/collected.ts';
import { encodeRowPair, decodeRowPair } from '../../link/candidate-pairs.ts';
import { sliceJoinedArray } from '../../link/joined-arrays.ts';
import { toLinkableRecord, type LinkableRecord } from '../../link/link-record.ts';
import type { RecordFieldsByRow } from '../../link/statistics/link-cache-record.ts';
import { type PairList, createPairListForEachValueArray, createNumberList } from './pair-list.ts';
import { packSealedRecordPage, type SealedRecordPage } from '../../graph/encryption/sealed-records.ts';
import { pickNumbersByIndex, listIndexesInKeyOrder } from '../../graph/external-sort.ts';
import type { ErrorRateRecordPair } from '../../graph/linking.ts';
import type { PairComparisonResults, ComparisonRunContext, LinkingThreads, RowPairBatch } from './worker.ts';

/**
 * Yields the pages unchanged, and waits for one turn of the event loop after each. Linking takes minutes, and Node handles signals only between
 * turns.
 */
export async function* yieldBetweenPages<T>(pages: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  for await (const page of pages) {
    yield page;
    await endOfTurn();
  }
}

export interface RecordReader {
  /** Reads several records by their row numbers. */
  (rows: Iterable<number>): Promise<Map<number, LinkableRecord>>;
  /** Returns a cached record; undefined if it is not cached. */
  cached(row: number): LinkableRecord | undefined;
}

const MOST_CACHED_RECORDS = 5000;

/** Opens a reader of records with a cache for the most recently read ones: `MOST_CACHED_RECORDS`, or as many as were read at once. */
export function createCachedRecordReader(records: GraphRecordOperations): RecordReader {
  const { of } = records.fingerprints;
  const cache = new Map<number, LinkableRecord>();
  const readRows = async (rows: Iterable<number>) => {
    const read = new Map<number, LinkableRecord>();
    const missing: number[] = [];
    for (const row of new Set(rows)) {
      const record = cache.get(row);
      if (!record) missing.push(row);
      else read.set(row, record);
      cache.delete(row);
    }
    for (const entry of read) cache.set(...entry);
    for (const raw of missing.length > 0 ? await records.readRows(missing) : []) {
      const record = toLinkableRecord(raw, of);
      read.set(record.row, record);
      cache.set(record.row, record);
    }
    for (const row of cache.keys()) {
      if (cache.size <= Math.max(MOST_CACHED_RECORDS, read.size)) break;
      cache.delete(row);
    }
    return read;
  };
  return Object.assign(readRows, { cached: (row: number) => cache.get(row) });
}

/** Creates a test that is true for the pairs from which error rates are measured. The selection does not depend on the order of import. */
export function createErrorRatePairFilter(
  statistics: CollectedLinkStatistics,
): (datedA: number, datedB: number, orders: [number, number]) => boolean {
  if (statistics.dated === 0) return () => false;
  const { isDrawn } = createErrorRatePairSampler(statistics);
  return (datedA, datedB, orders) => datedA !== 0 && datedB !== 0 && isDrawn(...orders);
}

export interface ClusteringInput {
  joined: PairList;
  support: PairEvidenceFunction;
}

/**
 * Converts compared pairs to the input of clustering. A pair is joined if its comparison found one person.
 *
 * @param columns evidence of each pair, and its match weight in bits (NaN if the pair is not joined)
 * @param compare returns the evidence of a pair that was not compared before; clustering needs only a few of these
 */
export function toClusteringInput(
  pairs: Float64Array,
  columns: { supports: Float64Array; bits: Float64Array },
  compare: (pair: number) => number | Promise<number>,
): ClusteringInput {
  const { supports, bits } = createPairListForEachValueArray(pairs, columns);
  return {
    joined: bits,
    support(a, b) {
      const pair = encodeRowPair(a, b);
      return supports.find(pair) ?? compare(pair);
    },
  };
}

/** Pages of row pairs, encoded as numbers by `encodeRowPair`. */
type PairPages = Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>;

const PAIRS_PER_BATCH = 2048;

interface CompareContext {
  records: GraphRecordOperations;
  threads: LinkingThreads;
  state: ComparisonRunContext;
}

/** Returns the comparison patterns (which values agree) of the pairs in the sample for error rates. */
export async function listErrorRatePairsWithPatterns(
  pages: PairPages,
  context: CompareContext,
  {
    statistics,
    rows: { dated, orders },
  }: { statistics: CollectedLinkStatistics; rows: Pick<RecordFieldsByRow, 'dated' | 'orders'> },
): Promise<ErrorRateRecordPair[]> {
  if (statistics.dated === 0) return [];
  const isMeasured = createErrorRatePairFilter(statistics);
  const drawn = createNumberList();
  for await (const page of yieldBetweenPages(pages))
    for (let i = 0; i < page.length; i++) {
      const [a, b] = decodeRowPair(page[i] ?? 0);
      if (isMeasured(dated[a] ?? 0, dated[b] ?? 0, [orders[a] ?? 0, orders[b] ?? 0]))
        drawn.add(encodeRowPair(a, b));
    }
  const measured: ErrorRateRecordPair[] = [];
  const measure = async (pairs: Float64Array) => ({
    pairs,
    patterns: await context.threads.helpers.ask('measure', await toBatch(pairs, context)),
  });
  await begin(context);
  for await (const { pairs, patterns } of yieldBetweenPages(
    context.threads.forEach(batchesOf(drawn.all()), measure),
  ))
    for (const [i, pattern] of patterns.entries())
      if (pattern > 0) measured.push([...decodeRowPair(pairs[i] ?? 0), pattern]);
  return measured;
}

/**
 * Pairs of records that were found to be one person (joined), and a function that clusters all records by these pairs: one list of rows for each
 * person.
 */
export interface AllCandidatePairsComparison {
  joined: PairList;
  cluster(): Promise<number[][]>;
}

/** Compares all pairs. Pairs of connected records are sorted next to each other, so that a thread decodes each record only once. */
export async function compareAllCandidatePairs(
  pages: PairPages,
  context: CompareContext,
  { persons, onProgress }: { persons: Float64Array; onProgress?: (done: number) => void },
): Promise<AllCandidatePairsComparison> {
  const { threads } = context;
  await begin(context);
  const unsettled = await unsettledPairs(pages, threads);
  const byPerson = sortPairs(unsettled, (row) => persons[row] ?? 0);
  const pairs = sortPairs(byPerson, createLowestConnectedRowLookup(unsettled, persons.length));
  const [supports, bits] = [new Float64Array(pairs.length), new Float64Array(pairs.length)];
  const compare = async (batch: Float64Array) =>
    threads.helpers.ask('compare', await toBatch(batch, context));
  let done = 0;
  for await (const batch of yieldBetweenPages(threads.forEach(batchesOf(pairs), compare))) {
    supports.set(batch.supports, done);
    bits.set(batch.bits, done);
    done += batch.bits.length;
    onProgress?.(done / pairs.length);
  }
  return {
    joined: createPairListForEachValueArray(pairs, { bits }).bits,
    cluster: () => clusterPairs({ pairs, bits, supports }, context, persons.length),
  };
}

/**
 * Clusters the records of joined pairs. Records that no such pairs connect are never in one cluster, so each connected component is clustered
 * separately.
 */
async function clusterPairs(
  all: PairComparisonResults,
  context: CompareContext,
  rows: number,
): Promise<number[][]> {
  const partOf = createLowestConnectedRowLookup(
    all.pairs.filter((_, i) => !Number.isNaN(all.bits[i])),
    rows,
  );
  // Pairs between two connected parts have no effect.
  const parts = all.pairs.map((pair) => {
    const [a, b] = decodeRowPair(pair);
    return partOf(a) === partOf(b) ? partOf(a) : rows;
  });
  const order = listIndexesInKeyOrder(parts);
  const sorted = pickNumbersByIndex(parts, order);
  const columns = {
    pairs: pickNumbersByIndex(all.pairs, order),
    bits: pickNumbersByIndex(all.bits, order),
    supports: pickNumbersByIndex(all.supports, order),
  };
  const cluster = async (partEnds: number[]) => {
    const [from, to] = [partEnds[0] ?? 0, partEnds.at(-1) ?? 0];
    const batch = await toBatch(columns.pairs.subarray(from, to), context);
    const [bits, supports] = [columns.bits.slice(from, to), columns.supports.slice(from, to)];
    const ends = Uint32Array.from(partEnds.slice(1), (end) => end - from);
    return context.threads.helpers.ask('cluster', { ...batch, bits, supports, ends });
  };
  const clusters: number[][] = [];
  const batches = context.threads.forEach(partBatchesOf(sorted, rows), cluster);
  for await (const { rows: members, ends } of yieldBetweenPages(batches))
    for (let i = 0; i < ends.length; i++) clusters.push([...sliceJoinedArray(members, ends, i)]);
  return clusters;
}

/**
 * Yields batches of complete connected components. A batch is a list of indexes: that of its first pair, then for each component that after its
 * last pair. @param parts component of each pair, sorted; `rows` for a pair that belongs to none
 */
function* partBatchesOf(parts: Float64Array, rows: number): Iterable<number[]> {
  let ends = [0];
  for (let to = 1; to <= parts.length && (parts[to - 1] ?? rows) < rows; to++) {
    if (parts[to] === parts[to - 1]) continue;
    ends.push(to);
    if (to - (ends[0] ?? 0) < PAIRS_PER_BATCH) continue;
    yield ends;
    ends = [to];
  }
  if (ends.length > 1) yield ends;
}

async function unsettledPairs(pages: PairPages, threads: LinkingThreads): Promise<Float64Array> {
  const unsettled = createNumberList();
  const filter = (page: ArrayLike<number>) => threads.helpers.ask('unsettled', new Float64Array(page));
  for await (const pairs of yieldBetweenPages(threads.forEach(pages, filter))) unsettled.addAll(pairs);
  return unsettled.all();
}

async function begin({ threads: { own, helpers }, state }: CompareContext): Promise<void> {
  own.begin(state);
  if (helpers.count > 0) await helpers.tell('begin', state);
}

async function toBatch(pairs: Float64Array, { records, state }: CompareContext): Promise<RowPairBatch> {
  const rows = rowsOnDisk(pairs, state);
  const more: SealedRecordPage | null =
    rows.length === 0 || !records.sealed ? null : packSealedRecordPage(await records.sealed.readRows(rows));
  return { pairs: pairs.slice(), more };
}

function rowsOnDisk(pairs: Iterable<number>, { sharedRecords: { places } }: ComparisonRunContext): number[] {
  const rows = new Set<number>();
  for (const pair of pairs) for (const row of decodeRowPair(pair)) if (places[row] === 0) rows.add(row);
  return [...rows];
}

/** Sorts pairs by a key of their first row. The sort is stable. */
function sortPairs(pairs: Float64Array, keyOf: (row: number) => number): Float64Array {
  const keys = pairs.map((pair) => keyOf(decodeRowPair(pair)[0]));
  return pickNumbersByIndex(pairs, listIndexesInKeyOrder(keys));
}

function* batchesOf(pairs: Float64Array): Iterable<Float64Array> {
  for (let at = 0; at < pairs.length; at += PAIRS_PER_BATCH) yield pairs.subarray(at, at + PAIRS_PER_BATCH);
}
