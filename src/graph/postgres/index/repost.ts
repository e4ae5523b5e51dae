import { POSTING_IDS_LIMIT } from '../../graph.ts';
import type { PostgresSession } from '../session.ts';
import { TABLES } from '../write/published.ts';

/** Of one key: the identities that get it, and whether it is of their primary value, or that lose it (null). */
export type Reposting = Map<number, boolean | null>;

/** Who has a key: how many, and by number all of them where they are no more than `SHARE_LIMIT`, else the first. Twice each, plus 1 where primary. */
interface Known {
  share: number;
  holders: number[];
}

/** Changes postings; what comes of it is what publishing all of them anew would give. Answers how many more there are of them. Inside a transaction. */
export async function repost(session: PostgresSession, changes: Map<number, Reposting>): Promise<number> {
  const before = await postingsOf(session, changes.keys());
  const after = new Map<number, Known>();
  const many = new Map<number, Reposting>();
  const grown: [key: number, holder: number][] = [];
  for (const [key, change] of changes) {
    const known = before.get(key) ?? { share: 0, holders: [] };
    if (known.share > POSTING_IDS_LIMIT) {
      many.set(key, change);
      continue;
    }
    const holders = changed(known.holders, change);
    if (holders.length > POSTING_IDS_LIMIT) for (const holder of holders) grown.push([key, holder]);
    after.set(key, { share: holders.length, holders: holders.slice(0, POSTING_IDS_LIMIT) });
  }
  await session.upsert(TABLES.frequent, grown);
  for (const [key, known] of await changedFrequent(session, many, before)) after.set(key, known);
  await write(session, after);
  let more = 0;
  for (const [key, { share }] of after) more += share - (before.get(key)?.share ?? 0);
  return more;
}

async function postingsOf(session: PostgresSession, keys: Iterable<number>): Promise<Map<number, Known>> {
  const rows = await session.query<[number, number, number[]]>(
    `SELECT key, share, coalesce(ids, ARRAY[holder]) FROM bonafide.posting WHERE key = ANY($1::bigint[])`,
    [[...keys]],
  );
  return new Map(rows.map(([key, share, holders]) => [key, { share, holders }]));
}

function changed(holders: number[], change: Reposting): number[] {
  const left = holders.filter((holder) => !change.has(Math.floor(holder / 2)));
  for (const [id, primary] of change) if (primary !== null) left.push(id * 2 + Number(primary));
  return left.sort((a, b) => a - b);
}

const LEFT = `
DELETE FROM bonafide.frequent f USING unnest($1::bigint[], $2::bigint[]) AS a(key, id)
WHERE f.key = a.key AND f.holder >= 2 * a.id AND f.holder <= 2 * a.id + 1 RETURNING f.key`;
const FIRST = `
SELECT a.key, h.holders FROM unnest($1::bigint[]) AS a(key), LATERAL (
  SELECT array_agg(one.holder ORDER BY one.holder) AS holders
  FROM (SELECT holder FROM bonafide.frequent WHERE key = a.key ORDER BY holder LIMIT ${POSTING_IDS_LIMIT}) one
) h`;

/** Of keys that very many have. */
async function changedFrequent(
  session: PostgresSession,
  many: Map<number, Reposting>,
  before: Map<number, Known>,
): Promise<Map<number, Known>> {
  const after = new Map<number, Known>();
  if (many.size === 0) return after;
  const shares = new Map([...many.keys()].map((key) => [key, before.get(key)?.share ?? 0]));
  const count = (key: number, by: number) => void shares.set(key, (shares.get(key) ?? 0) + by);
  const [keys, ids]: [number[], number[]] = [[], []];
  const come: [number, number][] = [];
  for (const [key, change] of many)
    for (const [id, primary] of change) {
      keys.push(key);
      ids.push(id);
      if (primary === null) continue;
      come.push([key, id * 2 + Number(primary)]);
      count(key, 1);
    }
  for (const [key] of await session.query<[number]>(LEFT, [keys, ids])) count(key, -1);
  await session.upsert(TABLES.frequent, come);
  for (const [key, holders] of await session.query<[number, number[] | null]>(FIRST, [[...many.keys()]]))
    after.set(key, { share: shares.get(key) ?? 0, holders: holders ?? [] });
  const few = [...after].filter(([, { share }]) => share <= POSTING_IDS_LIMIT).map(([key]) => key);
  await session.query('DELETE FROM bonafide.frequent WHERE key = ANY($1::bigint[])', [few]);
  return after;
}

async function write(session: PostgresSession, postings: Map<number, Known>): Promise<void> {
  const there = [...postings].filter(([, { share }]) => share > 0);
  const gone = [...postings].filter(([, { share }]) => share === 0).map(([key]) => key);
  await session.upsert(
    TABLES.posting,
    there.map(([key, { share, holders }]) =>
      share === 1 ? [key, 1, holders[0] ?? 0, null] : [key, share, null, holders],
    ),
  );
  await session.query('DELETE FROM bonafide.posting WHERE key = ANY($1::bigint[])', [gone]);
}
