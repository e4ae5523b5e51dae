// A file that is all of its source: what the graph has of that source beside it goes. And whose records may be touched at all.
import { BonafideError } from '../../errors.ts';
import type { Incoming, GraphRecords } from '../../graph/records.ts';
import { shown } from '../source/cells/shown.ts';

/** Errors: `invalid_arguments` where records come of no source, or of several. */
export function requireOne(sources: ReadonlyMap<string, number>): void {
  if (sources.size === 1) return;
  const [is, way] =
    sources.size === 0
      ? ['no record could be used', 'see the reasons above']
      : ['the records are of several sources', 'import each source by itself, and say which with --source'];
  throw new BonafideError('invalid_arguments', `Nothing was replaced: ${is}; ${way}.`);
}

interface Own {
  /** What there was before this input. */
  before: ReadonlyMap<string, number>;
  input: string;
  /** As it was said, if it was. */
  source: string | undefined;
  /** The one source whose records the input may hold. */
  own: string;
}

/** Sources that an error names. */
const MOST_SHOWN = 5;

/**
 * Refuses records of an input that name another source than the operator did.
 *
 * Errors: `invalid_arguments`.
 */
export function refuseOthers(
  sources: ReadonlyMap<string, number>,
  { before, input, source, own }: Own,
): void {
  const others = [...sources]
    .map(([name, count]): [string, number] => [name, count - (before.get(name) ?? 0)])
    .filter(([name, count]) => name !== own && count > 0);
  const [[first] = ['']] = others;
  if (others.length === 0) return;
  const named = others.slice(0, MOST_SHOWN).map(([name, count]) => `${shown(name)}: ${count}`);
  const told = `${input} holds records that name another source than ${shown(own)} (${named.join(', ')}${others.length > MOST_SHOWN ? ' …' : ''})`;
  const way =
    source === undefined
      ? `With --replace a file is all of one source: that of its name, or of --source. If this one is all of ${shown(first)}, say --source ${shown(first)}`
      : 'Leave --source out, so that each record is imported under the source that it names; or take the names of sources out of the file';
  throw new BonafideError('invalid_arguments', `${told}. Nothing was imported. ${way}.`);
}

/** What tells the records apart that share an id, behind it. */
const APART = /~[0-9a-f]{12}$/;

interface Replacing {
  incoming: Incoming;
  source: string;
  /** Ids of records that are in the file and could not be used: what there is of them stays. */
  unusable: ReadonlySet<string>;
}

/** Has all records of a source taken out that are not on their way in. Reads every record once. Answers how many stay as they were. */
export async function removeOthers(
  records: GraphRecords,
  { incoming, source, unusable }: Replacing,
): Promise<number> {
  const isThere = (id: string) => unusable.has(id) || unusable.has(id.replace(APART, ''));
  let stayed = 0;
  for await (const page of records.pages()) {
    const others = page.filter((record) => record.source === source && !incoming.has(record.key));
    const gone = others.filter(({ recordId }) => !isThere(recordId));
    stayed += others.length - gone.length;
    if (gone.length > 0) await incoming.remove(gone.map(({ recordId }) => ({ source, recordId })));
  }
  return stayed;
}
