// Linking of a graph's records: the changes since the last linking, or all records.
import { type IdentityGraph, type RecordStoringGraph, requireRecordStoringGraph } from '../graph/graph.ts';
import type { LinkingResultOfChangedRecords, LinkCache } from '../graph/linking.ts';
import { partitionRecordsByPerson } from '../import/linking/partition.ts';
import { type IncrementalLinkingOptions, linkIncrementally } from '../import/linking/incremental.ts';
import type { ImportProgress } from '../import/summary.ts';
import { type ThreadPool, createThreadPool } from '../platform/threads/helpers.ts';
import { BonafideError } from '../errors.ts';

export interface LinkRecordsOptions {
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Worker threads for linking; the pool is closed afterwards. Default: as many threads as are useful. */
  pool?: ThreadPool;
}

/**
 * Completes postponed linking: compares the postponed records, then links all records if this is still necessary. Returns false if nothing was
 * postponed. Errors: those of `linkAllRecords`.
 */
export async function completePendingLinking(graph: IdentityGraph): Promise<boolean> {
  const { linking } = requireRecordStoringGraph(graph);
  if (await linking.isSettled()) return false;
  while (await compareSomePostponedRecords(graph));
  // No worker threads: in a server, checks need the other processor cores.
  if (!(await linking.isSettled())) await linkAllRecords(graph, { pool: createThreadPool(0) });
  return true;
}

/**
 * Links records that have no identity yet, so that a search by identity or value finds them. Unlike `completePendingLinking`, postpones comparisons
 * that can only change existing links. Errors: those of `linkAllRecords`.
 */
export async function linkPendingRecords(graph: RecordStoringGraph): Promise<void> {
  if ((await graph.verifying.pendingRecords()) === null) return;
  if (await graph.records.runAtomically(() => tryLinkAddedRecords(graph))) return;
  await linkAllRecords(graph, { pool: createThreadPool(0) });
}

/** Maximum number of unchanged records that `tryLinkAddedRecords` compares again immediately, in about ten milliseconds. It postpones the others. */
const MAX_OTHER_RECORDS = 32;

/**
 * Compares some of the records that `tryLinkAddedRecords` postponed. Returns true if further records are postponed. Errors: those of `runAtomically`.
 * @param options `mostWaitMs`: see `runAtomically`
 */
export async function compareSomePostponedRecords(
  graph: IdentityGraph,
  { mostWaitMs }: { mostWaitMs?: number } = {},
): Promise<boolean> {
  const { records, linking } = requireRecordStoringGraph(graph);
  const isDue = () => hasPostponedRecords(linking.linkCache);
  return isDue() && (await records.runAtomically(() => tryLinkAddedRecords(graph), mostWaitMs)) && isDue();
}

/** True if postponed records must be compared again. False if the link cache was discarded, because then all records must be linked. */
function hasPostponedRecords(index: LinkCache | undefined): boolean {
  try {
    return (index?.listRowsToReweigh(1).length ?? 0) > 0;
  } catch (error) {
    if (!index?.isDiscarded()) throw error;
    return false;
  }
}

/**
 * Links the records that were added since the last linking. Returns false if this is impossible, so that all records must be linked. Postpones
 * changes that affect all records to `completePendingLinking`, and comparisons of unchanged records beyond `others` to `compareSomePostponedRecords`.
 * Errors: those of the graph.
 * @param others maximum number of unchanged records that are compared again immediately
 */
export async function tryLinkAddedRecords(
  graph: IdentityGraph,
  others = MAX_OTHER_RECORDS,
): Promise<boolean> {
  const { records, linking } = requireRecordStoringGraph(graph);
  const { linkCache: index } = linking;
  if (!index) return false;
  return (await linkChangesOnly({ records, index, settle: false, others })) !== null;
}

/** Links the records that changed since the last linking. Links all records instead if the result could differ from theirs. */
export async function linkChangedRecords(
  graph: IdentityGraph,
  options: LinkRecordsOptions & { settle?: boolean | undefined } = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = requireRecordStoringGraph(graph);
  const { linkCache: index } = linking;
  const tell = async (phase: 'linking' | 'publishing') =>
    options.onProgress?.({ phase, records: await records.count(), done: 0 });
  await tell('linking');
  const identities = index
    ? await linkChangesOnly({ records, index, settle: options.settle ?? true }, () => tell('publishing'))
    : null;
  return identities === null
    ? linkAllRecords(graph, options)
    : { identities, records: await records.count() };
}

