// One batch of records, from its files to the identities that checks see.
import { type IdentityGraph, type KeepingGraph, keeping } from './graph/graph.ts';
import type { Incoming } from './graph/parts/incoming.ts';
import type { GraphRecords } from './graph/parts/records.ts';
import type { LinkedPart, LinkIndex } from './graph/link-index.ts';
import { invariantsOf } from './graph/invariants.ts';
import { counter, isSame } from './graph/verifying.ts';
import { partition } from './import/bulk/partition.ts';
import { type GrowOptions, growLinks } from './import/grow/grow.ts';
import { type ImportInput, keepRecords } from './import/keep.ts';
import type { ImportProgress, ImportSummary, Kept, SameIds } from './import/progress.ts';
import { rejectsWriter } from './import/rejects.ts';
import { mergeSame, mergingInto } from './import/apply/same.ts';
import { removeOthers, requireOne } from './import/apply/replace.ts';
import { type Pool, poolOf, type Threads } from './platform/threads/helpers.ts';
import { type Verified, type VerifiedLinks, verified } from './import/verified.ts';
import type { DateOrder } from './import/source/cells/dates.ts';
import type { Plan } from './import/source/plan.ts';

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
  /** Told of each table what its columns are taken for; what it throws ends the import. */
  onPlan?: ((plan: Plan) => Promise<void>) | undefined;
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
  onRead?: ((kept: Kept, rejectsFile: string | null) => Promise<void>) | undefined;
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
  const rejects = rejectsWriter(options.rejects);
  const into = graph && receiving(keeping(graph).records);
  const pool = poolOf(options.threads);
  try {
    const kept = await keepRecords({ ...options, into, rejects, pool });
    rejects.end();
    if (options.replace) requireOne(kept.sources);
    await options.onRead?.(kept, rejects.file());
    const read = performance.now();
    const done =
      graph && into ? await applied(graph, into.incoming, { ...options, kept, pool }) : NOTHING_DONE;
    const seconds = { reading: (read - started) / 1000, linking: (performance.now() - read) / 1000 };
    return { ...kept, ...done, rejectsFile: rejects.file(), firstRejects: rejects.first(), seconds };
  } finally {
    rejects.end();
    into?.incoming.drop();
    await pool.close();
  }
}

const receiving = (records: GraphRecords) => ({
  incoming: records.incoming(),
  fingerprints: records.fingerprints,
  keepsWhole: records.keepsWhole,
  ...(records.sealed && { sealed: records.sealed }),
  ...(records.earlier && { earlier: records.earlier }),
});

const NOTHING_DONE = {
  added: 0,
  replaced: 0,
  removed: 0,
  barred: 0,
  alike: 0,
  same: { merged: 0, shared: 0 },
  identities: 0,
  records: 0,
};

/** Puts what came in into the graph, and links it: whole or not at all. */
async function applied(
  graph: IdentityGraph,
  incoming: Incoming,
  { kept, ...options }: Omit<ImportOptions, 'graph'> & { kept: Kept; pool: Pool },
) {
  const { records } = keeping(graph);
  const same: SameIds = { merged: 0, shared: 0 };
  const merging = mergingInto(same, records.fingerprints);
  await incoming.settle(options.lastWins ? undefined : (rows) => mergeSame(rows, merging));
  return records.whole(async () => {
    const [source] = kept.sources.keys();
    if (options.replace && source !== undefined) await removeOthers(records, incoming, source);
    const { journal, allowReturn } = options;
    const counts = await incoming.apply({ journal, allowReturn });
    return { alike: 0, ...counts, same, ...(await linkChanged(graph, options)) };
  });
}

interface Linking extends Pick<ImportOptions, 'onProgress'> {
  /** Threads that help, ended with it; unless given, as many as are worth while. */
  pool?: Pool;
}

/**
 * Links all records anew where that has waited. Answers whether it had.
 * Errors: those of `linkRecords`.
 */
export async function settle(graph: IdentityGraph): Promise<boolean> {
  const { settled } = await graph.stats();
  // In a server: checks need the other cores.
  if (!settled) await linkRecords(graph, { pool: poolOf(0) });
  return !settled;
}

/**
 * Links what was put into the graph since its records were linked last, and leaves what concerns all of them for `settle`. Answers whether
 * that was possible without linking all of them, so that checks see it.
 * Errors: those of the graph.
 */
export async function linkPut(graph: IdentityGraph): Promise<boolean> {
  const { records, linking } = keeping(graph);
  const { index } = linking;
  const tell = () => Promise.resolve();
  return index !== undefined && (await grown({ records, index, settle: false }, tell)) !== null;
}

