// Sources of records: verifies which sources an input contains, removes a source, and undoes the
// last import.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError, invalidArgumentError, notFoundError } from '../errors.ts';
import type { RecordStoringGraph } from '../graph/graph.ts';
import type { AppliedImport, GraphRecordOperations, IncomingRecordStorage } from '../graph/records.ts';
import { createFileOwnerMark, createTouchedFile, getOwnerProcessState } from '../platform/temporary-files.ts';
import { maskIfContactLike } from './columns/cells.ts';
import type { RemovalOfRecords, CountWithExampleLines } from './summary.ts';

export interface GraphCountsAfterLinking {
  records: number;
  identities: number;
}

/**
 * Removes all records of a source and links the remaining records in one transaction. The last import cannot be undone afterwards. Errors:
 * `not_found` if the graph has no such source, those of the graph.
 *
 * @param source name of the source, or its display name if only one source has this display name
 */
export async function removeSource(
  { records }: RecordStoringGraph,
  source: string,
  link: () => Promise<GraphCountsAfterLinking>,
): Promise<GraphCountsAfterLinking & { removed: number }> {
  return records.runAtomically(async () => {
    let removed = await removeRecords(records, source);
    const named = removed === 0 ? await findByDisplayName(records, source) : null;
    if (named !== null) removed = await removeRecords(records, named);
    if (removed === 0)
      throw notFoundError('There are no records of that source. See: bonafide graph sources', 'source');
    await records.discardUndoJournal();
    return { removed, ...(await link()) };
  });
}

async function removeRecords(records: GraphRecordOperations, source: string): Promise<number> {
  const incoming = await records.openIncoming();
  try {
    for await (const page of records.pages()) {
      const own = page.filter((record) => record.source === source);
      await incoming.remove(own.map(({ recordId }) => ({ source, recordId })));
    }
    return (await incoming.apply()).removed;
  } finally {
    incoming.drop();
  }
}

/** Returns the source that has this display name. Null if no source or several sources have it. */
async function findByDisplayName(records: GraphRecordOperations, name: string): Promise<string | null> {
  const sources = new Set<string>();
  for await (const page of records.pages())
    for (const { source } of page) if (maskIfContactLike(source) === name) sources.add(source);
  const [only] = sources;
  return only !== undefined && sources.size === 1 ? only : null;
}

/**
 * Undoes the last import and links the affected records in one transaction. Errors: `not_found` if no import can be undone, those of the graph.
 */
export async function undoImport(
  { records }: RecordStoringGraph,
  link: () => Promise<GraphCountsAfterLinking>,
): Promise<GraphCountsAfterLinking & { removed: number; restored: number; left: number }> {
  return records.runAtomically(async () => {
    if (!(await records.lastAppliedImport()))
      throw notFoundError('There is no import that can be undone.', 'import');
    const undone = await records.undoLastImport();
    return { ...undone, ...(await link()) };
  });
}

const IMPORT_MARK = /^import-begun\.(\w+-\d+)$/;

/**
 * Time in milliseconds after which an import of another machine counts as killed, if it did not touch its mark (a file in the data folder). A
 * running import touches the mark every minute.
 */
const UNTOUCHED_MS = 300_000;

/** Marks in a data folder that this process imports records. Returns a function that removes the mark, which only a killed process leaves behind. */
export function markImportBegun(dataDir: string): () => void {
  try {
    return createTouchedFile(join(dataDir, `import-begun.${createFileOwnerMark()}`));
  } catch {
    // The import itself says why the folder cannot be written.
    return () => undefined;
  }
}

/**
 * Throws if an import was killed before it changed the graph, because an undo would then undo the import before it. Removes the marks of killed
 * imports, so that the next undo is accepted. Throws also if an import of another machine may be running. Errors: `invalid_arguments`, whose text HTTP
 * answers show.
 */
export function refuseUndoAfterKilledImport(dataDir: string, last: AppliedImport): void {
  const marks = readdirSync(dataDir).flatMap((name) => {
    const file = join(dataDir, name);
    const owner = IMPORT_MARK.exec(name)?.[1];
    return owner === undefined ? [] : [{ file, state: getOwnerProcessState(owner, file, UNTOUCHED_MS) }];
  });
  if (marks.some(({ state }) => state === 'unknown'))
    throw invalidArgumentError(MAY_RUN_ELSEWHERE, '', MAY_RUN_ELSEWHERE);
  const abandoned = marks.filter(({ state }) => state === 'gone');
  const killed = abandoned.map(({ file }) => readImportStart(file)).filter((begun) => begun > last.at);
  for (const { file } of abandoned) rmSync(file, { force: true });
  if (killed.length === 0) return;
  const time = (ms: number) => new Date(ms).toISOString();
  const message = `Nothing was undone. The import that began at ${time(Math.max(...killed))} was killed before it changed the graph. The last import that can be undone is that of ${time(last.at)} (${last.added} records added, ${last.replaced} replaced, ${last.removed} removed). To undo it, try again.`;
  throw invalidArgumentError(message, '', message);
}

