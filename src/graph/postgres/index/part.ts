// Publishing the identities of some records, where all others stay as they are.
import { numberIdentities } from '../../../link/numbers.ts';
import { remembering } from '../../../link/keys.ts';
import { nameTablesDigest } from '../../../names/index.ts';
import type { LinkedPart } from '../../linking.ts';
import { gather } from '../../publish/gather.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import type { Cell } from '../copy.ts';
import { boreAround, writeBore } from '../numbers/bore.ts';
import type { PublishTarget } from '../write/publish.ts';
import { identityCells, publishedKeys, TABLES } from '../write/published.ts';
import { repost, type Reposting } from './repost.ts';
import type { Now } from './steps.ts';

const LINKED = `
UPDATE bonafide.graph SET linked_revision = revision, error_rates = $1, name_tables = $2, linked_at = $3, settled = $4,
  identities = identities + $5::bigint, postings = postings + $6::bigint, stamp = gen_random_uuid()::text, newest = $7
RETURNING identities`;

/**
 * Writes the identities of some records anew, in the transaction that is open. Answers how many there are now, and the graph's state; null, and
 * nothing done, where it is not known what an identity was published with.
 */
export async function publishPart(
  { session, table, keys, steps }: PublishTarget,
  part: LinkedPart,
  { step, came }: Now,
): Promise<{ identities: number; stand: GraphState } | null> {
  const previous = await identitiesOf(session, part.rows);
  const before = new Set([...part.affectedIdentities, ...[...previous.values()].flatMap((id) => id ?? [])]);
  const old = await publishedOf(session, before);
  if (old === null) return null;
  const { leading, ...remembered } = await boreAround(session, { rows: part.rows, numbers: old.keys() });
  const numbering = numberIdentities({
    clusters: part.clusters,
    previous,
    known: new Map([...[...old.keys()].map((id): [number, null] => [id, null]), ...leading]),
    next: await nextNumber(session),
    ...remembered,
  });
  const { identities, redirects } = numbering;
  const [sizes, bereft, changed] = [
    sizesOf(previous),
    new Set(part.affectedIdentities),
    new Set(part.changed),
  ];
  const moved = identities.filter(
    ({ number, rows }) =>
      !old.has(number) ||
      bereft.has(number) ||
      rows.length !== sizes.get(number) ||
      rows.some((row) => changed.has(row) || previous.get(row) !== number),
  );
  const records = new Map(
    (await table.readRows(moved.flatMap(({ rows }) => rows))).map((one) => [one.row, one]),
  );
  const gathering = { of: remembering(keys.fingerprints.of) };
  const changes = new Map<number, Reposting>();
  const [cells, published, members]: Cell[][][] = [[], [], []];
  let last = -Infinity;
  for (const { number, rows } of moved) {
    const gathered = gather(
      rows.flatMap((row) => records.get(row) ?? []),
      gathering,
    );
    const is = publishedKeys(gathered);
    last = Math.max(last, gathered.lastSeen ?? -Infinity);
    cells?.push(identityCells(number, gathered, keys));
    published?.push([number, is]);
    for (const row of rows) members?.push([row, number]);
    noteReposting(changes, { number, was: old.get(number)?.keys ?? [], is });
  }
  for (const [number] of redirects)
    noteReposting(changes, { number, was: old.get(number)?.keys ?? [], is: [] });
  await session.upsert(TABLES.identity, cells ?? []);
  await session.upsert(TABLES.published, published ?? []);
  await session.upsert(TABLES.member, members ?? []);
  const gone = [[...redirects.keys()]];
  await session.query('DELETE FROM bonafide.identity WHERE id = ANY($1::bigint[])', gone);
  await session.query('DELETE FROM bonafide.published WHERE id = ANY($1::bigint[])', gone);
  await session.upsert(TABLES.merged, [...redirects]);
  const lives = [identities.map(({ number }) => number).filter((number) => !old.has(number))];
  await session.query('DELETE FROM bonafide.merged WHERE number = ANY($1::bigint[])', lives);
  await writeBore(session, numbering, remembered.bore);
  const postings = await repost(session, changes);
  const lost = [...old.values()].reduce(
    (latest, { lastSeen }) => Math.max(latest, lastSeen ?? -Infinity),
    -Infinity,
  );
  const [row] = await session.query<[number]>(LINKED, [
    JSON.stringify(part.errorRates),
    nameTablesDigest(),
    new Date().toISOString(),
    part.settled,
    identities.length - old.size,
    postings,
    await newestAfter(session, { last, lost }),
  ]);
  await session.query('INSERT INTO bonafide.changed SELECT $1, row, NULL FROM unnest($2::bigint[]) AS row', [
    step + 1,
    moved.flatMap(({ rows }) => rows),
  ]);
  return { identities: row?.[0] ?? 0, stand: await steps.published(step + 1, came) };
}