/** Links only the records changed since the last linking. Returns the number of identities; null if all records must be linked. */
async function linkChangesOnly(
  {
    records,
    index,
    ...options
  }: { records: RecordStoringGraph['records']; index: LinkCache } & IncrementalLinkingOptions,
  tell = () => Promise.resolve(),
): Promise<number | null> {
  try {
    const part = await linkIncrementally(records, index, options);
    return part && (await publishOrUndo(index, part, tell));
  } catch (error) {
    if (!index.isDiscarded()) throw error;
    return null;
  }
}

async function publishOrUndo(
  index: LinkCache,
  part: LinkingResultOfChangedRecords,
  tell: () => Promise<void>,
) {
  let identities: number | null = null;
  try {
    await tell();
    identities = await index.publishPart(part);
  } finally {
    if (identities === null) index.rollback();
  }
  return identities;
}

/**
 * Links all records of a graph to identities, and publishes these for checks. The identities depend only on the set of records, not on the order of
 * import. Memory: a few hundred bytes per record, and a cache of up to a few hundred megabytes. Errors: those of the graph; `invalid_arguments` if
 * the graph stores no records; `out_of_memory`.
 */
export async function linkAllRecords(
  graph: IdentityGraph,
  { onProgress, pool = createThreadPool() }: LinkRecordsOptions = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = requireRecordStoringGraph(graph);
  const linkOnce = async () => {
    const [revision, total] = [await linking.revision(), await records.count()];
    const reportPhase = (phase: 'linking' | 'publishing') => (done: number) =>
      onProgress?.({ phase, records: total, done });
    const index = linking.linkCache?.rebuild() ?? null;
    const partition = await partitionRecordsByPerson(
      { records, linking },
      { cache: index, pool, onProgress: reportPhase('linking') },
    );
    const publish = async () => {
      const published = await linking.publish({
        ...partition,
        revision,
        onProgress: reportPhase('publishing'),
      });
      const isLate = published !== null && (await linking.revision()) !== revision;
      const identities = isLate ? await linkLateRecords(graph) : published;
      return identities === null ? null : { records: await records.count(), identities };
    };
    return toNullIfLate(records.runAtomically(publish));
  };
  try {
    for (let tries = 0; ; tries++) {
      // A steady feed would cause endless retries if its changes cannot be linked incrementally. The last try
      // therefore blocks writers.
      const linked = tries < MAX_FULL_ATTEMPTS ? await linkOnce() : await records.runAtomically(linkOnce);
      if (linked) return linked;
    }
  } finally {
    await pool.close();
  }
}
const MAX_FULL_ATTEMPTS = 2;

/** Links the records that were added while all records were being linked. Returns the number of identities. */
async function linkLateRecords(graph: IdentityGraph): Promise<number> {
  const { records, linking } = requireRecordStoringGraph(graph);
  const { linkCache: index } = linking;
  const identities = index ? await linkChangesOnly({ records, index, settle: false, part: 1 }) : null;
  if (identities === null) throw NOT_CAUGHT_UP;
  return identities;
}

/** Error that rolls back a transaction whose changes cannot be linked incrementally. All records are linked instead. */
const NOT_CAUGHT_UP = new Error('changes cannot be linked incrementally');

/**
 * Throws inside `changeAndLinkAtomically` if some records have no identity yet, because a selection by identity would miss them.
 * `changeAndLinkAtomically` then links all records and tries the change again.
 */
export async function requireAllRecordsLinked({ verifying }: RecordStoringGraph): Promise<void> {
  if ((await verifying.pendingRecords()) !== null) throw NOT_CAUGHT_UP;
}

async function toNullIfLate<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error !== NOT_CAUGHT_UP) throw error;
    return null;
  }
}

/** Maximum number of attempts to link only the changed records. Between two attempts, all records are linked, which creates a missing link cache. */
const MAX_ATTEMPTS = 3;

/**
 * Changes records, links them and publishes the identities, in one transaction: all or nothing, even if the process is killed. Statistics of all
 * records are updated later, by `completePendingLinking`. Errors: those of the graph and of `change`; `database_busy` if another process keeps
 * linking.
 */
export async function changeAndLinkAtomically(
  graph: RecordStoringGraph,
  change: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const isDone = await toNullIfLate(
      graph.records.runAtomically(async () => {
        await change();
        if (await publishChanged(graph)) return true;
        throw NOT_CAUGHT_UP;
      }),
    );
    if (isDone) return;
    await linkAllRecords(graph);
  }
  throw new BonafideError('database_busy', 'Another process links the records at the same time. Try again.');
}

async function publishChanged(graph: RecordStoringGraph): Promise<boolean> {
  const {
    records,
    linking: { linkCache: index },
  } = graph;
  if (!index) {
    await linkAllRecords(graph, { pool: createThreadPool(0) });
    return true;
  }
  return (await linkChangesOnly({ records, index, settle: false, part: 1 })) !== null;
}
