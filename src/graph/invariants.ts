import { BonafideError } from '../errors.ts';
import type { RecordGraph } from './graph.ts';
import { type Gathered, gather } from './publish/gather.ts';
import {
  createInvariantCounter,
  type FileVerifier,
  type Invariant,
  type UnlinkedRecords,
} from './verifying.ts';

/**
 * What must hold of what is published and kept. Reads every record and every identity. Errors: those of the graph.
 *
 * @param waiting what is not linked yet: nothing that it concerns is held against records
 */
export async function checkInvariants(
  graph: RecordGraph,
  waiting: UnlinkedRecords | null,
): Promise<Invariant[]> {
  const files = graph.verifying?.openFileVerifier(waiting);
  const all = identityCounters();
  const seen = new Set<number>();
  let there = 0;
  for await (const page of graph.records.pages())
    for (const { row, identity } of page) {
      there++;
      const isLate = waiting !== null && (waiting.rows?.has(row) ?? true);
      if (waiting?.rows === null || (isLate && identity === null)) continue;
      const card = await cardOf(graph, identity);
      all.belongs.ask(card !== null && card.id === identity);
      if (!card || seen.has(card.id)) continue;
      seen.add(card.id);
      if (!waiting?.identities.has(card.id)) await held(graph, card, { all, files });
    }
  for (const identity of waiting?.identities ?? []) {
    seen.add(identity);
    files?.see(identity, null);
  }
  const { records, identities } = await graph.stats();
  return [
    ...Object.values(all).map(({ counted }) => counted),
    ...(waiting?.rows === null ? [] : [asMany(AS_MANY_IDENTITIES, identities, seen.size)]),
    asMany('as many records are counted as are there', records, there),
    ...((await files?.end()) ?? []),
  ];
}

const AS_MANY_IDENTITIES = 'as many identities are published as records belong to';

const asMany = (says: string, is: number, should: number): Invariant => ({
  says,
  of: is,
  broken: Math.abs(is - should),
});

const identityCounters = () => ({
  belongs: createInvariantCounter('every record belongs to an identity that is there'),
  counted: createInvariantCounter('an identity counts its records and their sources as they are'),
  named: createInvariantCounter('an identity bears the names of its records, the commonest first'),
  dated: createInvariantCounter('an identity was seen from the first to the last day of its records'),
});

type Card = Pick<Gathered, 'records' | 'sources' | 'names' | 'firstSeen' | 'lastSeen'> & { id: number };

interface Holding {
  all: ReturnType<typeof identityCounters>;
  files: FileVerifier | undefined;
}

async function held({ records }: RecordGraph, card: Card, { all, files }: Holding): Promise<void> {
  const should = gather(await records.listByIdentity(card.id), records.fingerprints);
  all.counted.ask(card.records === should.records && card.sources === should.sources);
  all.named.ask(card.names.join('\n') === should.names.join('\n'));
  all.dated.ask(sameDay(card.firstSeen, should.firstSeen) && sameDay(card.lastSeen, should.lastSeen));
  files?.see(card.id, should);
}

/** What cannot be opened is as good as not there. */
async function cardOf({ linking }: RecordGraph, identity: number | null): Promise<Card | null> {
  if (identity === null) return null;
  try {
    return await linking.getIdentity(identity);
  } catch (error) {
    if (error instanceof BonafideError && error.code === 'damaged_database') return null;
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** An engine may keep days alone. */
const sameDay = (one: number | null, two: number | null) =>
  one === null || two === null ? one === two : Math.floor(one / DAY_MS) === Math.floor(two / DAY_MS);
