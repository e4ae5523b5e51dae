// Copies a graph from one engine to another, with the same records, manual links, identity numbers and secret.
import { isDeepStrictEqual } from 'node:util';
import { BonafideError } from '../errors.ts';
import type { RecordRow, StoredRecord } from '../link/stored-record.ts';
import { getGivenNameKey, getNameKeys, prepareName } from '../names/index.ts';
import { type GraphStats, type RecordStoringGraph, EMPTY_GRAPH_QUERY } from './graph.ts';

export interface GraphCopyOptions {
  from: RecordStoringGraph;
  /** Graph into which records are copied. It must be opened with `allowUnfinishedCopy`. */
  to: RecordStoringGraph;
  onProgress?: ((records: number) => void) | undefined;
}

export interface GraphCopyResult {
  stats: GraphStats;
  compared: number;
}

const refused = (message: string) => new BonafideError('invalid_arguments', message);
const ANEW = 'To start again: "A copy that cannot continue" on the page postgres (bonafide docs postgres).';
const ANOTHER = refused(`The target contains another graph. ${ANEW}`);
const CHANGED = refused(
  `The graph was changed after its copy was started. Stop all imports and changes of the graph. ${ANEW}`,
);

/**
 * Copies a graph to another one, then compares the counts and 500 sampled answers of both. A second call continues a copy that was interrupted; if
 * the copy is finished, it compares every record, and adds previous secrets that the copy lacks. Errors: `invalid_arguments` if the source cannot be
 * copied or has changed, or the target contains another graph; `server_failed` if the graphs differ after the copy; those of the graphs.
 */
export async function copyGraphBetweenEngines({
  from,
  to,
  onProgress,
}: GraphCopyOptions): Promise<GraphCopyResult> {
  await refuseUnmovable(from, to);
  const isNew = (await to.stats()).linkedAt === null;
  if (isNew) {
    await beginCopy(from, to);
    await copyManualLinks(from, to);
    await copyRecords({ from, to, onProgress });
    await publishCopy(from, to);
  } else {
    await requireUnchanged({ from, to, onProgress });
    await addMissingEarlierSecrets(from, to);
  }
  const { differences, compared } = await compareGraphs(from, to);
  if (differences.length > 0)
    throw new BonafideError(
      'server_failed',
      `The copy differs from the source graph: ${differences.join('; ')}. The source is unchanged. ${ANEW}`,
    );
  return { stats: await to.stats(), compared };
}

async function refuseUnmovable(from: RecordStoringGraph, to: RecordStoringGraph): Promise<void> {
  const { records, settled } = await from.stats();
  if (!settled) throw refused('Not all records are linked. Run first: bonafide graph link');
  if ((await from.erasing.pendingErasure()) !== null)
    throw refused('An erasure was interrupted in this graph. Run first: bonafide graph compact');
  const copied = await to.stats();
  if (copied.records > records || (copied.linkedAt !== null && copied.records !== records)) throw ANOTHER;
}

/** Marks the target as an unfinished copy. Throws if it contains records that are not the first records of the source. */
async function beginCopy(from: RecordStoringGraph, to: RecordStoringGraph): Promise<void> {
  const [revision, copied] = [await from.linking.revision(), await to.moving.copiedRevision()];
  if (copied === revision) return;
  if (copied !== null) throw CHANGED;
  const source = iterateRecords(from);
  for await (const { key } of iterateRecords(to)) if ((await source.next()).value?.key !== key) throw ANOTHER;
  await to.moving.beginCopy(revision);
}

/** Copies manual links. Call it before `copyRecords`, because the labels of records contain the ids of manual links. */
async function copyManualLinks(from: RecordStoringGraph, to: RecordStoringGraph): Promise<void> {
  const copied = await to.manualLinks.list();
  for (const { id, undone, ...link } of (await from.manualLinks.list()).slice(copied.length)) {
    if ((await to.manualLinks.add(link)) !== id) throw refused('The target has other manual links.');
    if (undone !== null) await to.manualLinks.undo(id, undone);
  }
}

/** Adds the records that the target lacks, in the order of the source. */
async function copyRecords({ from, to, onProgress }: GraphCopyOptions): Promise<void> {
  const copies = iterateRecords(to);
  let [count, isCopied] = [0, true];
  for await (const page of from.records.pages()) {
    const missing: StoredRecord[] = [];
    for (const { row: _, key, identity: __, ...record } of page) {
      const copy = isCopied ? (await copies.next()).value : undefined;
      if (copy === undefined) {
        isCopied = false;
        missing.push(record);
      } else if (copy.key !== key) throw ANOTHER;
    }
    if (missing.length > 0) await to.records.put(missing, { allowReturn: true });
    onProgress?.((count += page.length));
  }
}

