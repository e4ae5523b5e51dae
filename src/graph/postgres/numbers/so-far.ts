// Which numbers identities have so far.
import type { PostgresSession } from '../session.ts';

/** Rows that are read at a time. */
const PAGE = 20_000;

/** What `numberIdentities` goes by. @param through rows beyond it are none of those that were linked */
export async function numbersSoFar(session: PostgresSession, through: number) {
  const all = await pairsOf(
    session,
    'SELECT r.id, m.identity FROM bonafide.record r LEFT JOIN bonafide.member m ON m.record = r.id WHERE r.id > $1 ORDER BY r.id',
  );
  const previous = through < Infinity ? new Map([...all].filter(([row]) => row <= through)) : all;
  const known = await pairsOf(
    session,
    'SELECT id, NULL FROM bonafide.identity WHERE id > $1 ORDER BY id',
    'SELECT number, heir FROM bonafide.merged WHERE number > $1 ORDER BY number',
  );
  let highest = 0;
  for (const identity of all.values()) highest = Math.max(highest, identity ?? 0);
  return { previous, known, next: highest + 1 };
}

/** All rows of two columns, page by page after the first of them. */
async function pairsOf(session: PostgresSession, ...texts: string[]): Promise<Map<number, number | null>> {
  const pairs = new Map<number, number | null>();
  for (const text of texts)
    for (let [after, got] = [0, PAGE]; got === PAGE;) {
      const rows = await session.query<[number, number | null]>(`${text} LIMIT ${PAGE}`, [after]);
      for (const pair of rows) pairs.set(...pair);
      after = rows.at(-1)?.[0] ?? 0;
      got = rows.length;
    }
  return pairs;
}
