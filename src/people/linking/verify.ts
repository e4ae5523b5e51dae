// Whether a graph is what its records make of it.
import { type IdentityGraph, type RecordGraph, requireRecords } from '../../graph/graph.ts';
import { checkInvariants } from '../../graph/invariants.ts';
import { createInvariantCounter, isDeepEqual } from '../../graph/verifying.ts';
import { partitionRecords } from '../../import/linking/partition.ts';
import { type Verified, type VerifiedLinks, verified } from './verified.ts';
import type { Linking } from './linking.ts';
import { poolOf } from '../../platform/threads/helpers.ts';

/**
 * Links all records anew, publishes nothing, and holds the graph against what comes of it: identities, what is remembered between two
 * linkings, and every file. Where a graph is settled, nothing may differ. Where records wait to be linked, what is published cannot be what
 * linking gives: then all else is held.
 * Errors: those of `linkRecords`.
 */
export function verifyGraph(
  graph: RecordGraph,
  options: Pick<Linking, 'onProgress'> = {},
): Promise<Verified> {
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
async function unlinked({ records }: RecordGraph): Promise<VerifiedLinks> {
  return { records: await records.count(), wrong: 0, settled: false, remembered: null, rates: [] };
}

/** The same, of linking alone. */
export async function verifyLinks(
  graph: IdentityGraph,
  { onProgress }: Pick<Linking, 'onProgress'> = {},
): Promise<VerifiedLinks> {
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
    return { ...(await verified(records, clusters)), settled, remembered, rates: [rates.counted] };
  });
}

/** All that `work` reads is of one moment, where the engine can do that. */
function ofOneMoment<T>(graph: IdentityGraph, work: () => Promise<T>): Promise<T> {
  return graph.verifying ? graph.verifying.withSnapshot(work) : work();
}
