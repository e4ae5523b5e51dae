import { BonafideError } from '../errors.ts';
import type { KeepingGraph } from './graph.ts';
import { gather } from './publish/gather.ts';
import { counter, type Invariant } from './verifying.ts';

/** What must hold of what is published and kept. Reads every record and every identity. Errors: those of the graph. */
export async function invariantsOf(graph: KeepingGraph): Promise<Invariant[]> {
  const { records, linking } = graph;
  const all = {
    belongs: counter('every record belongs to an identity that is there'),
    counted: counter('an identity counts its records and their sources as they are'),
    named: counter('an identity bears the names of its records, the commonest first'),
    dated: counter('an identity was seen from the first to the last day of its records'),
  };
  const files = graph.verifying?.files();
  const seen = new Set<number>();
  for await (const page of records.pages())
    for (const { identity } of page) {
      const card = identity === null ? null : await opened(() => linking.identity(identity));
      all.belongs.ask(card?.id === identity && card !== null);
      if (!card || seen.has(card.id)) continue;
      seen.add(card.id);
      const should = gather(await records.byIdentity(card.id), records.fingerprints);
      all.counted.ask(card.records === should.records && card.sources === should.sources);
      all.named.ask(card.names.join('\n') === should.names.join('\n'));
      all.dated.ask(sameDay(card.firstSeen, should.firstSeen) && sameDay(card.lastSeen, should.lastSeen));
      files?.see(card.id, should);
    }
  const { records: counted, identities } = await graph.stats();
  return [
    ...Object.values(all).map(({ counted }) => counted),
    {
      says: 'as many identities are published as records belong to',
      of: identities,
      broken: Math.abs(identities - seen.size),
    },
    {
      says: 'as many records are counted as are there',
      of: counted,
      broken: Math.abs(counted - all.belongs.counted.of),
    },
    ...((await files?.end()) ?? []),
  ];
}

/** What cannot be opened is as good as not there. */
async function opened<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BonafideError && error.code === 'damaged_database') return null;
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** An engine may keep days alone. */
const sameDay = (one: number | null, two: number | null) =>
  one === null || two === null ? one === two : Math.floor(one / DAY_MS) === Math.floor(two / DAY_MS);
