import { remembering } from '../../../link/keys.ts';
import { numberIdentities, type Numbering } from '../../../link/numbers.ts';
import { nameTablesDigest } from '../../../names/index.ts';
import type { Partition } from '../../linking.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import { gather } from '../../publish/gather.ts';
import { type StagedKeys, stageKeys } from '../../publish/staged.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { binaryRows, type Cell } from '../copy.ts';
import type { Now, Steps } from '../index/steps.ts';
import type { PostgresSession } from '../session.ts';
import { allBore, writeBore } from '../numbers/bore.ts';
import { numbersSoFar } from '../numbers/so-far.ts';
import { identityCells, publishedKeys, TABLES } from './published.ts';
import type { RecordTable } from '../../sql/incoming.ts';
import { type Replacing, replacing } from './replaced.ts';

export interface PublishTarget {
  session: PostgresSession;
  table: RecordTable;
  keys: GraphKeys;
  steps: Steps;
  /** Where sorted runs are kept. */
  folder: string;
}

/** Identities whose records are read together. */
const TOGETHER = 1000;

export interface Read {
  /** What held for all records, as linking found it; null: it is not remembered. */
  globals: string | null;
  /** The state of the graph in which its records were read, and the highest row there was; null where that is not known. */
  from: { stand: GraphState; through: number } | null;
}

export interface Published {
  identities: number;
  stand: GraphState;
  /** Rows that changed since the records were read. */
  late: number[];
}

/**
 * Brings identities and postings to what the partition says, in the transaction that is open: others see it when that ends, all at once. Only rows
 * that differ are written. See `publish` in graph.ts.
 */
export async function publish(
  target: PublishTarget,
  partition: Partition,
  { globals, from }: Read,
): Promise<Published | null> {
  const { session, steps } = target;
  const { revision, errorRates } = partition;
  const [graph] = await session.query<[number, number, boolean]>(
    'SELECT revision, identities, EXISTS (SELECT 1 FROM bonafide.member) FROM bonafide.graph',
  );
  const late = String(graph?.[0]) === revision ? [] : await lateOf(steps, from);
  if (late === null || !graph) return null;
  const through = late.length > 0 && from ? from.through : Infinity;
  // Records that came from another engine have their identities already.
  const isEmpty = graph[1] === 0 && !graph[2];
  const numbers = await numbersSoFar(session, through);
  const isThere = (row: number) => late.length === 0 || numbers.previous.has(row);
  const clusters = partition.clusters.map((rows) => rows.filter(isThere)).filter(({ length }) => length > 0);
  const bore = await allBore(session);
  const numbering = numberIdentities({ ...numbers, clusters, bore });
  const before = await steps.now();
  const step = {
    before: before?.globals === globals && !isEmpty ? before : null,
    number: (before?.step ?? 0) + 1,
  };
  const keys = stageKeys(target.folder);
  try {
    await writeIdentities(target, numbering, {
      keys,
      isEmpty,
      through,
      noting: step.before && step.number,
      onProgress: partition.onProgress,
    });
    const postings = await writePostings(session, keys, isEmpty);
    await writeRedirects(session, numbering.redirects);
    await writeBore(session, numbering, bore);
    const count = numbering.identities.length;
    await session.query(LINKED, [
      JSON.stringify(errorRates),
      nameTablesDigest(),
      new Date().toISOString(),
      count,
      postings,
      globals,
    ]);
    return { identities: count, stand: await stepTo(steps, globals, step), late };
  } finally {
    keys.drop();
  }
}

/** Null where it is not known what changed since. */
async function lateOf(steps: Steps, from: Read['from']): Promise<number[] | null> {
  const since = from && (await steps.since(from.stand));
  return since && [...new Set(since.rows.map(([row]) => row))].sort((a, b) => a - b);
}