type On = PublishTarget['session'];

/** The identity that each of these rows has, in their order; rows that are gone are left out. */
async function identitiesOf(session: On, rows: number[]): Promise<Map<number, number | null>> {
  const found = await session.query<[number, number | null]>(
    'SELECT a.row, m.identity FROM unnest($1::bigint[]) AS a(row) LEFT JOIN bonafide.member m ON m.record = a.row ORDER BY a.row',
    [rows],
  );
  return new Map(found);
}

interface Old {
  lastSeen: number | null;
  keys: number[];
}

/** Those of some identities that are published, and with what; null where that is not known of one. */
async function publishedOf(session: On, numbers: Set<number>): Promise<Map<number, Old> | null> {
  const rows = await session.query<[number, number | null, number[] | null]>(
    'SELECT i.id, i.last_seen, p.keys FROM bonafide.identity i LEFT JOIN bonafide.published p ON p.id = i.id WHERE i.id = ANY($1::bigint[]) ORDER BY i.id',
    [[...numbers]],
  );
  if (rows.some(([, , keys]) => keys === null)) return null;
  return new Map(rows.map(([id, lastSeen, keys]) => [id, { lastSeen, keys: keys ?? [] }]));
}

/** The first number that was never given. */
async function nextNumber(session: On): Promise<number> {
  const [row] = await session.query<[number]>(
    `SELECT greatest((SELECT max(id) FROM bonafide.identity), (SELECT max(number) FROM bonafide.merged), (SELECT max(identity) FROM bonafide.member), 0) + 1`,
  );
  return row?.[0] ?? 1;
}

function sizesOf(previous: Map<number, number | null>): Map<number | null, number> {
  const sizes = new Map<number | null, number>();
  for (const id of previous.values()) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  return sizes;
}

const half = (key: number) => Math.floor(key / 2);

/** @param keys twice each, plus 1 where the value is its primary one */
function noteReposting(
  changes: Map<number, Reposting>,
  { number, was, is }: { number: number; was: number[]; is: number[] },
): void {
  const change = (key: number, primary: boolean | null) => {
    let one = changes.get(key);
    if (!one) changes.set(key, (one = new Map()));
    one.set(number, primary);
  };
  const [had, has] = [new Set(was), new Set(is.map(half))];
  for (const key of was.map(half)) if (!has.has(key)) change(key, null);
  for (const key of is) if (!had.has(key)) change(half(key), key % 2 === 1);
}

/** Only where the newest may be gone are all identities asked. @param seen the last times of those that are written, and of those that were there */
async function newestAfter(
  session: On,
  { last, lost }: { last: number; lost: number },
): Promise<number | null> {
  const [[kept] = [null]] = await session.query<[number | null]>('SELECT newest FROM bonafide.graph');
  const newest = kept ?? -Infinity;
  if (last >= newest) return Number.isFinite(last) ? last : null;
  if (lost < newest) return newest;
  const [[now] = [null]] = await session.query<[number | null]>(
    'SELECT max(last_seen) FROM bonafide.identity',
  );
  return now;
}
