// One batch of records, from its files to the identities that checks see.
import { type KeepingGraph, keeping, type IdentityGraph } from './graph/graph.ts';
import { blockRecords } from './import/block.ts';
import { comparePairs, measureErrors, recordReader } from './import/compare.ts';
import { type ImportInput, keepRecords } from './import/keep.ts';
import type { ImportProgress, ImportSummary } from './import/progress.ts';
import { rejectsWriter } from './import/rejects.ts';
import { cluster } from './link/cluster.ts';
import { levelContext } from './link/levels.ts';

export interface ImportOptions {
  /** Null for a dry run, which reads and checks everything and keeps nothing. */
  graph: IdentityGraph | null;
  inputs: ImportInput[];
  /** ISO country in which numbers and addresses without a country are read. */
  region: string;
  /** CSV columns: `name=Full Name,email=Mail`. */
  map?: string | undefined;
  /** Where to write what could not be used, one JSON line each; made only when there is something to write. */
  rejects?: string | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/**
 * Reads records, normalises and keeps them, then links all records of the graph anew. An import that is interrupted leaves the
 * published graph as it was; running it again carries on, because a record with the same source and record id is replaced.
 *
 * Errors: those of the graph, `unreadable_file`, `invalid_arguments` (a column map that does not fit, a graph that keeps no records),
 * `disk_full` and `read_only` of the rejects file.
 */
export async function importRecords({ graph, ...options }: ImportOptions): Promise<ImportSummary> {
  const started = performance.now();
  const rejects = rejectsWriter(options.rejects);
  try {
    const kept = await keepRecords({ ...options, records: graph && keeping(graph).records, rejects });
    rejects.end();
    const read = performance.now();
    const linked = graph ? await linkRecords(graph, options) : { identities: 0, records: 0 };
    const seconds = { reading: (read - started) / 1000, linking: (performance.now() - read) / 1000 };
    return { ...kept, ...linked, rejectsFile: rejects.file(), firstRejects: rejects.first(), seconds };
  } finally {
    rejects.end();
  }
}

/**
 * Links all records of a graph and publishes the identities; again where another import added records meanwhile. The partition depends
 * on the set of records only, not on the order of their import.
 *
 * Memory: about a kilobyte a record, whatever else the records hold; keys and pairs are where the engine keeps them.
 * Errors: those of the graph, `invalid_arguments` where it keeps no records.
 */
export async function linkRecords(
  graph: IdentityGraph,
  { onProgress }: Pick<ImportOptions, 'onProgress'> = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = keeping(graph);
  for (;;) {
    const [revision, total] = [await linking.revision(), await records.count()];
    const told = (phase: 'linking' | 'publishing') => (done: number) =>
      onProgress?.({ phase, records: total, done });
    const { clusters, errorRates } = await partition({ records, linking }, told('linking'));
    const identities = await linking.publish({
      clusters,
      revision,
      errorRates,
      onProgress: told('publishing'),
    });
    if (identities !== null) return { records: total, identities };
  }
}

/** Block, compare, cluster. */
async function partition(
  { records, linking }: Pick<KeepingGraph, 'records' | 'linking'>,
  onProgress: (done: number) => void,
) {
  const blocks = await linking.blocks();
  try {
    const blocked = await blockRecords(records, blocks);
    onProgress(0.2);
    const read = recordReader(records);
    const errorRates = await measureErrors(blocks, read, blocked);
    const { survey, sharers, rows, labelled } = blocked;
    const onRow = (row: number) => onProgress(0.2 + 0.7 * (row / rows.orders.length));
    const { edges, support } = await comparePairs({
      blocks,
      read,
      context: levelContext({ ...survey, sharers, errorRates }),
      onRow,
    });
    return { clusters: await cluster([...labelled, ...edges], support), errorRates };
  } finally {
    await blocks.drop();
  }
}
