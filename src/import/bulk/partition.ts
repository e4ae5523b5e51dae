// Which of all records are one person: block, compare, cluster.
import type { KeepingGraph } from '../../graph/graph.ts';
import type { Partition, IndexBuilder } from '../../graph/linking.ts';
import { COUNTED, type Counted } from '../../link/counted/facts.ts';
import { globalsOf } from '../../link/counted/globals.ts';
import { ratesOf } from '../../link/counted/measure.ts';
import type { Tally, TallyView } from '../../link/counted/tally.ts';
import { NO_ERRORS } from '../../link/error-rates.ts';
import type { Pool } from '../../platform/threads/helpers.ts';
import { blockRecords } from '../block.ts';
import { patternsOf } from '../grow/compare.ts';
import { compareAll, measureAll } from './compare.ts';
import { clusterParts } from './components.ts';
import { helpingWith } from './helping.ts';

export interface PartitionOptions {
  /** What is remembered is put into it. */
  index: IndexBuilder | null;
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

type Found = Pick<Partition, 'clusters' | 'errorRates' | 'index' | 'near'>;

/** Errors: those of the graph, `out_of_memory`. */
export async function partition(
  { records, linking }: Pick<KeepingGraph, 'records' | 'linking'>,
  { index, pool, mostAtHand, onProgress, onStage }: PartitionOptions,
): Promise<Found> {
  const blocks = await linking.blocks();
  pool.start(records.sealed ? await records.count() : 0);
  const helping = helpingWith(records, pool);
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
    const measured = await measureAll(await blocks.pairs(), exact, { survey, rows });
    const errorRates = ratesOf(patternsOf({ measured }), survey);
    onStage?.('measuring');
    const comparing = { ...all, begun: { ...begun, errorRates } };
    const { joined, support } = await compareAll(await blocks.pairs(), comparing, {
      persons: rows.persons,
      onProgress: (done) => onProgress?.(0.4 + 0.5 * done),
    });
    onStage?.('comparing');
    const found = { joined, measured };
    index?.finish({ counts, totals: begun.totals, globals: globalsOf(survey, errorRates), found });
    onStage?.('remembering');
    const clusters = await clusterParts(joined, rows, support);
    onStage?.('clustering');
    return { clusters, errorRates, index, near: { atHand: begun.atHand, pool } };
  } finally {
    await blocks.drop();
  }
}
