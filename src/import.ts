// Import of one batch of records, from its files to the identities that checks see.
import { type IdentityGraph, requireRecordStoringGraph } from './graph/graph.ts';
import type { GraphRecordOperations, IncomingRecordStorage } from './graph/records.ts';
import { mergeRowsWithSameId } from './import/merge-same.ts';
import {
  removeMissingRecordsAndCountExempted,
  requireRecordIdsOfUnusableRows,
  requireSingleSource,
} from './import/sources.ts';
import { type StageRecordsOptions, stageRecords } from './import/stage.ts';
import {
  type ImportSummary,
  type RemovalOfRecords,
  openRejectsFileWriter,
  type ImportReadSummary,
} from './import/summary.ts';
import { linkChangedRecords } from './people/linking.ts';
import { type ThreadPool, createThreadPool, type ExactOrMaxThreadCount } from './platform/threads/helpers.ts';

export interface ImportOptions extends Omit<StageRecordsOptions, 'into' | 'rejects' | 'unusable' | 'pool'> {
  /** Graph for the records; null for a dry run, which only reads and checks them. */
  graph: IdentityGraph | null;
  /**
   * Path of the file for unusable records and values. Each line is a JSON object with the record or value and the reason. The file is created with
   * its first line.
   */
  rejects?: string | undefined;
  /**
   * False to postpone linking all records until `settle` is called. Linking all records is due if the import changes statistics on which every match
   * weight depends.
   */
  settle?: boolean | undefined;
  /** True to use only the last of several records with the same id, as in a list of changes. By default, such records are merged. */
  lastWins?: boolean | undefined;
  /** True to import people who are on the suppression list. */
  allowReturn?: boolean | undefined;
  /** Description of this import, stored with the data from which the import can be undone. Without it, the import cannot be undone. */
  journal?: object | undefined;
  /** Called when all inputs are read, before the graph changes. If it throws, the import changes nothing. */
  onRead?: ((read: ImportReadSummary, rejectsFile: string | null) => Promise<void>) | undefined;
  /**
   * Called in an import with `replace`, before the graph changes, with the number of records that it removes. If it throws, the import changes
   * nothing.
   */
  onReplace?: ((removal: RemovalOfRecords) => Promise<void>) | undefined;
  /** Records that the import would replace, if `graph` is only a temporary graph. Default: the records of `graph`. */
  existing?: GraphRecordOperations | undefined;
  /** Number of additional threads; by default chosen by the size of the inputs. */
  threads?: ExactOrMaxThreadCount;
}

/**
 * Reads records, adds them to the graph, and links them to identities, in one transaction: a failed import changes nothing. A record replaces the
 * record with the same source and id. Errors: those of the graph; `unreadable_file`; `disk_full` and `read_only` of the rejects file;
 * `invalid_arguments` (wrong column map, a graph engine that stores no records, records of another source than expected).
 */
export async function importRecords({ graph, ...options }: ImportOptions): Promise<ImportSummary> {
  const started = performance.now();
  // Both callbacks may wait for an answer of the operator. This time does not count as reading time.
  let waitingMs = 0;
  const excludeTime = async (callback: Promise<void> | undefined) => {
    const asked = performance.now();
    await callback;
    waitingMs += performance.now() - asked;
  };
  const rejects = openRejectsFileWriter(options.rejects);
  const records = graph && requireRecordStoringGraph(graph).records;
  const into = records && { records, incoming: await records.openIncoming() };
  const pool = createThreadPool(options.threads);
  const unusable = options.replace
    ? { ids: new Set<string>(), unidentified: { count: 0, lines: [] } }
    : undefined;
  try {
    const summary = await stageRecords({
      ...options,
      onPlan: (plan) => excludeTime(options.onPlan?.(plan)),
      into,
      rejects,
      unusable,
      pool,
    });
    rejects.end();
    if (unusable) {
      requireSingleSource(summary.sources);
      requireRecordIdsOfUnusableRows(unusable.unidentified);
    }
    await excludeTime(options.onRead?.(summary, rejects.file()));
    const read = performance.now();
    const { incoming } = into ?? {};
    const applied =
      graph && incoming
        ? await applyRecords(graph, {
            ...options,
            onReplace: (removal) => excludeTime(options.onReplace?.(removal)),
            summary,
            incoming,
            unusable: unusable?.ids,
            pool,
          })
        : NOTHING_APPLIED;
    const seconds = {
      reading: (read - started - waitingMs) / 1000,
      linking: (performance.now() - read) / 1000,
    };
    return { ...summary, ...applied, rejectsFile: rejects.file(), firstRejects: rejects.first(), seconds };
  } finally {
    rejects.end();
    into?.incoming.drop();
    await pool.close();
  }
}

const NOTHING_APPLIED = {
  added: 0,
  replaced: 0,
  removed: 0,
  stayed: 0,
  replacing: null,
  barred: 0,
  alike: 0,
  same: { merged: 0, shared: 0 },
  identities: 0,
  records: 0,
};

interface ApplyOptions extends Omit<ImportOptions, 'graph' | 'rejects'> {
  summary: ImportReadSummary;
  incoming: IncomingRecordStorage;
  /** Ids of unusable records, if the import replaces all records of a source (`replace`); otherwise undefined. */
  unusable: ReadonlySet<string> | undefined;
  pool: ThreadPool;
}

/** Adds the staged records to the graph and links them, in one transaction. */
async function applyRecords(
  graph: IdentityGraph,
  {
    summary,
    incoming,
    unusable,
    journal,
    allowReturn,
    lastWins,
    existing,
    onReplace,
    ...options
  }: ApplyOptions,
) {
  const { records } = requireRecordStoringGraph(graph);
  const same = { merged: 0, shared: 0 };
  const makeId = (content: string) => incoming.generateRecordId(content).slice(0, 12);
  const repeated = await incoming.resolveDuplicates(
    lastWins ? undefined : (rows) => mergeRowsWithSameId(rows, makeId, same),
  );
  same.merged += repeated;
  return records.runAtomically(async () => {
    const [source] = summary.sources.keys();
    const isReplaced = unusable !== undefined && source !== undefined;
    const replacing = isReplaced
      ? await removeMissingRecordsAndCountExempted(existing ?? records, { incoming, source, unusable })
      : null;
    if (replacing) await onReplace?.(replacing);
    const counts = await incoming.apply({ journal, allowReturn });
    // The records are in the graph now. Dropping the staged copy frees memory and disk space for linking.
    incoming.drop();
    await records.noteImport?.([...summary.sources.keys()], journal !== undefined);
    return {
      alike: 0,
      ...counts,
      stayed: replacing?.stayed ?? 0,
      replacing,
      same,
      ...(await linkChangedRecords(graph, options)),
    };
  });
}
