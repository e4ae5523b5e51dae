// Partitions all records into people: blocking, comparison, clustering.
import type { RecordStoringGraph } from '../../graph/graph.ts';
import type { LinkCacheBuilder, LinkingResultOfAllRecords } from '../../graph/linking.ts';
import { COUNT_TYPES, type CountType } from '../../link/statistics/link-cache-record.ts';
import { serializeGraphWideLinkStatistics } from '../../link/statistics/weight-effects.ts';
import {
  countPairsByComparisonPattern,
  estimateErrorRates,
} from '../../link/statistics/comparison-patterns.ts';
import type { CountTable, CountTableView } from '../../link/statistics/count-table.ts';
import { UNMEASURED_ERROR_RATES } from '../../link/compare/evidence.ts';
import type { ThreadPool } from '../../platform/threads/helpers.ts';
import { addPairsToLinkingWorkspace } from './candidate-pairs.ts';
import { compareAllCandidatePairs, listErrorRatePairsWithPatterns } from './compare.ts';
import { createLinkingThreads } from './worker.ts';

export interface PartitionOptions {
  /** Link cache to fill, or null. */
  cache: LinkCacheBuilder | null;
  pool: ThreadPool;
  /**
   * Maximum size in bytes of packed records in memory. Further records are read again for each comparison, if the engine offers encrypted records;
   * otherwise they are an error. Default: 384 MiB, or 32 GiB without encrypted records.
   */
  mostPackedBytes?: number;
  /** Called with the finished share (0-1) of the work. */
  onProgress?: ((done: number) => void) | undefined;
  onStage?:
    | ((name: 'blocking' | 'measuring' | 'comparing' | 'remembering' | 'clustering') => void)
    | undefined;
}

type PartitionResult = Pick<LinkingResultOfAllRecords, 'clusters' | 'errorRates' | 'linkCache' | 'inMemory'>;

/**
 * Divides all records of a graph into groups, one for each person, without publishing the result. Errors: those of the graph, `out_of_memory`,
 * `invalid_arguments` if there are too many records.
 */
export async function partitionRecordsByPerson(
  { records, linking }: Pick<RecordStoringGraph, 'records' | 'linking'>,
  { cache, pool, mostPackedBytes, onProgress, onStage }: PartitionOptions,
): Promise<PartitionResult> {
  const workspace = await linking.openWorkspace();
  if (records.sealed) pool.start(await records.count());
  const threads = createLinkingThreads(records, pool);
  try {
    const blocked = await addPairsToLinkingWorkspace(records, { workspace, cache, mostPackedBytes }, threads);
    const { collector, sharers, rows, outlines, sharedRecords } = blocked;
    onProgress?.(0.4);
    onStage?.('blocking');
    const statistics = collector.statistics();
    const counts: [CountType, CountTable][] = [...collector.entries(), [COUNT_TYPES.people, sharers]];
    const state = {
      sharedRecords: sharedRecords.view(),
      outlines: outlines.view(),
      totals: collector.totals(),
      counts: counts.map(([what, tally]): [CountType, CountTableView] => [what, tally.view()]),
      orders: rows.orders,
      errorRates: UNMEASURED_ERROR_RATES,
    };
    const context = { records, threads, state };
    const measured = await listErrorRatePairsWithPatterns(await workspace.pairs(), context, {
      statistics,
      rows,
    });
    const errorRates = estimateErrorRates(countPairsByComparisonPattern(measured), statistics);
    onStage?.('measuring');
    const { joined, cluster } = await compareAllCandidatePairs(
      await workspace.pairs(),
      { ...context, state: { ...state, errorRates } },
      { persons: rows.persons, onProgress: (done) => onProgress?.(0.4 + 0.5 * done) },
    );
    onStage?.('comparing');
    const globals = serializeGraphWideLinkStatistics(statistics, errorRates);
    cache?.finish({ counts, totals: state.totals, globals, pairs: { joined, measured } });
    onStage?.('remembering');
    const clusters = await cluster();
    onStage?.('clustering');
    return { clusters, errorRates, linkCache: cache, inMemory: { sharedRecords: state.sharedRecords, pool } };
  } finally {
    await workspace.drop();
  }
}
