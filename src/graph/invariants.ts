import { BonafideError } from '../errors.ts';
import type { RecordStoringGraph } from './graph.ts';
import { type IdentityForPublishing, computeIdentityForPublishing } from './resolve/gather.ts';
import {
  createInvariantCounter,
  type PublishedIdentityVerifier,
  type GraphInvariantResult,
  type UnlinkedRecords,
} from './verifying.ts';

/**
 * Compares the published identities (the data that checks read) with their records. Reads every record and identity. Errors: those of the graph.
 * @param waiting records that are not linked yet, which are not compared
 */
export async function verifyGraphInvariants(
  graph: RecordStoringGraph,
  waiting: UnlinkedRecords | null,
): Promise<GraphInvariantResult[]> {
  const files = graph.verifying.openFileVerifier(waiting);
  const counters = createCounters();
  const seen = new Set<number>();
  let records = 0;
  for await (const page of graph.records.pages())
    for (const { row, identity } of page) {
      records++;
      const isPending = waiting !== null && (waiting.rows?.has(row) ?? true);
      if (waiting?.rows === null || (isPending && identity === null)) continue;
      const card = await readIdentity(graph, identity);
      counters.belongs.check(card !== null && card.id === identity);
      if (!card || seen.has(card.id)) continue;
      seen.add(card.id);
      if (!waiting?.identities.has(card.id)) await compareIdentity(graph, card, { counters, files });
    }
  for (const identity of waiting?.identities ?? []) {
    seen.add(identity);
    await files.compareIdentity(identity, null);
  }
  const stats = await graph.stats();
  return [
    ...Object.values(counters).map(({ counted }) => counted),
    ...(waiting?.rows === null ? [] : [sameNumber(SAME_IDENTITIES, stats.identities, seen.size)]),
    sameNumber('the number of records equals the stored count', stats.records, records),
    ...(await files.listInvariants()),
  ];
}

const SAME_IDENTITIES = 'the number of published identities equals the number that records belong to';

const sameNumber = (says: string, stored: number, actual: number): GraphInvariantResult => ({
  says,
  of: stored,
  broken: Math.abs(stored - actual),
});

const createCounters = () => ({
  belongs: createInvariantCounter('every record belongs to a published identity'),
  counted: createInvariantCounter(
    'the stored numbers of an identity’s records and sources equal the counted numbers',
  ),
  named: createInvariantCounter('an identity has the names of its records, most frequent first'),
  dated: createInvariantCounter('an identity has the first and the last date of its records'),
});

type Card = Pick<IdentityForPublishing, 'records' | 'sources' | 'names' | 'firstSeen' | 'lastSeen'> & {
  id: number;
};

interface Comparison {
  counters: ReturnType<typeof createCounters>;
  files: PublishedIdentityVerifier;
}

async function compareIdentity(
  { records }: RecordStoringGraph,
  card: Card,
  { counters, files }: Comparison,
): Promise<void> {
  const should = computeIdentityForPublishing(await records.listByIdentity(card.id), records.fingerprints);
  counters.counted.check(card.records === should.records && card.sources === should.sources);
  counters.named.check(card.names.join('\n') === should.names.join('\n'));
  counters.dated.check(
    isSameDay(card.firstSeen, should.firstSeen) && isSameDay(card.lastSeen, should.lastSeen),
  );
  await files.compareIdentity(card.id, should);
}

/** Returns an identity; null if it does not exist or cannot be decrypted. */
async function readIdentity({ linking }: RecordStoringGraph, identity: number | null): Promise<Card | null> {
  if (identity === null) return null;
  try {
    return await linking.getIdentity(identity);
  } catch (error) {
    if (error instanceof BonafideError && error.code === 'damaged_database') return null;
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** True if two times are on the same day (UTC), or both are null. An engine may store days without times. */
const isSameDay = (one: number | null, two: number | null) =>
  one === null || two === null ? one === two : Math.floor(one / DAY_MS) === Math.floor(two / DAY_MS);
