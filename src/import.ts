// One batch of records, from its files to the identities that checks see.
import { type IdentityGraph, requireRecords } from './graph/graph.ts';
import type { IncomingRecords, GraphRecords } from './graph/records.ts';
import { type ImportInput, stageRecords } from './import/stage.ts';
import {
  type ImportProgress,
  type ImportSummary,
  type ReadSummary,
  type SharedIdCounts,
  openRejectsWriter,
} from './import/summary.ts';
import { mergeSameId, countingMerge } from './import/merge-same.ts';
import { removeMissingRecords, requireOneSource } from './import/sources.ts';
import { linkChanged } from './people/linking/linking.ts';
import { type Pool, poolOf, type Threads } from './platform/threads/helpers.ts';
import type { DateOrder } from './import/columns/dates.ts';
import type { ColumnPlan } from './import/input/plan.ts';

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
  /** False: where something changes that weighs in every pair, linking all records anew waits for `settle`. */
  settle?: boolean | undefined;
  /** In which order numbers make dates in tables; by what their first rows show unless given. */
  dates?: DateOrder | undefined;
  /** Whether rows of companies, guests and tests in tables are kept. */
  keepCompanies?: boolean | undefined;
  /** See `RecordOptions`. */
  now?: number | undefined;
  /** Told of each table what its columns are taken for; what it throws ends the import. */
  onPlan?: ((plan: ColumnPlan) => Promise<void>) | undefined;
  /** Of all records: those that name another are refused. Unless given, of records that name none it is the file's base name. */
  source?: string | undefined;
  /** Of records with one id what comes last counts, as in a list of changes; unless said, they become one, as in a list of orders. */
  lastWins?: boolean | undefined;
  /** The records are all of their source: what the graph has of it beside them is taken out. */
  replace?: boolean | undefined;
  /** Whether who was forgotten may come back. */
  allowReturn?: boolean | undefined;
  /** By what it may be called when it is to be taken back; without it cannot be. */
  journal?: object | undefined;
  /** Told what was read before anything of it is in the graph; what it throws ends the import. */
  onRead?: ((kept: ReadSummary, rejectsFile: string | null) => Promise<void>) | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** How many threads help; as many as are worth while unless said, or at most so many of them. */
  threads?: Threads;
}

/**
 * Reads records and normalises them, then puts them into the graph, links them with those that it has and publishes what comes of it, all at
 * once: an import that fails or is stopped, wherever that is, leaves the graph as it was. A record with the same source and record id as one
 * in the graph replaces it.
 *
 * Errors: those of the graph, `unreadable_file`, `invalid_arguments` (a column map that does not fit, a graph that keeps no records, records of
 * another source than the one that is given or replaced), `disk_full` and `read_only` of the rejects file.
 */
export async function importRecords({ graph, ...options }: ImportOptions): Promise<ImportSummary> {
  const started = performance.now();
  const rejects = openRejectsWriter(options.rejects);
  const into = graph && receiving(requireRecords(graph).records);
  const pool = poolOf(options.threads);
  const unusable = options.replace ? new Set<string>() : undefined;
  try {
    const kept = await stageRecords({ ...options, into, rejects, unusable, pool });
    rejects.end();
    if (options.replace) requireOneSource(kept.sources);
    await options.onRead?.(kept, rejects.file());
    const read = performance.now();
    const done =
      graph && into
        ? await applied(graph, into.incoming, { ...options, kept, unusable, pool })
        : NOTHING_DONE;
    const seconds = { reading: (read - started) / 1000, linking: (performance.now() - read) / 1000 };
    return { ...kept, ...done, rejectsFile: rejects.file(), firstRejects: rejects.first(), seconds };
  } finally {
    rejects.end();
    into?.incoming.drop();
    await pool.close();
  }
}

const receiving = (records: GraphRecords) => ({
  incoming: records.openIncoming(),
  fingerprints: records.fingerprints,
  storesFullRecords: records.storesFullRecords,
  ...(records.sealed && { sealed: records.sealed }),
  ...(records.earlierFingerprints && { earlierFingerprints: records.earlierFingerprints }),
});

const NOTHING_DONE = {
  added: 0,
  replaced: 0,
  removed: 0,
  stayed: 0,
  barred: 0,
  alike: 0,
  same: { merged: 0, shared: 0 },
  identities: 0,
  records: 0,
};

interface Applying {
  kept: ReadSummary;
  /** Where the records replace others: ids of those that could not be used. */
  unusable: ReadonlySet<string> | undefined;
  pool: Pool;
}

/** Puts what came in into the graph, and links it: whole or not at all. */
async function applied(
  graph: IdentityGraph,
  incoming: IncomingRecords,
  { kept, unusable, ...options }: Omit<ImportOptions, 'graph'> & Applying,
) {
  const { records } = requireRecords(graph);
  const same: SharedIdCounts = { merged: 0, shared: 0 };
  const merging = countingMerge(same, records.fingerprints);
  await incoming.resolveDuplicates(options.lastWins ? undefined : (rows) => mergeSameId(rows, merging));
  return records.runAtomically(async () => {
    const [source] = kept.sources.keys();
    const isReplaced = unusable !== undefined && source !== undefined;
    const stayed = isReplaced ? await removeMissingRecords(records, { incoming, source, unusable }) : 0;
    const { journal, allowReturn } = options;
    const counts = await incoming.apply({ journal, allowReturn });
    // All records are in it once more: memory and disk that linking may have.
    incoming.drop();
    await records.noteImport?.([...kept.sources.keys()], journal !== undefined);
    return { alike: 0, ...counts, stayed, same, ...(await linkChanged(graph, options)) };
  });
}
