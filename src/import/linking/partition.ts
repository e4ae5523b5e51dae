// Partition of all records into people: block, compare, cluster.
import { listIndexesInKeyOrder } from '../../graph/external-sort.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import type { LinkCacheBuilder, MeasuredPair, RecordPartition } from '../../graph/linking.ts';
import { clusterRecords, type LinkEdge, keyPairsByContent, toLinkEdge } from '../../link/cluster.ts';
import { findEqualRecords, type SharedRecordsView } from '../../link/packed-records.ts';
import { encodePair } from '../../link/candidate-pairs.ts';
import { COUNT_KINDS, type CountKind } from '../../link/statistics/record-facts.ts';
import { serializeGlobals } from '../../link/statistics/weight-effects.ts';
import { estimateErrorRates } from '../../link/statistics/comparison-patterns.ts';
import type { CountTable, CountTableView } from '../../link/statistics/count-table.ts';
import { NO_ERRORS } from '../../link/compare/evidence.ts';
import type { RowColumns } from '../../link/statistics/record-facts.ts';
import type { ThreadPool } from '../../platform/threads/helpers.ts';
import { blockRecords } from './block.ts';
import { type ComparedPairs, compareAllPairs, measurePairs } from './compare.ts';
import type { PairList } from './pair-list.ts';
import { openLinkingThreads } from './worker.ts';

export interface PartitionOptions {
  /** Link cache to fill; null for none. */
  cache: LinkCacheBuilder | null;
  pool: ThreadPool;
  /** Maximum bytes of records in memory, if the engine can read further records again. Default: 384 MiB. */
  mostPackedBytes?: number;
  /** Called with the share (0-1) of the partition that is done. */
  onProgress?: ((done: number) => void) | undefined;
  /** Called after each stage of the partition. */
  onStage?:
    | ((name: 'blocking' | 'measuring' | 'comparing' | 'remembering' | 'clustering') => void)
    | undefined;
}

type PartitionResult = Pick<RecordPartition, 'clusters' | 'errorRates' | 'linkCache' | 'inMemory'>;

/** Partitions all records of a graph into people, without publishing anything. Errors: those of the graph, `out_of_memory`. */
export async function partitionRecords(
  { records, linking }: Pick<RecordGraph, 'records' | 'linking'>,
  { cache, pool, mostPackedBytes, onProgress, onStage }: PartitionOptions,
): Promise<PartitionResult> {
  const workspace = await linking.openWorkspace();
  pool.start(records.sealed ? await records.count() : 0);
  const threads = openLinkingThreads(records, pool);
  try {
    const blocked = await blockRecords(records, { workspace, cache, mostPackedBytes }, threads);
    const { surveyor, sharers, rows, outlines, atHand } = blocked;
    onProgress?.(0.4);
    onStage?.('blocking');
    const survey = surveyor.survey();
    const counts: [CountKind, CountTable][] = [...surveyor.entries(), [COUNT_KINDS.people, sharers]];
    const state = {
      atHand: atHand.view(),
      outlines: outlines.view(),
      totals: surveyor.totals(),
      counts: counts.map(([what, tally]): [CountKind, CountTableView] => [what, tally.view()]),
      errorRates: NO_ERRORS,
    };
    const context = { records, threads, state };
    const measured = await measurePairs(await workspace.pairs(), context, { survey, rows });
    const errorRates = estimateErrorRates(countPatterns(measured), survey);
    onStage?.('measuring');
    const { joined, support } = await compareAllPairs(
      await workspace.pairs(),
      { ...context, state: { ...state, errorRates } },
      { persons: rows.persons, onProgress: (done) => onProgress?.(0.4 + 0.5 * done) },
    );
    onStage?.('comparing');
    const globals = serializeGlobals(survey, errorRates);
    cache?.finish({ counts, totals: state.totals, globals, pairs: { joined, measured } });
    onStage?.('remembering');
    const clusters = await clusterParts({ joined, support }, { orders: rows.orders, atHand: state.atHand });
    onStage?.('clustering');
    return { clusters, errorRates, linkCache: cache, inMemory: { atHand: state.atHand, pool } };
  } finally {
    await workspace.drop();
  }
}

function countPatterns(measured: MeasuredPair[]): Map<number, number> {
  const patterns = new Map<number, number>();
  for (const [, , pattern] of measured) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  return patterns;
}

/** Edges from which on a connected part is looked through for records that say exactly the same. */
const MANY_EDGES = 500;

/**
 * Clusters all joined pairs. Clustering never reaches beyond the records that joined pairs connect, which are a few dozen at most: so each
 * connected part is clustered by itself.
 */
async function clusterParts(
  { joined, support }: ComparedPairs,
  { orders, atHand }: Pick<RowColumns, 'orders'> & { atHand: SharedRecordsView },
): Promise<number[][]> {
  const parts = connectedParts(joined);
  const order = listIndexesInKeyOrder(parts);
  const clusters: number[][] = [];
  let edges: LinkEdge[] = [];
  for (const [i, index] of order.entries()) {
    const [a, b, bits] = joined.at(index);
    edges.push(toLinkEdge([a, b], bits, orders));
    if (parts[order[i + 1] ?? -1] === parts[index]) continue;
    const isLarge = edges.length > MANY_EDGES;
    const toKey = isLarge
      ? keyPairsByContent(findEqualRecords(atHand, new Set(edges.flatMap(({ a, b }) => [a, b]))), { orders })
      : encodePair;
    clusters.push(...(await clusterRecords(edges, support, toKey)));
    edges = [];
  }
  return clusters;
}

/** Returns for each pair, by its index, the lowest row that pairs connect with it. */
function connectedParts(joined: PairList): Float64Array {
  const parts = new Float64Array(joined.length);
  let highest = 0;
  for (const [, b] of joined) highest = Math.max(highest, b);
  const lower = new Uint32Array(highest + 1);
  for (let row = 0; row <= highest; row++) lower[row] = row;
  const findRoot = (row: number): number => {
    let root = row;
    for (let next = lower[root] ?? 0; next !== root; next = lower[root] ?? 0) {
      // Path halving (Tarjan and van Leeuwen 1984).
      lower[root] = lower[next] ?? 0;
      root = next;
    }
    return root;
  };
  for (const [a, b] of joined) {
    const [rootA, rootB] = [findRoot(a), findRoot(b)];
    lower[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }
  for (let i = 0; i < parts.length; i++) parts[i] = findRoot(joined.at(i)[0]);
  return parts;
}
