import {
  createFingerprintFunctions,
  type FingerprintFunctions,
} from '../../graph/encryption/fingerprints.ts';
import {
  createRecordCipher,
  decryptSealedRecordPage,
  type RecordCipher,
  type SealedRecordPage,
} from '../../graph/encryption/sealed-records.ts';
import { createDataCipher } from '../../graph/encryption/cipher.ts';
import type { GraphRecordOperations } from '../../graph/records.ts';
import type { RecordErrorRates, LinkStatistics, PairComparison } from '../../link/compare/evidence.ts';
import { createCachedNameWeigher, weighNames } from '../../link/compare/names.ts';
import {
  type CompactNameBatch,
  createCompactNameEncoder,
  type CompactNamesView,
  createNameConflictTest,
} from '../../link/compare/compact-names.ts';
import { comparePair, meetsLinkThreshold, sumPairEvidenceInBits } from '../../link/compare/pair.ts';
import {
  type CountType,
  COUNT_TYPES,
  type LinkCacheRecord,
  toLinkCacheRecord,
  decodeLinkCacheRecordFromNumbers,
  encodeLinkCacheRecordAsNumbers,
} from '../../link/statistics/link-cache-record.ts';
import { roundLinkStatistics } from '../../link/statistics/levels.ts';
import { computeComparisonPatternCode } from '../../link/statistics/comparison-patterns.ts';
import { createCollectedLinkStatistics, type LinkStatisticsTotals } from '../../link/statistics/collected.ts';
import { createCountTableReader, type CountTableView } from '../../link/statistics/count-table.ts';
import { createBoundedCache } from '../../link/bounded-cache.ts';
import {
  type SharedMemoryRecordsView,
  createSharedMemoryRecordReader,
  type PackedRecords,
  createRecordPacker,
} from '../../link/packed-records.ts';
import { decodeRowPair, encodeRowPair } from '../../link/candidate-pairs.ts';
import { sliceJoinedArray } from '../../link/joined-arrays.ts';
import {
  createBirthDateConflictTest,
  listRecordClusters,
  createPairContentCacheKeyFunction,
  MAX_EDGES_WITHOUT_PAIR_DEDUPLICATION,
  type LinkEdge,
  createLinkEdge,
} from '../../link/cluster.ts';
import { prepareNamesForLinkingWithoutCache } from '../../link/link-name.ts';
import {
  toLinkableRecord,
  type LinkableRecord,
  createLinkableRecordFromParts,
} from '../../link/link-record.ts';
import type { FingerprintFunction, RecordRow } from '../../link/stored-record.ts';
import { listOperatorNameTablePaths, loadOperatorNameTable } from '../../names/index.ts';
import { getModuleFile } from '../../platform/assets.ts';
import type { TaskThreads, ThreadPool } from '../../platform/threads/helpers.ts';
import { mapInOrder } from '../../platform/turn.ts';
import { createNumberList } from './pair-list.ts';
import { type BatchReadRequest, readAndEncryptBatch, type EncryptedBatch } from '../batch.ts';

/** Data that a thread needs to compare pairs, the same for all pairs of one linking. */
export interface ComparisonRunContext {
  sharedRecords: SharedMemoryRecordsView;
  outlines: CompactNamesView;
  totals: LinkStatisticsTotals;
  counts: [CountType, CountTableView][];
  /** Sort number of the record in each row, which decides the order of otherwise equal records. */
  orders: Float64Array;
  errorRates: RecordErrorRates;
}

export interface RowPairBatch {
  pairs: Float64Array;
  /** Encrypted records of the pairs that are not in memory; null if all records are. */
  more: SealedRecordPage | null;
}

/**
 * Results of compared pairs: evidence that both records are one person, and match weight in bits (NaN if the comparison found two people, so that
 * the pair is not joined).
 */
export interface PairComparisonResults {
  pairs: Float64Array;
  supports: Float64Array;
  bits: Float64Array;
}

/** Compared pairs of several connected components, one component after the other. */
interface ConnectedPairsBatch extends RowPairBatch, PairComparisonResults {
  ends: Uint32Array;
}

interface LinkingWorkerData {
  secret: string;
  nameTables: readonly string[];
}

/** Creates the functions that a worker thread of a `ThreadPool` runs for linking. */
export function createWorkerTaskFunctions({ secret, nameTables }: LinkingWorkerData): LinkingWorker {
  for (const file of nameTables.slice(listOperatorNameTablePaths().length)) loadOperatorNameTable(file);
  const fingerprints = createFingerprintFunctions(secret);
  return createLinkingWorker(fingerprints, createRecordCipher(fingerprints, createDataCipher(secret)));
}

/** Minimum number of decoded records that a thread caches. */
const CACHED_RECORDS = 64;

type LinkingWorker = ReturnType<typeof createLinkingWorker>;

