// Who is who, of the records of a graph: what changed since they were linked last, or all of them.
import { type IdentityGraph, type RecordGraph, requireRecords } from '../graph/graph.ts';
import type { LinkedPart, LinkCache } from '../graph/linking.ts';
import { partitionRecords } from '../import/linking/partition.ts';
import { type IncrementalOptions, linkIncrementally } from '../import/linking/incremental.ts';
import type { ImportProgress } from '../import/summary.ts';
import { type Pool, poolOf } from '../platform/threads/helpers.ts';
import { BonafideError } from '../errors.ts';

export interface LinkRecordsOptions {
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Threads that help, ended with it; unless given, as many as are worth while. */
  pool?: Pool;
}

/**
 * Weighs again what was put off, and links all records anew where that has waited. Answers whether anything had.
 * Errors: those of `linkRecords`.
 */
export async function settleGraph(graph: IdentityGraph): Promise<boolean> {
  const { linking } = requireRecords(graph);
  if (await linking.isSettled()) return false;
  while (await reweighPending(graph));
  // In a server: checks need the other cores.
  if (!(await linking.isSettled())) await linkAllRecords(graph, { pool: poolOf(0) });
  return true;
}

/** Of the records whose pairs `linkPut` weighs otherwise than before by what changed in others, as many as take it some ten milliseconds. */
const OTHERS = 32;

/**
 * Weighs again a piece of what `linkPut` put off. Answers whether there is more.
 *
 * @param options `mostWaitMs` see `whole`
 * Errors: those of `whole`.
 */
export async function reweighPending(
  graph: IdentityGraph,
  { mostWaitMs }: { mostWaitMs?: number } = {},
): Promise<boolean> {
  const { records, linking } = requireRecords(graph);
  const isDue = () => isAnyDue(linking.linkCache);
  return isDue() && (await records.runAtomically(() => linkPutRecords(graph), mostWaitMs)) && isDue();
}

/** Where what is remembered is lost, all records are to be linked anew, and none by itself. */
function isAnyDue(index: LinkCache | undefined): boolean {
  try {
    return (index?.listRowsToReweigh(1).length ?? 0) > 0;
  } catch (error) {
    if (!index?.isDiscarded()) throw error;
    return false;
  }
}

/**
 * Links what was put into the graph since its records were linked last, and leaves what concerns all of them for `settle`. Answers whether
 * that was possible without linking all of them, so that checks see it. Where very many other records weigh otherwise now, most are left
 * for `linkDue`.
 *
 * @param others how many others are weighed again at once, beside as many as were put
 * Errors: those of the graph.
 */
export async function linkPutRecords(graph: IdentityGraph, others = OTHERS): Promise<boolean> {
  const { records, linking } = requireRecords(graph);
  const { linkCache: index } = linking;
  const tell = () => Promise.resolve();
  if (!index) return false;
  return (await grown({ records, index, settle: false, others }, tell)) !== null;
}

/** Links what changed since the records were linked last, or all of them where that is not enough: with the same outcome. */
export async function linkChangedRecords(
  graph: IdentityGraph,
  options: LinkRecordsOptions & { settle?: boolean | undefined } = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = requireRecords(graph);
  const { linkCache: index } = linking;
  const tell = async (phase: 'linking' | 'publishing') =>
    options.onProgress?.({ phase, records: await records.count(), done: 0 });
  await tell('linking');
  const identities = index
    ? await grown({ records, index, settle: options.settle ?? true }, () => tell('publishing'))
    : null;
  return identities === null
    ? linkAllRecords(graph, options)
    : { identities, records: await records.count() };
}

/** How many identities there are; null where that does not do. */
async function grown(
  { records, index, ...options }: { records: RecordGraph['records']; index: LinkCache } & IncrementalOptions,
  tell: () => Promise<void>,
): Promise<number | null> {
  try {
    const part = await linkIncrementally(records, index, options);
    return part && (await publishOrUndo(index, part, tell));
  } catch (error) {
    if (!index.isDiscarded()) throw error;
    return null;
  }
}