async function publishCopy(from: RecordStoringGraph, to: RecordStoringGraph): Promise<void> {
  const redirects = await from.moving.listRedirects();
  const numbers = await numbersOfCopies(from, to);
  const rows = Map.groupBy(numbers.identities, ([, identity]) => identity);
  const clusters = [...rows.values()]
    .filter(({ length }) => length > 1)
    .map((all) => all.map(([row]) => row));
  const errorRates = await from.linking.errorRates();
  await to.records.runAtomically(async () => {
    if ((await from.linking.revision()) !== (await to.moving.copiedRevision())) throw CHANGED;
    await to.moving.putNumbers({ ...numbers, redirects });
    // Runs after the records: a suppressed record can be in the source graph, if its import was allowed.
    await to.moving.addSuppressed(await from.moving.listSuppressed());
    await to.moving.replaceEarlierSecrets(await from.moving.listEarlierSecrets());
    await to.linking.publish({ clusters, revision: await to.linking.revision(), errorRates });
  });
}

/**
 * Returns the present and previous identity numbers of the source's records, by the row numbers of the copied records. Both graphs list records in
 * the same order.
 */
async function numbersOfCopies(from: RecordStoringGraph, to: RecordStoringGraph) {
  const previous = Map.groupBy(await from.moving.listPreviousNumbers(), ([row]) => row);
  const identities: [number, number][] = [];
  const previousNumbers: [number, number][] = [];
  const copies = iterateRecords(to);
  for await (const { row, key, identity } of iterateRecords(from)) {
    const copy = (await copies.next()).value;
    if (copy?.key !== key) throw CHANGED;
    if (identity !== null) identities.push([copy.row, identity]);
    for (const [, number] of previous.get(row) ?? []) previousNumbers.push([copy.row, number]);
  }
  return { identities, previousNumbers };
}

/** Throws if the source has changed since the copy was finished. Compares all records, because `compareGraphs` compares only a sample of them. */
async function requireUnchanged({ from, to, onProgress }: GraphCopyOptions): Promise<void> {
  const describe = async ({ manualLinks, erasing }: RecordStoringGraph) => [
    await manualLinks.list(),
    await erasing.countSuppressed(),
  ];
  if (!isDeepStrictEqual(await describe(from), await describe(to))) throw CHANGED;
  const copies = iterateRecords(to);
  let count = 0;
  for await (const { row: _, ...record } of iterateRecords(from)) {
    const copy = (await copies.next()).value;
    if (!isDeepStrictEqual({ ...record, row: copy?.row }, { ...copy })) throw CHANGED;
    onProgress?.(++count);
  }
}

/** Adds previous secrets that the target lacks, because an earlier version of Bonafide made the copy. */
async function addMissingEarlierSecrets(from: RecordStoringGraph, to: RecordStoringGraph): Promise<void> {
  const [secrets, copied] = [await from.moving.listEarlierSecrets(), await to.moving.listEarlierSecrets()];
  if (secrets.every((secret) => copied.includes(secret))) return;
  const all = [...new Set([...secrets, ...copied])];
  await to.records.runAtomically(() => to.moving.replaceEarlierSecrets(all));
}

async function* iterateRecords({ records }: RecordStoringGraph): AsyncGenerator<RecordRow, undefined> {
  for await (const page of records.pages()) yield* page;
  return undefined;
}

const COUNTS = ['records', 'identities', 'merged', 'postings'] as const satisfies (keyof GraphStats)[];
/** Number of records, spread evenly over all, for which the answers of both graphs are compared. */
const SAMPLE = 500;

/** Compares two graphs. Returns their differences as texts, and the number of answers that were compared. */
async function compareGraphs(
  from: RecordStoringGraph,
  to: RecordStoringGraph,
): Promise<{ differences: string[]; compared: number }> {
  const [source, copy] = [await from.stats(), await to.stats()];
  const differences = COUNTS.filter((count) => source[count] !== copy[count]).map(
    (count) => `${source[count]} ${count} in the source and ${copy[count]} in the copy`,
  );
  let [index, compared, different] = [0, 0, 0];
  const step = Math.max(1, Math.floor(source.records / SAMPLE));
  for await (const record of iterateRecords(from)) {
    if (index++ % step !== 0) continue;
    compared++;
    if ((await answerText(from, record)) !== (await answerText(to, record))) different++;
  }
  if (different > 0) differences.push(`${different} of ${compared} answers`);
  return { differences, compared };
}

/** Returns a text with the answer to a query for a record's first name, and with the record's identity. */
async function answerText(
  graph: RecordStoringGraph,
  { names: [text], identity }: RecordRow,
): Promise<string> {
  const name = prepareName(text ?? '');
  const keys =
    text === undefined
      ? {}
      : { name: text, nameKeys: getNameKeys(name), givenNameKey: getGivenNameKey(name) };
  const { identities, ...answer } = await graph.resolve({ ...EMPTY_GRAPH_QUERY, ...keys });
  const card = identity === null ? null : await graph.linking.getIdentity(identity);
  return JSON.stringify([answer, [...identities], card]);
}