function createLinkingWorker(fingerprints: FingerprintFunctions, cipher: RecordCipher) {
  const { decrypt: open } = cipher;
  const { of } = fingerprints;
  let context: LinkStatistics | undefined;
  let weigh = weighNames;
  let orders: Float64Array = new Float64Array();
  let isSettled: (a: number, b: number) => boolean = () => false;
  let mayConflict = createBirthDateConflictTest([]);
  let readPacked: ReturnType<typeof createSharedMemoryRecordReader> = () => null;
  const prepared = createBoundedCache(CACHED_RECORDS, (row: number): LinkableRecord => {
    const packed = readPacked(row);
    if (!packed) throw new Error(`record ${row} is not in memory`);
    return createLinkableRecordFromParts(row, packed);
  });
  const compareRecords: Compare<PairComparison> = (a, b, known) =>
    comparePair(a, b, known, { weigh, stopsAtConflict: true });
  type Compare<T> = (a: LinkableRecord, b: LinkableRecord, context: LinkStatistics) => T;
  const comparing = <T>(sent: ReadonlyMap<number, LinkableRecord>, compare: Compare<T>) => {
    if (!context) throw new Error('a comparison was requested before its statistics were set');
    const known = context;
    const recordOf = (row: number) => sent.get(row) ?? prepared.get(row);
    return (pair: number): T => {
      const rows = decodeRowPair(pair);
      return compare(recordOf(rows[0]), recordOf(rows[1]), known);
    };
  };
  /**
   * Returns a function that compares a pair of the batch. Records that were sent with the batch are decrypted once and kept in a map; the cache might
   * drop a record before its pair is compared.
   */
  const comparingBatch = <T>({ more }: RowPairBatch, compare: Compare<T>) => {
    const sent = new Map<number, LinkableRecord>();
    for (const row of more ? decryptSealedRecordPage(more, open) : [])
      sent.set(row.row, toLinkableRecord(row, of));
    return comparing(sent, compare);
  };
  return {
    /** Reads lines or rows. Returns null if a line is an export of other software, and is not in Bonafide's own format. */
    read: (request: BatchReadRequest): EncryptedBatch | null =>
      readAndEncryptBatch(request, fingerprints, cipher),
    prepare: (page: SealedRecordPage) => decodeRecordsForLinking(decryptSealedRecordPage(page, open), of),
    begin({
      sharedRecords,
      outlines,
      totals,
      counts,
      errorRates,
      orders: allOrders,
    }: ComparisonRunContext): void {
      orders = allOrders;
      const tallies = new Map(counts.map(([what, tally]) => [what, createCountTableReader(tally)]));
      const count = (what: CountType, key: number) => tallies.get(what)?.(key) ?? 0;
      const sharers = (key: number) => Math.max(1, count(COUNT_TYPES.people, key));
      context = roundLinkStatistics({
        ...createCollectedLinkStatistics(totals, count, of),
        errorRates,
        sharers,
      });
      weigh = createCachedNameWeigher();
      isSettled = createNameConflictTest(outlines, { errorRates });
      mayConflict = createBirthDateConflictTest(outlines.births);
      readPacked = createSharedMemoryRecordReader(sharedRecords);
      prepared.clear();
    },
    /** Returns the pairs that need a full comparison, because their given names alone do not show two different people. */
    unsettled: (pairs: Float64Array): Float64Array =>
      pairs.filter((pair) => {
        const rows = decodeRowPair(pair);
        return !isSettled(rows[0], rows[1]);
      }),
    /** Returns the comparison pattern of each pair; see `computeComparisonPatternCode`. */
    measure: (batch: RowPairBatch): Float64Array =>
      batch.pairs.map(comparingBatch(batch, computeComparisonPatternCode)),
    compare(batch: RowPairBatch): Omit<PairComparisonResults, 'pairs'> {
      const { pairs } = batch;
      const compare = comparingBatch(batch, compareRecords);
      const [supports, bits] = [new Float64Array(pairs.length), new Float64Array(pairs.length)];
      for (let i = 0; i < pairs.length; i++) {
        const comparison = compare(pairs[i] ?? 0);
        supports[i] = sumPairEvidenceInBits(comparison);
        bits[i] = meetsLinkThreshold(comparison) ? comparison.bits : NaN;
      }
      return { supports, bits };
    },
    /** Clusters connected components. Returns the rows of all clusters, and the index at which each cluster ends. */
    async cluster(batch: ConnectedPairsBatch): Promise<{ rows: Uint32Array; ends: Uint32Array }> {
      const compare = comparingBatch(batch, compareRecords);
      const known = new Map<number, number>();
      batch.pairs.forEach((pair, i) => known.set(pair, batch.supports[i] ?? 0));
      const support = (a: number, b: number) => {
        const pair = encodeRowPair(a, b);
        // Only a few pairs were not compared before.
        return known.get(pair) ?? (isSettled(a, b) ? -Infinity : sumPairEvidenceInBits(compare(pair)));
      };
      const clusters: number[][] = [];
      for (const [i, end] of batch.ends.entries()) {
        const edges: LinkEdge[] = [];
        for (let at = i > 0 ? (batch.ends[i - 1] ?? 0) : 0; at < end; at++) {
          const bits = batch.bits[at] ?? NaN;
          if (!Number.isNaN(bits))
            edges.push(createLinkEdge(decodeRowPair(batch.pairs[at] ?? 0), bits, orders));
        }
        const toKey =
          edges.length > MAX_EDGES_WITHOUT_PAIR_DEDUPLICATION
            ? createPairContentCacheKeyFunction(edges, readPacked, { orders })
            : encodeRowPair;
        clusters.push(...(await listRecordClusters(edges, support, { toKey, mayConflict })));
      }
      let length = 0;
      const ends = Uint32Array.from(clusters, (rows) => (length += rows.length));
      return { rows: Uint32Array.from(clusters.flat()), ends };
    },
  };
}

