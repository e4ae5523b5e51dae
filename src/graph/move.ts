// A graph moves from one engine to another: the same records, judgements and numbers, under the same secret.
import { BonafideError } from '../errors.ts';
import type { RecordRow, StoredRecord } from '../link/stored.ts';
import { type GraphStats, type RecordGraph, EMPTY_QUERY } from './graph.ts';
import { givenNameKey, nameKeys, prepareName } from '../names/index.ts';

export interface MoveOptions {
  from: RecordGraph;
  to: RecordGraph;
  /** Told now and then how many records are there. */
  onProgress?: ((records: number) => void) | undefined;
}

export interface MoveResult {
  stats: GraphStats;
  /** Answers that were compared at the end. */
  compared: number;
}

const refused = (message: string) => new BonafideError('invalid_arguments', message);
const ANEW = 'To begin anew there: "A copy that cannot go on" on the page postgres (bonafide docs postgres).';
const ANOTHER = refused(`There is another graph where this one is to go. ${ANEW}`);
const CHANGED = refused(`The graph was changed since its copy was begun. Stop what changes it. ${ANEW}`);

/**
 * Copies a graph into one that was opened `unfinished`. What is interrupted is refused by whoever else opens it, and goes on where it was when this is run again; at the end counts and a
 * sample of answers of both are compared.
 *
 * Errors: `invalid_arguments` where there is something that cannot move, or the other engine holds something else; `server_failed` where the two
 * differ afterwards; those of the graphs.
 */
export async function moveGraph({ from, to, onProgress }: MoveOptions): Promise<MoveResult> {
  await refuseUnmovable(from, to);
  const isNew = (await to.stats()).linkedAt === null;
  if (isNew) await begin(from, to);
  await moveJudgements(from, to);
  if (isNew) await moveRecords({ from, to, onProgress });
  const { differences, compared } = await differencesOf(from, to);
  if (differences.length > 0)
    throw new BonafideError('server_failed', `The two graphs differ: ${differences.join('; ')}.`);
  return { stats: await to.stats(), compared };
}

async function refuseUnmovable(from: RecordGraph, to: RecordGraph): Promise<void> {
  const { records, settled } = await from.stats();
  if (!settled) throw refused('Not all records are linked. Run first: bonafide graph link');
  if (!from.moving || !to.moving) throw refused(`A graph cannot move from ${from.engine} to ${to.engine}.`);
  if (from.erasing && (await from.erasing.pendingErasure()) !== null)
    throw refused('A forgetting was cut short here. Run first: bonafide graph compact');
  const barred = (await from.erasing?.countSuppressed()) ?? 0;
  const isRekeyed = (from.records.earlierFingerprints ?? []).length > 0 && !to.records.earlierFingerprints;
  if (barred > 0 && (!to.erasing || isRekeyed))
    throw refused(
      `People were forgotten here${isRekeyed ? ' before the secret was changed' : ''}, and the engine ${to.engine} cannot keep them out: the graph stays where it is.`,
    );
  const there = await to.stats();
  if (there.records > records || (there.linkedAt !== null && there.records !== records)) throw ANOTHER;
}

/** Says that it is a copy before anything of it is there; what is somebody's graph is not called one. */
async function begin(from: RecordGraph, to: RecordGraph): Promise<void> {
  const [revision, copied] = [await from.linking.revision(), (await to.moving?.copiedRevision()) ?? null];
  if (copied === revision) return;
  if (copied !== null) throw CHANGED;
  const mine = keysOf(from);
  for await (const key of keysOf(to)) if ((await mine.next()).value !== key) throw ANOTHER;
  await to.moving?.beginCopy(revision);
}

/** They go first: the label that one gives a record goes by its number. */
async function moveJudgements(from: RecordGraph, to: RecordGraph): Promise<void> {
  const [all, there] = [(await from.manualLinks?.list()) ?? [], (await to.manualLinks?.list()) ?? []];
  if (all.length > 0 && !to.manualLinks) throw refused(`The engine ${to.engine} keeps no judgements.`);
  for (const { id, undone, ...judgement } of all.slice(there.length)) {
    const given = await to.manualLinks?.add(judgement);
    if (given !== id) throw refused('There are other judgements where this graph is to go.');
    if (undone !== null) await to.manualLinks?.undo(id, undone);
  }
}

