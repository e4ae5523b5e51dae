// What is taken out of a graph without a file: a source, or the last import.
import { BonafideError } from '../../errors.ts';
import type { KeepingGraph } from '../../graph/graph.ts';
import type { GraphRecords } from '../../graph/records.ts';
import { shown } from '../source/cells/shown.ts';

/** How many records and identities there are after linking what changed. */
export interface Linked {
  records: number;
  identities: number;
}

/**
 * Takes out all records of a source, whole or not at all. The last import can be taken back no more: nothing is kept of what was taken out.
 *
 * @param source its name, or what is shown in its place where that is only one's
 * @param link links what changed
 * Errors: `not_found` where the graph has none of it, those of the graph.
 */
export async function removeSource(
  { records }: KeepingGraph,
  source: string,
  link: () => Promise<Linked>,
): Promise<Linked & { removed: number }> {
  return records.whole(async () => {
    let removed = await takeOut(records, source);
    const named = removed === 0 ? await sourceShownAs(records, source) : null;
    if (named !== null) removed = await takeOut(records, named);
    if (removed === 0)
      throw new BonafideError(
        'not_found',
        'There are no records of that source. See: bonafide graph sources',
      );
    await records.forgetApplied();
    return { removed, ...(await link()) };
  });
}

async function takeOut(records: GraphRecords, source: string): Promise<number> {
  const incoming = records.incoming();
  try {
    for await (const page of records.pages()) {
      const theirs = page.filter((record) => record.source === source);
      await incoming.remove(theirs.map(({ recordId }) => ({ source, recordId })));
    }
    return (await incoming.apply()).removed;
  } finally {
    incoming.drop();
  }
}

/** The source that is shown under a name; null where none is, or several are. */
async function sourceShownAs(records: GraphRecords, name: string): Promise<string | null> {
  const found = new Set<string>();
  for await (const page of records.pages())
    for (const { source } of page) if (shown(source) === name) found.add(source);
  const [only] = found;
  return only !== undefined && found.size === 1 ? only : null;
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