async function publishOrUndo(index: LinkCache, part: LinkedPart, tell: () => Promise<void>) {
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
 * Links all records of a graph, as of one moment, then what others changed meanwhile, and publishes the identities. The partition depends
 * on the set of records only, not on the order of their import.
 *
 * Memory: some hundred bytes a record, and records as they are up to some hundred megabytes; keys and pairs are where the engine keeps them.
 * Errors: those of the graph, `invalid_arguments` where it keeps no records, `out_of_memory`.
 */
export async function linkAllRecords(
  graph: IdentityGraph,
  { onProgress, pool = poolOf() }: LinkRecordsOptions = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = requireRecords(graph);
  const linkOnce = async () => {
    const [revision, total] = [await linking.revision(), await records.count()];
    const told = (phase: 'linking' | 'publishing') => (done: number) =>
      onProgress?.({ phase, records: total, done });
    const index = linking.linkCache?.rebuild() ?? null;
    const found = await partitionRecords(
      { records, linking },
      { cache: index, pool, onProgress: told('linking') },
    );
    const publish = async () => {
      const published = await linking.publish({ ...found, revision, onProgress: told('publishing') });
      const isLate = published !== null && (await linking.revision()) !== revision;
      const identities = isLate ? await caughtUp(graph) : published;
      return identities === null ? null : { records: await records.count(), identities };
    };
    return orAgain(records.runAtomically(publish));
  };
  try {
    for (let tries = 0; ; tries++) {
      // Where what comes meanwhile cannot be linked by itself, it would never end beside a feed: then that has to wait.
      const linked = tries < TRIES ? await linkOnce() : await records.runAtomically(linkOnce);
      if (linked) return linked;
    }
  } finally {
    await pool.close();
  }
}
const TRIES = 2;

/** Links what came while all records were linked anew. */
async function caughtUp(graph: IdentityGraph): Promise<number> {
  const { records, linking } = requireRecords(graph);
  const { linkCache: index } = linking;
  const tell = () => Promise.resolve();
  const identities = index ? await grown({ records, index, settle: false, part: 1 }, tell) : null;
  if (identities === null) throw NOT_CAUGHT_UP;
  return identities;
}

/** Takes back what was published, because what came meanwhile cannot be linked with it. */
const NOT_CAUGHT_UP = new Error('what came meanwhile cannot be linked by itself');

async function orAgain<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error !== NOT_CAUGHT_UP) throw error;
    return null;
  }
}

// A change of records that is there at once, with what linking makes of it, or not at all.
/** Where too little is remembered to link only what the change touches, all is linked anew once, before it. */
const MAX_ATTEMPTS = 3;

/**
 * Changes records and publishes what comes of it, whole or not at all, also where the process is killed. What weighs in every pair stays
 * as it was; `settle` of import takes that in.
 *
 * Errors: those of the graph and of `change`; `database_busy` where another process goes on linking.
 */
export async function changeAndLinkAtomically(
  graph: RecordGraph,
  change: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const isDone = await graph.records
      .runAtomically(async () => {
        await change();
        if (await publishChanged(graph)) return true;
        throw NOT_YET;
      })
      .catch((error: unknown) => {
        if (error !== NOT_YET) throw error;
        return false;
      });
    if (isDone) return;
    await linkAllRecords(graph);
  }
  throw new BonafideError('database_busy', 'Another process links the records at the same time. Try again.');
}

const NOT_YET = new Error('what changed cannot be linked by itself');

async function publishChanged(graph: RecordGraph): Promise<boolean> {
  const {
    records,
    linking: { linkCache: index },
  } = graph;
  if (!index) {
    await linkAllRecords(graph, { pool: poolOf(0) });
    return true;
  }
  const part = await linkIncrementally(records, index, { settle: false, part: 1 });
  if (!part) return false;
  let published: number | null = null;
  try {
    published = await index.publishPart(part);
  } finally {
    if (published === null) index.rollback();
  }
  return published !== null;
}
