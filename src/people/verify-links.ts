// Verifies that linking all records of a graph again gives the identities that the graph has.
import { type IdentityGraph, type RecordGraph, requireRecordGraph } from '../graph/graph.ts';
import { checkGraphInvariants } from '../graph/invariants.ts';
import { createInvariantCounter, isDeepEqual, type GraphInvariant } from '../graph/verifying.ts';
import { partitionRecords } from '../import/linking/partition.ts';
import type { LinkRecordsOptions } from './linking.ts';
import { createThreadPool } from '../platform/threads/helpers.ts';
import type { GraphRecords } from '../graph/records.ts';

/**
 * Links all records again without publishing, and compares the graph with the result: identities, link cache and every file. In a settled
 * graph nothing may differ. If records are waiting to be linked, the identities are not compared. Errors: those of `linkAllRecords`.
 */
export function verifyGraph(
  graph: RecordGraph,
  options: Pick<LinkRecordsOptions, 'onProgress'> = {},
): Promise<GraphVerification> {
  return ofOneMoment(graph, async () => {
    const waiting = await graph.verifying.pendingRecords();
    const { remembered, rates, ...it } = await (waiting ? unlinked(graph) : verifyLinks(graph, options));
    const invariants = [...(await checkGraphInvariants(graph, waiting)), ...rates, ...(remembered ?? [])];
    const checkedInvariants = invariants.filter(({ of, broken }) => of + broken > 0);
    const waits = {
      linked: waiting === null,
      waiting: waiting?.rows?.size ?? 0,
      half: waiting?.isInterruptedImport ?? false,
    };
    return { ...it, ...waits, remembered: remembered !== null, invariants: checkedInvariants };
  });
}

/** Returns the result of a verification without comparing identities, because linking cannot verify a graph with pending records. */
async function unlinked({ records }: RecordGraph): Promise<LinkVerification> {
  return { records: await records.count(), wrong: 0, settled: false, remembered: null, rates: [] };
}

/** Verifies only the linking: the identities and the link cache. */
export async function verifyLinks(
  graph: IdentityGraph,
  { onProgress }: Pick<LinkRecordsOptions, 'onProgress'> = {},
): Promise<LinkVerification> {
  const { records, linking, verifying } = requireRecordGraph(graph);
  return ofOneMoment(graph, async () => {
    const total = await records.count();
    const reportLinked = (done: number) => onProgress?.({ phase: 'linking', records: total, done });
    const { settled } = await graph.stats();
    const index = verifying?.openLinkVerifier() ?? null;
    const pool = createThreadPool(0);
    const { clusters, errorRates } = await partitionRecords(
      { records, linking },
      { cache: index, pool, onProgress: reportLinked },
    );
    const remembered = index && index.listInvariants(settled);
    const rates = createInvariantCounter('the stored error rates are those measured on the records');
    if (settled) rates.check(isDeepEqual(await linking.errorRates(), errorRates));
    return { ...(await countMisplaced(records, clusters)), settled, remembered, rates: [rates.counted] };
  });
}

/** Runs `work` on one read snapshot, if the engine supports snapshots. */
function ofOneMoment<T>(graph: IdentityGraph, work: () => Promise<T>): Promise<T> {
  return graph.verifying ? graph.verifying.withSnapshot(work) : work();
}

/** Number of records, and number of records with a wrong identity. */
interface Placed {
  records: number;
  /** Number of records that have no identity, or that have another identity than linking gives them. */
  wrong: number;
}

interface OfLinks extends Placed {
  /** True if the graph has no postponed linking work. */
  settled: boolean;
}

interface LinkVerification extends OfLinks {
  /** Invariants of the link cache; null if there is no cache of the present graph. */
  remembered: GraphInvariant[] | null;
  rates: GraphInvariant[];
}

export interface GraphVerification extends OfLinks {
  /** True if all records are linked. If false, the identities were not compared, and `wrong` is 0. */
  linked: boolean;
  /** Number of records that are known to wait for linking; 0 if it is not known which records wait. */
  waiting: number;
  /** True if the waiting records belong to an import that was interrupted in its last step. These records will be rolled back. */
  half: boolean;
  /** True if the link cache belongs to the present graph. */
  remembered: boolean;
  invariants: GraphInvariant[];
}

/**
 * Counts the records with a wrong identity.
 *
 * @param clusters expected rows of each identity of two or more records
 */
async function countMisplaced(records: GraphRecords, clusters: number[][]): Promise<Placed> {
  const clusterOf = new Map<number, number>();
  for (const [number, rows] of clusters.entries()) for (const row of rows) clusterOf.set(row, number);
  const identities = new Map<number | null, number[]>();
  for await (const page of records.pages())
    for (const { row, identity } of page) {
      const rows = identities.get(identity);
      if (rows) rows.push(row);
      else identities.set(identity, [row]);
    }
  let [all, wrong] = [0, 0];
  for (const [identity, rows] of identities) {
    const [first = 0] = rows;
    const cluster = clusterOf.get(first);
    const should = cluster === undefined ? 1 : clusters[cluster]?.length;
    const isRight =
      identity !== null && rows.length === should && rows.every((row) => clusterOf.get(row) === cluster);
    all += rows.length;
    if (!isRight) wrong += rows.length;
  }
  return { records: all, wrong };
}
