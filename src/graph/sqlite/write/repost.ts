import { onceFor } from '../../../platform/sqlite.ts';
import type { Db } from '../../../platform/sqlite.ts';
import { POSTING_IDS_LIMIT } from '../../graph.ts';
import { pack, type Packed, unpack } from '../postings.ts';

/** Of one key: the identities that get it, and whether it is of their primary value, or that lose it (null). */
export type Reposting = Map<number, boolean | null>;

/**
 * Changes postings in place; what comes of it is what packing them all anew would give. Answers how many more there are of them.
 * Errors: `damaged_database`.
 */
export function repost(db: Db, changes: Map<number, Reposting>): number {
  const table = tableOf(db);
  let more = 0;
  for (const [key, change] of changes) more += table.change(key, change);
  return more;
}

const tableOf = onceFor(postingTable);

function postingTable(db: Db) {
  const get = db.prepare<[number], Packed>('SELECT ids FROM posting WHERE key = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO posting VALUES (?, ?)');
  const gone = db.prepare('DELETE FROM posting WHERE key = ?');
  const frequent = db.prepare<[number], [number, number]>(
    'SELECT id, meta FROM frequent WHERE key = ? ORDER BY id',
  );
  const first = db.prepare<[number], [number, number]>(
    `SELECT id, meta FROM frequent WHERE key = ? ORDER BY id LIMIT ${POSTING_IDS_LIMIT}`,
  );
  const enter = db.prepare('INSERT OR REPLACE INTO frequent VALUES (?, ?, ?)');
  const leave = db.prepare('DELETE FROM frequent WHERE key = ? AND id = ?');
  const leaveAll = db.prepare('DELETE FROM frequent WHERE key = ?');
  const write = (key: number, share: number, ids: [number, number][]) => {
    if (share === 0) gone.run(key);
    else put.run(key, pack(share, ids));
  };

  const ofMany = (key: number, change: Reposting, share: number): number => {
    let now = share;
    for (const [id, primary] of change) {
      const left = leave.run(key, id).changes;
      if (primary !== null) enter.run(key, id, Number(primary));
      now += Number(primary !== null) - left;
    }
    if (now > POSTING_IDS_LIMIT) {
      write(key, now, first.raw().all(key));
    } else {
      write(key, now, frequent.raw().all(key));
      leaveAll.run(key);
    }
    return now - share;
  };
  const ofFew = (key: number, change: Reposting, known: Map<number, number>): number => {
    const before = known.size;
    for (const [id, primary] of change)
      if (primary === null) known.delete(id);
      else known.set(id, Number(primary));
    const ids = [...known].sort(([a], [b]) => a - b);
    if (ids.length > POSTING_IDS_LIMIT) for (const [id, meta] of ids) enter.run(key, id, meta);
    write(key, ids.length, ids.slice(0, POSTING_IDS_LIMIT));
    return ids.length - before;
  };
  return {
    change(key: number, change: Reposting): number {
      const { share, ids, primary } = unpack(key, get.get(key) ?? null);
      if (share > POSTING_IDS_LIMIT) return ofMany(key, change, share);
      return ofFew(key, change, new Map(ids.map((id, i) => [id, Number(primary[i])])));
    },
  };
}
