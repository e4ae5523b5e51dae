// What is taken out of a graph without a file: a source, or the last import.
import { BonafideError, notFoundError } from '../errors.ts';
import type { RecordGraph } from '../graph/graph.ts';
import type { GraphRecords, IncomingRecords } from '../graph/records.ts';
import { toDisplayName } from './columns/cells.ts';

/** How many records and identities there are after linking what changed. */
export interface LinkedCounts {
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
  { records }: RecordGraph,
  source: string,
  link: () => Promise<LinkedCounts>,
): Promise<LinkedCounts & { removed: number }> {
  return records.runAtomically(async () => {
    let removed = await takeOut(records, source);
    const named = removed === 0 ? await sourceShownAs(records, source) : null;
    if (named !== null) removed = await takeOut(records, named);
    if (removed === 0)
      throw notFoundError('There are no records of that source. See: bonafide graph sources', 'source');
    await records.discardUndoJournal();
    return { removed, ...(await link()) };
  });
}

async function takeOut(records: GraphRecords, source: string): Promise<number> {
  const incoming = records.openIncoming();
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
    for (const { source } of page) if (toDisplayName(source) === name) found.add(source);
  const [only] = found;
  return only !== undefined && found.size === 1 ? only : null;
}

/**
 * Takes the last import back, whole or not at all.
 *
 * @param link links what changed
 * Errors: `not_found` where there is none, those of the graph.
 */
export async function undoImport(
  { records }: RecordGraph,
  link: () => Promise<LinkedCounts>,
): Promise<LinkedCounts & { removed: number; restored: number; left: number }> {
  return records.runAtomically(async () => {
    if (!(await records.lastAppliedImport()))
      throw notFoundError('There is no import that could be taken back.', 'import');
    const done = await records.undoLastImport();
    return { ...done, ...(await link()) };
  });
}

// A file that is all of its source: what the graph has of that source beside it goes. And whose records may be touched at all.
/** Errors: `invalid_arguments` where records come of no source, or of several. */
export function requireOneSource(sources: ReadonlyMap<string, number>): void {
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
export function requireOwnSource(
  sources: ReadonlyMap<string, number>,
  { before, input, source, own }: Own,
): void {
  const others = [...sources]
    .map(([name, count]): [string, number] => [name, count - (before.get(name) ?? 0)])
    .filter(([name, count]) => name !== own && count > 0);
  const [[first] = ['']] = others;
  if (others.length === 0) return;
  const named = others.slice(0, MOST_SHOWN).map(([name, count]) => `${toDisplayName(name)}: ${count}`);
  const told = `${input} holds records that name another source than ${toDisplayName(own)} (${named.join(', ')}${others.length > MOST_SHOWN ? ' …' : ''})`;
  const way =
    source === undefined
      ? `With --replace a file is all of one source: that of its name, or of --source. If this one is all of ${toDisplayName(first)}, say --source ${toDisplayName(first)}`
      : 'Leave --source out, so that each record is imported under the source that it names; or take the names of sources out of the file';
  throw new BonafideError('invalid_arguments', `${told}. Nothing was imported. ${way}.`);
}

/** What tells the records apart that share an id, behind it. */
const APART = /~[0-9a-f]{12}$/;

interface Replacing {
  incoming: IncomingRecords;
  source: string;
  /** Ids of records that are in the file and could not be used: what there is of them stays. */
  unusable: ReadonlySet<string>;
}

/** Has all records of a source taken out that are not on their way in. Reads every record once. Answers how many stay as they were. */
export async function removeMissingRecords(
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
