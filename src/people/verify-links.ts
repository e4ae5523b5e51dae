// Whether a graph is what its records make of it.
import { type IdentityGraph, type RecordGraph, requireRecords } from '../graph/graph.ts';
import { checkInvariants } from '../graph/invariants.ts';
import { createInvariantCounter, isDeepEqual, type Invariant } from '../graph/verifying.ts';
import { partitionRecords } from '../import/linking/partition.ts';
import type { LinkRecordsOptions } from './linking.ts';
import { poolOf } from '../platform/threads/helpers.ts';
import type { GraphRecords } from '../graph/records.ts';

/**
 * Links all records anew, publishes nothing, and holds the graph against what comes of it: identities, what is remembered between two
 * linkings, and every file. Where a graph is settled, nothing may differ. Where records wait to be linked, what is published cannot be what
 * linking gives: then all else is held.
 * Errors: those of `linkRecords`.
 */
export function verifyGraph(
  graph: RecordGraph,
  options: Pick<LinkRecordsOptions, 'onProgress'> = {},
): Promise<GraphVerification> {
  return ofOneMoment(graph, async () => {
    const waiting = await graph.verifying.pendingRecords();
    const { remembered, rates, ...it } = await (waiting ? unlinked(graph) : verifyLinks(graph, options));
    const invariants = [...(await checkInvariants(graph, waiting)), ...rates, ...(remembered ?? [])];
    const asked = invariants.filter(({ of, broken }) => of + broken > 0);
    const waits = {
      linked: waiting === null,
      waiting: waiting?.rows?.size ?? 0,
      half: waiting?.isInterruptedImport ?? false,
    };
    return { ...it, ...waits, remembered: remembered !== null, invariants: asked };
  });
}

/** Of what waits, linking cannot tell where it should be. */
async function unlinked({ records }: RecordGraph): Promise<LinkVerification> {
  return { records: await records.count(), wrong: 0, settled: false, remembered: null, rates: [] };
}

/** The same, of linking alone. */
export async function verifyLinks(
  graph: IdentityGraph,
  { onProgress }: Pick<LinkRecordsOptions, 'onProgress'> = {},
): Promise<LinkVerification> {
  const { records, linking, verifying } = requireRecords(graph);
  return ofOneMoment(graph, async () => {
    const total = await records.count();
    const told = (done: number) => onProgress?.({ phase: 'linking', records: total, done });
    const { settled } = await graph.stats();
    const index = verifying?.openLinkVerifier() ?? null;
    const pool = poolOf(0);
    const { clusters, errorRates } = await partitionRecords(
      { records, linking },
      { cache: index, pool, onProgress: told },
    );
    const remembered = index && index.listInvariants(settled);
    const rates = createInvariantCounter('the graph keeps the error rates that are measured on its records');
    if (settled) rates.check(isDeepEqual(await linking.errorRates(), errorRates));
    return { ...(await countMisplaced(records, clusters)), settled, remembered, rates: [rates.counted] };
  });
}

/** All that `work` reads is of one moment, where the engine can do that. */
function ofOneMoment<T>(graph: IdentityGraph, work: () => Promise<T>): Promise<T> {
  return graph.verifying ? graph.verifying.withSnapshot(work) : work();
}

/** Whether records are with whom they should be. */
interface Placed {
  records: number;
  /** Records whose identity holds others than it should, or that have none. */
  wrong: number;
}

interface OfLinks extends Placed {
  /** Whether the graph is settled. */
  settled: boolean;
}

interface LinkVerification extends OfLinks {
  /** What is remembered of linking; null where nothing is of the graph as it is. */
  remembered: Invariant[] | null;
  rates: Invariant[];
}

export interface GraphVerification extends OfLinks {
  /** Are all records linked? If not, where each should be was not asked, and `wrong` is 0. */
  linked: boolean;
  /** Of those that are not linked, how many are known; 0 where it is not known which they are. */
  waiting: number;
  /** Whether that is an import which was cut short in its last step, and will be taken back. */
  half: boolean;
  /** Whether what linking remembers is of the graph as it is. */
  remembered: boolean;
  invariants: Invariant[];
}

/** @param clusters rows of each identity of two or more records, as they should be */
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