const MAY_RUN_ELSEWHERE =
  'Nothing was undone. An import runs on another machine or container, or was killed there less than five minutes ago. When it has ended, or after five minutes, try again.';

/** Returns the time at which an import set its mark, in milliseconds since 1970; 0 if the mark was removed. */
function readImportStart(file: string): number {
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  // Earlier versions wrote an empty mark.
  return changed === undefined ? 0 : Number(readFileSync(file, 'utf8')) || changed;
}

/** Throws `invalid_arguments` unless the records of an import with `replace` have exactly one source. */
export function requireSingleSource(sources: ReadonlyMap<string, number>): void {
  if (sources.size === 1) return;
  const reason =
    sources.size === 0
      ? 'all records of the input were rejected, for the reasons listed above'
      : 'the input contains records of several sources. Import each source separately, with --source';
  throw new BonafideError('invalid_arguments', `Nothing was replaced: ${reason}.`);
}

/** Throws `invalid_arguments` if an import with `replace` has unusable rows without a known record id: their records would be removed. */
export function requireRecordIdsOfUnusableRows({ count, lines }: CountWithExampleLines): void {
  if (count === 0) return;
  const places = lines.map(({ input, line }) => `${input} line ${line}`).join(', ');
  throw new BonafideError(
    'invalid_arguments',
    `Nothing was replaced, because the record id of some unusable rows is unknown: ${count} (${places}${count > lines.length ? ' …' : ''}). The import would remove the present records of these rows. Correct the rows, or import without replacing.`,
  );
}

interface SourceRule {
  before: ReadonlyMap<string, number>;
  input: string;
  source: string | undefined;
  /** Only source that the records of the input may have. */
  own: string;
}

const MOST_SOURCES_IN_ERRORS = 5;

/** Throws `invalid_arguments` if a record has another source than `own`. */
export function requireNoOtherSourceInInput(
  sources: ReadonlyMap<string, number>,
  { before, input, source, own }: SourceRule,
): void {
  const others = [...sources]
    .map(([name, count]): [string, number] => [name, count - (before.get(name) ?? 0)])
    .filter(([name, count]) => name !== own && count > 0);
  if (others.length === 0) return;
  const first = maskIfContactLike(others[0]?.[0] ?? '');
  const counts = others
    .slice(0, MOST_SOURCES_IN_ERRORS)
    .map(([name, count]) => `${maskIfContactLike(name)}: ${count}`);
  const more = others.length > MOST_SOURCES_IN_ERRORS ? ' …' : '';
  const advice =
    source === undefined
      ? `With --replace, all records of a file must have one source: the name of the file, or the value of --source. If the source is ${first}, add --source ${first}`
      : 'Leave --source out to import each record under the source that it names, or remove the source names from the file';
  throw new BonafideError(
    'invalid_arguments',
    `${input} contains records of other sources than ${maskIfContactLike(own)} (${counts.join(', ')}${more}). Nothing was imported. ${advice}.`,
  );
}

/** Suffix of the ids that `mergeRowsWithSameId` creates when several people share one id. */
const OWN_ID_END = /~[0-9a-f]{12}$/;

/** Maximum number of records that an import with `replace` removes without confirmation, whatever their share of the source is. */
const MAX_UNCONFIRMED_REMOVALS = 10;

/** True if an import with `replace` removes more than half of the records of a source, so that the operator must confirm it. */
export const needsRemovalConfirmation = ({ removed, present }: RemovalOfRecords): boolean =>
  removed > MAX_UNCONFIRMED_REMOVALS && removed > present / 2;

export const describeRemoval = ({ source, removed, present }: RemovalOfRecords): string =>
  `${removed} of ${present} records of source ${maskIfContactLike(source)}`;

interface Replacement {
  incoming: IncomingRecordStorage;
  source: string;
  /** Ids of records whose new versions were rejected. Their old versions stay in the graph. */
  unusable: ReadonlySet<string>;
}

/**
 * Removes all records of a source that are not among the incoming records. Also returns the number of records that stay because their new versions
 * were rejected.
 *
 * @param records records of the graph, or in a dry run those of the graph that the import would change
 */
export async function removeMissingRecordsAndCountExempted(
  records: GraphRecordOperations,
  { incoming, source, unusable }: Replacement,
): Promise<RemovalOfRecords & { stayed: number }> {
  const isUnusable = (id: string) => {
    const ofRow = id.replace(OWN_ID_END, '');
    // A relative in the row has an id such as `S-101/parent1`.
    return (
      unusable.has(id) ||
      unusable.has(ofRow) ||
      unusable.has(ofRow.slice(0, Math.max(0, ofRow.lastIndexOf('/'))))
    );
  };
  const counts = { source, removed: 0, present: 0, stayed: 0 };
  for await (const page of records.pages()) {
    const own = page.filter((record) => record.source === source);
    const others = own.filter((record) => !incoming.has(record.key));
    const missing = others.filter(({ recordId }) => !isUnusable(recordId));
    counts.present += own.length;
    counts.removed += missing.length;
    counts.stayed += others.length - missing.length;
    if (missing.length > 0) await incoming.remove(missing.map(({ recordId }) => ({ source, recordId })));
  }
  return counts;
}
