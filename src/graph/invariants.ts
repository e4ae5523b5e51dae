// What must hold of a graph that keeps records, whatever the engine: each in a sentence, with how often it does not.
import type { KeepingGraph } from './graph.ts';
import { gather } from './publish/gather.ts';

export interface Invariant {
  says: string;
  /** Of how many it was asked. */
  of: number;
  /** Of how many of them it does not hold. */
  broken: number;
}

/** Reads every record and every identity. Errors: those of the graph. */
export async function invariantsOf(graph: KeepingGraph): Promise<Invariant[]> {
  const { records, linking } = graph;
  const one = (says: string): Invariant => ({ says, of: 0, broken: 0 });
  const all = {
    belongs: one('every record belongs to an identity that is there'),
    counted: one('an identity counts its records and their sources as they are'),
    named: one('an identity bears the names of its records, the commonest first'),
    dated: one('an identity was seen from the first to the last day of its records'),
  };
  const ask = (invariant: Invariant, holds: boolean) => {
    invariant.of++;
    if (!holds) invariant.broken++;
  };
  const seen = new Set<number>();
  for await (const page of records.pages())
    for (const { identity } of page) {
      const card = identity === null ? null : await linking.identity(identity);
      ask(all.belongs, card?.id === identity && card !== null);
      if (!card || seen.has(card.id)) continue;
      seen.add(card.id);
      const should = gather(await records.byIdentity(card.id), records.fingerprints);
      ask(all.counted, card.records === should.records && card.sources === should.sources);
      ask(all.named, card.names.join('\n') === should.names.join('\n'));
      ask(all.dated, sameDay(card.firstSeen, should.firstSeen) && sameDay(card.lastSeen, should.lastSeen));
    }
  const { records: counted, identities } = await graph.stats();
  return [
    all.belongs,
    all.counted,
    all.named,
    all.dated,
    {
      says: 'as many identities are published as records belong to',
      of: identities,
      broken: Math.abs(identities - seen.size),
    },
    {
      says: 'as many records are counted as are there',
      of: counted,
      broken: Math.abs(counted - all.belongs.of),
    },
  ];
}

const DAY_MS = 86_400_000;

/** An engine may keep days alone. */
const sameDay = (one: number | null, two: number | null) =>
  one === null || two === null ? one === two : Math.floor(one / DAY_MS) === Math.floor(two / DAY_MS);
