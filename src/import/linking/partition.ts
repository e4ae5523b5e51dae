// Which of all records are one person: block, compare, cluster.
import type { RecordGraph } from '../../graph/graph.ts';
import type { Partition, LinkCacheBuilder } from '../../graph/linking.ts';
import { COUNTED, type Counted } from '../../link/counted/facts.ts';
import { globalsOf } from '../../link/counted/globals.ts';
import { ratesOf } from '../../link/counted/measure.ts';
import type { Tally, TallyView } from '../../link/counted/tally.ts';
import { NO_ERRORS } from '../../link/error-rates.ts';
import type { Pool } from '../../platform/threads/helpers.ts';
import { blockRecords } from './block.ts';
import { countPatterns } from './compare.ts';
import { compareAllPairs, measurePairs } from './compare-all.ts';
import { openLinkingThreads } from './worker.ts';
import { sortedOrder } from '../../graph/external-sort.ts';
import { cluster, type Edge, edgeOf, type Support } from '../../link/cluster.ts';
import type { Rows } from '../../link/rows.ts';
import type { PairList } from './pair-list.ts';

export interface PartitionOptions {
  /** What is remembered is put into it. */
  index: LinkCacheBuilder | null;
  /** Threads that help where they are there. */
  pool: Pool;
  /** Bytes of memory for records, where the engine has them to be opened again; some hundred megabytes unless said. */
  mostAtHand?: number;
  /** Told how much of it is done, 0-1. */
  onProgress?: ((done: number) => void) | undefined;
  /** Told what was done last. */
  onStage?:
    | ((name: 'blocking' | 'measuring' | 'comparing' | 'remembering' | 'clustering') => void)
    | undefined;
}

type Found = Pick<Partition, 'clusters' | 'errorRates' | 'linkCache' | 'inMemory'>;

/** Errors: those of the graph, `out_of_memory`. */
export async function partitionRecords(
  { records, linking }: Pick<RecordGraph, 'records' | 'linking'>,
  { index, pool, mostAtHand, onProgress, onStage }: PartitionOptions,
): Promise<Found> {
  const blocks = await linking.openWorkspace();
  pool.start(records.sealed ? await records.count() : 0);
  const helping = openLinkingThreads(records, pool);
  try {
    const { surveyed, sharers, rows, outlines, atHand } = await blockRecords(
      records,
      { blocks, index, mostAtHand },
      helping,
    );
    onProgress?.(0.4);
    onStage?.('blocking');
    const survey = surveyed.survey();
    const counts: [Counted, Tally][] = [...surveyed.entries(), [COUNTED.people, sharers]];
    const begun = {
      atHand: atHand.view(),
      outlines: outlines.view(),
      totals: surveyed.totals(),
      counts: counts.map(([what, tally]): [Counted, TallyView] => [what, tally.view()]),
    };
    const all = { records, helping };
    const exact = { ...all, begun: { ...begun, errorRates: NO_ERRORS } };
    const measured = await measurePairs(await blocks.pairs(), exact, { survey, rows });
    const errorRates = ratesOf(countPatterns({ measured }), survey);
    onStage?.('measuring');
    const comparing = { ...all, begun: { ...begun, errorRates } };
    const { joined, support } = await compareAllPairs(await blocks.pairs(), comparing, {
      persons: rows.persons,
      onProgress: (done) => onProgress?.(0.4 + 0.5 * done),
    });
    onStage?.('comparing');
    const found = { joined, measured };
    index?.finish({ counts, totals: begun.totals, globals: globalsOf(survey, errorRates), pairs: found });
    onStage?.('remembering');
    const clusters = await clusterParts(joined, rows, support);
    onStage?.('clustering');
    return { clusters, errorRates, linkCache: index, inMemory: { atHand: begun.atHand, pool } };
  } finally {
    await blocks.drop();
  }
}

/**
 * The clusters of all joined pairs. Nothing of clustering reaches beyond what pairs lead to, and of that there are a few dozen records at
 * most: so each such part is clustered by itself.
 */
async function clusterParts(
  joined: PairList,
  { orders }: Pick<Rows, 'orders'>,
  support: Support,
): Promise<number[][]> {
  const parts = partsOf(joined);
  const order = sortedOrder(parts);
  const clusters: number[][] = [];
  let edges: Edge[] = [];
  for (const [i, place] of order.entries()) {
    const [a, b, bits] = joined.at(place);
    edges.push(edgeOf([a, b], bits, orders));
    if (parts[order[i + 1] ?? -1] === parts[place]) continue;
    clusters.push(...(await cluster(edges, support)));
    edges = [];
  }
  return clusters;
}

/** Of every pair, by its place, the lowest row that pairs lead to from it. */
function partsOf(joined: PairList): Float64Array {
  let highest = 0;
  for (const [, b] of joined) highest = Math.max(highest, b);
  const lower = Uint32Array.from({ length: highest + 1 }, (_, row) => row);
  const rootOf = (row: number): number => {
    let root = row;
    for (let next = lower[root] ?? 0; next !== root; next = lower[root] ?? 0) {
      // Halves the way for who comes next (Tarjan and van Leeuwen 1984).
      lower[root] = lower[next] ?? 0;
      root = next;
    }
    return root;
  };
  for (const [a, b] of joined) {
    const [one, two] = [rootOf(a), rootOf(b)];
    lower[Math.max(one, two)] = Math.min(one, two);
  }
  const parts = new Float64Array(joined.length);
  for (let place = 0; place < parts.length; place++) parts[place] = rootOf(joined.at(place)[0]);
  return parts;
}