/** Functions of linking that run in this thread (`own`) or in worker threads. */
export interface LinkingThreads {
  own: LinkingWorker;
  /** Functions of the linking worker in the threads of the pool, or in this thread if the pool has no threads. */
  helpers: TaskThreads<LinkingWorker>;
  /** Calls `work` for each item, in parallel if there are worker threads. Yields the results in the order of the items. */
  forEach<T, R>(items: Iterable<T> | AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncIterable<R>;
}

/**
 * Creates the functions of linking for the records of a graph. If the engine offers no encrypted records (`sealed` is missing), the pool must have
 * no threads, and all functions run in this thread.
 */
export function createLinkingThreads(
  { fingerprints, sealed }: Pick<GraphRecordOperations, 'fingerprints' | 'sealed'>,
  pool: ThreadPool,
): LinkingThreads {
  const cipher = sealed ? createRecordCipher(fingerprints, createDataCipher(sealed.secret)) : NO_SEALING;
  const own = createLinkingWorker(fingerprints, cipher);
  const data = sealed && { secret: sealed.secret, nameTables: listOperatorNameTablePaths() };
  const helpers = pool.use(
    getModuleFile('import/linking/worker'),
    data satisfies LinkingWorkerData | undefined,
    own,
  );
  return { own, helpers, forEach: (items, work) => mapInOrder(items, work, () => helpers.count * 2) };
}

const unsealed = (): never => {
  throw new Error('the engine of this graph offers no encrypted records for threads');
};
const NO_SEALING: RecordCipher = {
  decrypt: unsealed,
  encrypt: unsealed,
  encryptAll: unsealed,
  keyOf: unsealed,
};

/** Records of one page of the graph, decoded for linking. All data is in typed arrays, which can be moved between threads without copying. */
export interface RecordsForLinking {
  rows: Uint32Array;
  /** Linking data of all records as numbers (see `encodeLinkCacheRecordAsNumbers`), and the index at which the numbers of each record end. */
  facts: Float64Array;
  ends: Uint32Array;
  packed: PackedRecords['bytes'];
  starts: PackedRecords['starts'];
  texts: CompactNameBatch['texts'];
  outlines: CompactNameBatch['numbers'];
}

/** Decodes records for linking (see `RecordsForLinking`), one after the other, so that garbage collection can free each record early. */
export function decodeRecordsForLinking(
  records: Iterable<RecordRow>,
  of: FingerprintFunction,
): RecordsForLinking {
  const [rows, ends, facts] = [[] as number[], [] as number[], createNumberList()];
  const [packer, outlines] = [createRecordPacker(), createCompactNameEncoder()];
  for (const row of records) {
    const record = toLinkableRecord(row, of, prepareNamesForLinkingWithoutCache);
    rows.push(record.row);
    const numbers = encodeLinkCacheRecordAsNumbers(toLinkCacheRecord(record, of));
    facts.addAll(numbers);
    ends.push((ends.at(-1) ?? 0) + numbers.length);
    packer.add(record);
    outlines.add(record);
  }
  const { bytes, starts } = packer.take();
  const { texts, numbers } = outlines.take();
  return {
    rows: Uint32Array.from(rows),
    facts: facts.all().slice(),
    ends: Uint32Array.from(ends),
    packed: bytes,
    starts,
    texts,
    outlines: numbers,
  };
}

/** Yields the linking data of each decoded record, as an object and as numbers. */
export function* iterateRecordsForLinking({
  rows,
  facts,
  ends,
}: Pick<RecordsForLinking, 'rows' | 'facts' | 'ends'>): Iterable<
  [row: number, facts: LinkCacheRecord, numbers: Float64Array]
> {
  for (const [i, row] of rows.entries()) {
    const numbers = sliceJoinedArray(facts, ends, i);
    yield [row, decodeLinkCacheRecordFromNumbers(numbers), numbers];
  }
}