async function moveRecords({ from, to, onProgress }: MoveOptions): Promise<void> {
  await copyRecords({ from, to, onProgress });
  const redirects = (await from.moving?.listRedirects()) ?? [];
  const identities = await identitiesFor(from, to);
  const rows = new Map<number, number[]>();
  for (const [row, identity] of identities) rows.set(identity, [...(rows.get(identity) ?? []), row]);
  const clusters = [...rows.values()].filter(({ length }) => length > 1);
  const errorRates = await from.linking.errorRates();
  const bore = await boreFor(from, to);
  await to.records.runAtomically(async () => {
    if ((await from.linking.revision()) !== (await to.moving?.copiedRevision())) throw CHANGED;
    await to.moving?.putNumbers({ identities, redirects, previousNumbers: bore });
    // After the records: who was put in although he was forgotten is there in the other graph too.
    await to.moving?.addSuppressed((await from.moving?.listSuppressed()) ?? []);
    await to.linking.publish({ clusters, revision: await to.linking.revision(), errorRates });
  });
}

/** Puts those that are not there yet, in the order that they have. */
async function copyRecords({ from, to, onProgress }: MoveOptions): Promise<void> {
  const there = keysOf(to);
  let [count, isSame] = [0, true];
  for await (const page of from.records.pages()) {
    const missing: StoredRecord[] = [];
    for (const record of page) {
      const { value: key } = isSame ? await there.next() : { value: undefined };
      if (key === undefined) {
        isSame = false;
        missing.push(storedOf(record));
      } else if (key !== record.key) throw ANOTHER;
    }
    if (missing.length > 0) await to.records.put(missing, { allowReturn: true });
    onProgress?.((count += page.length));
  }
}

async function* keysOf({ records }: RecordGraph): AsyncGenerator<string, undefined> {
  for await (const page of records.pages()) for (const { key } of page) yield key;
  return undefined;
}

function storedOf(from: RecordRow): StoredRecord {
  const { row: _, key: __, identity: ___, ...record } = from;
  return record;
}

/** Of the rows there, the identities that the same records have here: both come in one order. */
async function identitiesFor(from: RecordGraph, to: RecordGraph): Promise<[number, number][]> {
  const identities = new Map<string, number>();
  for await (const page of from.records.pages())
    for (const { key, identity } of page) if (identity !== null) identities.set(key, identity);
  const found: [number, number][] = [];
  for await (const page of to.records.pages())
    for (const { key, row } of page) {
      const identity = identities.get(key);
      if (identity !== undefined) found.push([row, identity]);
    }
  return found;
}

/** The same of who bore numbers that lead elsewhere: those of few records. */
async function boreFor(from: RecordGraph, to: RecordGraph): Promise<[number, number][]> {
  const bore = Map.groupBy((await from.moving?.listPreviousNumbers()) ?? [], ([row]) => row);
  const numbers = new Map<string, number[]>();
  if (bore.size === 0) return [];
  for await (const page of from.records.pages())
    for (const { key, row } of page)
      if (bore.has(row))
        numbers.set(
          key,
          (bore.get(row) ?? []).map(([, it]) => it),
        );
  const found: [number, number][] = [];
  for await (const page of to.records.pages())
    for (const { key, row } of page) for (const number of numbers.get(key) ?? []) found.push([row, number]);
  return found;
}

const COUNTS = ['records', 'identities', 'merged', 'postings'] as const satisfies (keyof GraphStats)[];
/** Answers that are compared, of records spread over all of them. */
const SAMPLE = 500;

/** In what two graphs that should be the same differ, and how many answers of theirs were compared. */
async function differencesOf(
  one: RecordGraph,
  other: RecordGraph,
): Promise<{ differences: string[]; compared: number }> {
  const [mine, theirs] = [await one.stats(), await other.stats()];
  const differences = COUNTS.filter((what) => mine[what] !== theirs[what]).map(
    (what) => `${what} are ${mine[what]} and ${theirs[what]}`,
  );
  let [compared, different] = [0, 0];
  const every = Math.max(1, Math.floor(mine.records / SAMPLE));
  let at = 0;
  for await (const page of one.records.pages())
    for (const record of page) {
      if (at++ % every !== 0) continue;
      compared++;
      if ((await told(one, record)) !== (await told(other, record))) different++;
    }
  if (different > 0) differences.push(`${different} of ${compared} answers`);
  return { differences, compared };
}

/** What a graph tells of somebody: what a check by his name finds, and the identity of a record. */
async function told(graph: RecordGraph, { names: [text], identity }: RecordRow): Promise<string> {
  const name = prepareName(text ?? '');
  const keys =
    text === undefined ? {} : { name: text, nameKeys: nameKeys(name), givenKey: givenNameKey(name) };
  const { identities, ...answer } = await graph.resolve({ ...EMPTY_QUERY, ...keys });
  const card = identity === null ? null : await graph.linking.getIdentity(identity);
  return JSON.stringify([answer, [...identities], card]);
}
