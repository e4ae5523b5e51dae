// A file that is all of its source: what the graph has of that source beside it goes.
import { BonafideError } from '../../errors.ts';
import type { GraphRecords, Incoming } from '../../graph/graph.ts';

/** Errors: `invalid_arguments` where records come of no source, or of several. */
export function requireOne(sources: ReadonlySet<string>): void {
  if (sources.size === 1) return;
  const [is, way] =
    sources.size === 0
      ? ['no record could be used', 'see the reasons above']
      : ['the records are of several sources', 'import each source by itself, and say which with --source'];
  throw new BonafideError('invalid_arguments', `Nothing was replaced: ${is}; ${way}.`);
}

/** Has all records of a source taken out that are not on their way in. Reads every record once. */
export async function removeOthers(records: GraphRecords, incoming: Incoming, source: string): Promise<void> {
  for await (const page of records.pages()) {
    const gone = page.filter((record) => record.source === source && !incoming.has(record.key));
    if (gone.length > 0) await incoming.remove(gone.map(({ recordId }) => ({ source, recordId })));
  }
}
