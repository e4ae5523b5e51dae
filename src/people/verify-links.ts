// Verifies that linking all records of a graph again gives the identities that the graph has.
import { type IdentityGraph, type RecordStoringGraph, requireRecordStoringGraph } from '../graph/graph.ts';
import { verifyGraphInvariants } from '../graph/invariants.ts';
import { createInvariantCounter, isDeepEqual, type GraphInvariantResult } from '../graph/verifying.ts';
import { partitionRecordsByPerson } from '../import/linking/partition.ts';
import type { LinkRecordsOptions } from './linking.ts';
import { createThreadPool } from '../platform/threads/helpers.ts';
import type { GraphRecordOperations } from '../graph/records.ts';

/**
 * Verifies a graph: links all records again without storing the result, and compares it with the graph's identities and link cache; also verifies the
 * graph's files. Does not compare identities if some records are not linked yet. Errors: those of `linkAllRecords`.
 */
export function verifyGraph(
  graph: RecordStoringGraph,
  options: Pick<LinkRecordsOptions, 'onProgress'> = {},
): Promise<GraphVerification> {
  return runOnSnapshot(graph, async () => {
    const waiting = await graph.verifying.pendingRecords();
    const { remembered, rates, ...it } = await (waiting
      ? skipIdentityComparison(graph)
      : verifyRecordLinks(graph, options));
    const invariants = [...(await verifyGraphInvariants(graph, waiting)), ...rates, ...(remembered ?? [])];
    const checkedInvariants = invariants.filter(({ of, broken }) => of + broken > 0);
    const waits = {
      linked: waiting === null,
      waiting: waiting?.rows?.size ?? 0,
      half: waiting?.isInterruptedImport ?? false,
    };
    return { ...it, ...waits, remembered: remembered !== null, invariants: checkedInvariants };
  });
}

/** Returns the result for a graph with records that are not linked yet: its identities are not compared. */
async function skipIdentityComparison({ records }: RecordStoringGraph): Promise<LinkVerification> {
  return { records: await records.count(), wrong: 0, settled: false, remembered: null, rates: [] };
}

/** Links all records again without storing the result, and compares it with the graph's identities and link cache. */
export async function verifyRecordLinks(
  graph: IdentityGraph,
  { onProgress }: Pick<LinkRecordsOptions, 'onProgress'> = {},
): Promise<LinkVerification> {
  const { records, linking, verifying } = requireRecordStoringGraph(graph);
  return runOnSnapshot(graph, async () => {
    const total = await records.count();
    const reportLinked = (done: number) => onProgress?.({ phase: 'linking', records: total, done });
    const { settled } = await graph.stats();
    const index = verifying?.openLinkVerifier() ?? null;
    const pool = createThreadPool(0);
    const { clusters, errorRates } = await partitionRecordsByPerson(
      { records, linking },
      { cache: index, pool, onProgress: reportLinked },
    );
    const remembered = index && index.listInvariants(settled);
    const rates = createInvariantCounter('the stored error rates are those measured on the records');
    if (settled) rates.check(isDeepEqual(await linking.errorRates(), errorRates));
    return { ...(await compareIdentities(records, clusters)), settled, remembered, rates: [rates.counted] };
  });
}

/** Runs `work` on one read snapshot of the graph; without a snapshot if the engine has none. */
function runOnSnapshot<T>(graph: IdentityGraph, work: () => Promise<T>): Promise<T> {
  return graph.verifying ? graph.verifying.withSnapshot(work) : work();
}

interface IdentityComparison {
  records: number;
  /** Number of records without an identity, or with another identity than the new linking gives them. */
  wrong: number;
}

interface LinkComparison extends IdentityComparison {
  /** True if no linking work is postponed. */
  settled: boolean;
}

interface LinkVerification extends LinkComparison {
  /** Results of verifying the link cache; null if the link cache is not of the present graph. */
  remembered: GraphInvariantResult[] | null;
  /** Results of verifying the stored error rates of names, birth dates and addresses (`RecordErrorRates`). */
  rates: GraphInvariantResult[];
}

export interface GraphVerification extends LinkComparison {
  /** False if some records are not linked yet. The identities are then not compared, and `wrong` is 0. */
  linked: boolean;
  /** Number of records that are not linked yet; 0 also if it is not known which ones. */
  waiting: number;
  /** True if these records come from an interrupted import, which will be rolled back. */
  half: boolean;
  /** True if the link cache is of the present graph, so that it was verified. */
  remembered: boolean;
  invariants: GraphInvariantResult[];
}

/**
 * Compares the identities of the stored records with the expected groups. Returns the number of records, and how many have a wrong identity.
 * @param clusters for each identity of at least two records, the rows that it should have
 */
async function compareIdentities(
  records: GraphRecordOperations,
  clusters: number[][],
): Promise<IdentityComparison> {
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
