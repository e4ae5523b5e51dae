// What is taken out of a graph without a file: a source, or the last import.
import { BonafideError } from '../../errors.ts';
import type { KeepingGraph } from '../../graph/graph.ts';

/** How many records and identities there are after linking what changed. */
export interface Linked {
  records: number;
  identities: number;
}

/**
 * Takes out all records of a source, whole or not at all. The last import can be taken back no more: nothing is kept of what was taken out.
 *
 * @param link links what changed
 * Errors: `not_found` where the graph has none of it, those of the graph.
 */
export async function removeSource(
  { records }: KeepingGraph,
  source: string,
  link: () => Promise<Linked>,
): Promise<Linked & { removed: number }> {
  return records.whole(async () => {
    let removed = 0;
    const incoming = records.incoming();
    try {
      for await (const page of records.pages()) {
        const theirs = page.filter((record) => record.source === source);
        await incoming.remove(theirs.map(({ recordId }) => ({ source, recordId })));
      }
      ({ removed } = await incoming.apply());
    } finally {
      incoming.drop();
    }
    if (removed === 0)
      throw new BonafideError(
        'not_found',
        'There are no records of that source. See: bonafide graph sources',
      );
    await records.forgetApplied();
    return { removed, ...(await link()) };
  });
}

/**
 * Takes the last import back, whole or not at all.
 *
 * @param link links what changed
 * Errors: `not_found` where there is none, those of the graph.
 */
export async function takeBack(
  { records }: KeepingGraph,
  link: () => Promise<Linked>,
): Promise<Linked & { removed: number; restored: number; left: number }> {
  return records.whole(async () => {
    if (!(await records.lastApplied()))
      throw new BonafideError('not_found', 'There is no import that could be taken back.');
    const done = await records.takeBack();
    return { ...done, ...(await link()) };
  });
}