/** Links what changed since the records were linked last, or all of them where that is not enough: with the same outcome. */
export async function linkChanged(
  graph: IdentityGraph,
  options: Linking & Pick<ImportOptions, 'settle'> = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = keeping(graph);
  const { index } = linking;
  const tell = async (phase: 'linking' | 'publishing') =>
    options.onProgress?.({ phase, records: await records.count(), done: 0 });
  await tell('linking');
  const identities = index
    ? await grown({ records, index, settle: options.settle ?? true }, () => tell('publishing'))
    : null;
  return identities === null ? linkRecords(graph, options) : { identities, records: await records.count() };
}

/** How many identities there are; null where that does not do. */
async function grown(
  { records, index, ...options }: { records: KeepingGraph['records']; index: LinkIndex } & GrowOptions,
  tell: () => Promise<void>,
): Promise<number | null> {
  try {
    const part = await growLinks(records, index, options);
    return part && (await publishOrUndo(index, part, tell));
  } catch (error) {
    if (!index.isLost()) throw error;
    return null;
  }
}

async function publishOrUndo(index: LinkIndex, part: LinkedPart, tell: () => Promise<void>) {
  let identities: number | null = null;
  try {
    await tell();
    identities = await index.publish(part);
  } finally {
    if (identities === null) index.undo();
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
export async function linkRecords(
  graph: IdentityGraph,
  { onProgress, pool = poolOf() }: Linking = {},
): Promise<{ identities: number; records: number }> {
  const { records, linking } = keeping(graph);
  const linkOnce = async () => {
    const [revision, total] = [await linking.revision(), await records.count()];
    const told = (phase: 'linking' | 'publishing') => (done: number) =>
      onProgress?.({ phase, records: total, done });
    const index = linking.index?.rebuild() ?? null;
    const found = await partition({ records, linking }, { index, pool, onProgress: told('linking') });
    const publish = async () => {
      const published = await linking.publish({ ...found, revision, onProgress: told('publishing') });
      const isLate = published !== null && (await linking.revision()) !== revision;
      const identities = isLate ? await caughtUp(graph) : published;
      return identities === null ? null : { records: await records.count(), identities };
    };
    return orAgain(records.whole(publish));
  };
  try {
    for (let tries = 0; ; tries++) {
      // Where what comes meanwhile cannot be linked by itself, it would never end beside a feed: then that has to wait.
      const linked = tries < TRIES ? await linkOnce() : await records.whole(linkOnce);
      if (linked) return linked;
    }
  } finally {
    await pool.close();
  }
}
const TRIES = 2;

/** Links what came while all records were linked anew. */
async function caughtUp(graph: IdentityGraph): Promise<number> {
  const { records, linking } = keeping(graph);
  const { index } = linking;
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

/**
 * Links all records anew, publishes nothing, and holds the graph against what comes of it: identities, what is remembered between two
 * linkings, and every file. Where a graph is settled, nothing may differ.
 * Errors: those of `linkRecords`.
 */
export function verifyGraph(
  graph: KeepingGraph,
  options: Pick<Linking, 'onProgress'> = {},
): Promise<Verified> {
  return ofOneMoment(graph, async () => {
    const { remembered, rates, ...it } = await verifyLinks(graph, options);
    const invariants = [...(await invariantsOf(graph)), rates, ...(remembered ?? [])];
    const asked = invariants.filter(({ of, broken }) => of + broken > 0);
    return { ...it, remembered: remembered !== null, invariants: asked };
  });
}

/** The same, of linking alone. */
export async function verifyLinks(
  graph: IdentityGraph,
  { onProgress }: Pick<Linking, 'onProgress'> = {},
): Promise<VerifiedLinks> {
  const { records, linking, verifying } = keeping(graph);
  return ofOneMoment(graph, async () => {
    const total = await records.count();
    const told = (done: number) => onProgress?.({ phase: 'linking', records: total, done });
    const { settled } = await graph.stats();
    const index = verifying?.links() ?? null;
    const pool = poolOf(0);
    const { clusters, errorRates } = await partition({ records, linking }, { index, pool, onProgress: told });
    const remembered = index && index.end(settled);
    const rates = counter('the graph keeps the error rates that are measured on its records');
    if (settled) rates.ask(isSame(await linking.errorRates(), errorRates));
    return { ...(await verified(records, clusters)), settled, remembered, rates: rates.counted };
  });
}

/** All that `work` reads is of one moment, where the engine can do that. */
function ofOneMoment<T>(graph: IdentityGraph, work: () => Promise<T>): Promise<T> {
  return graph.verifying ? graph.verifying.moment(work) : work();
}