/** Where what holds for all is as before, others need only what was noted; else they link all anew, as after a graph that nothing is remembered of. */
async function stepTo(
  steps: Steps,
  globals: string | null,
  { before, number }: { before: Now | null; number: number },
): Promise<GraphState> {
  if (before) return steps.published(number, before.came);
  await steps.clear();
  return globals === null ? NOWHERE : steps.published(number, 0);
}

const NOWHERE: GraphState = { stamp: '', revision: '', linkedAt: '' };

const LINKED = `
UPDATE bonafide.graph SET linked_revision = revision, error_rates = $1, name_tables = $2, linked_at = $3, identities = $4, postings = $5, globals = $6, settled = true,
  stamp = gen_random_uuid()::text,
  newest = (SELECT max(last_seen) FROM bonafide.identity)`;

interface Writing {
  keys: StagedKeys;
  isEmpty: boolean;
  /** Rows beyond it keep what they have. */
  through: number;
  /** Under which number records are noted whose identity is another one now. */
  noting: number | null;
  onProgress: Partition['onProgress'];
}

async function writeIdentities(
  target: PublishTarget,
  { identities }: Numbering,
  { keys: staged, isEmpty, through, noting, onProgress }: Writing,
): Promise<void> {
  const { session, table, keys } = target;
  const identity = await replacing(session, TABLES.identity, isEmpty);
  const member = await replacing(session, TABLES.member, isEmpty);
  const published = await replacing(session, TABLES.published, isEmpty);
  const gathering = { of: remembering(keys.fingerprints.of) };
  for (let at = 0; at < identities.length; at += TOGETHER) {
    onProgress?.(at / identities.length);
    const some = identities.slice(at, at + TOGETHER);
    const read = await table.readRows(some.flatMap(({ rows }) => rows));
    const records = new Map(read.map((record) => [record.row, record]));
    const [cells, keysOf]: [Cell[][], Cell[][]] = [[], []];
    for (const { number, rows } of some) {
      const gathered = gather(
        rows.flatMap((row) => records.get(row) ?? []),
        gathering,
      );
      for (const [key, primary] of gathered.postings) staged.add(key, number, primary);
      cells.push(identityCells(number, gathered, keys));
      keysOf.push([number, publishedKeys(gathered)]);
    }
    await identity.add(cells);
    await published.add(keysOf);
    await member.add(some.flatMap(({ number, rows }) => rows.map((row) => [row, number])));
  }
  await endAll([identity, published]);
  if (noting !== null) await session.query(MOVED, [noting]);
  await member.end(through < Infinity ? `t.record <= ${through}` : undefined);
}

const MOVED = `
INSERT INTO bonafide.changed SELECT $1, s.record, NULL
FROM pg_temp.staged_member s LEFT JOIN bonafide.member t ON t.record = s.record WHERE t.identity IS DISTINCT FROM s.identity`;

const endAll = async (all: Replacing[]) => {
  for (const one of all) await one.end();
};

async function writePostings(session: PostgresSession, keys: StagedKeys, isEmpty: boolean): Promise<number> {
  const posting = await replacing(session, TABLES.posting, isEmpty);
  const frequent = await replacing(session, TABLES.frequent, isEmpty);
  let postings = 0;
  for (const some of keys.pieces()) {
    const [rows, many]: [Cell[][], Cell[][]] = [[], []];
    for (const { key, share, holders, all } of some) {
      postings += share;
      rows.push(share === 1 ? [key, 1, holders[0] ?? 0, null] : [key, share, null, holders]);
      for (const holder of all) many.push([key, holder]);
    }
    await posting.add(rows);
    if (many.length > 0) await frequent.add(many);
  }
  await endAll([posting, frequent]);
  return postings;
}

async function writeRedirects(session: PostgresSession, redirects: Numbering['redirects']): Promise<void> {
  await session.query('DELETE FROM bonafide.merged');
  await session.copy('bonafide.merged (number, heir)', binaryRows(redirects));
}
