import type { Facts } from '../../../link/counted/facts.ts';
import { NO_TOTALS, type Totals } from '../../../link/counted/survey.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { LinkIndex, Pending } from '../../link-index.ts';
import type { Sealing } from '../../sealing.ts';
import { entriesOf } from './builder.ts';
import { factsFromBytes, factsToBytes } from './facts-bytes.ts';
import { pairTables } from './pairs.ts';
import {
  openedOr,
  readJson,
  sameStand,
  type Stand,
  standOf,
  unlessBusy,
  writeLinkMeta,
} from './link-file.ts';

/** @param stand the graph's own, as it is */
export function indexTables(
  db: Db,
  sealing: Sealing,
  stand: () => Stand,
): Omit<LinkIndex, 'publish' | 'rebuild' | 'isLost'> {
  const { facts, replace } = factTable(db, sealing);
  const { forget, ...tally } = tallyTable(db);
  return {
    begin() {
      if (unlessBusy(() => db.exec('BEGIN IMMEDIATE')) === undefined) return null;
      // What was counted and taken back, or by another process, is not so.
      forget();
      if (sameStand(standOf(db), stand())) return pendingIn(db);
      db.exec('ROLLBACK');
      return null;
    },
    undo() {
      if (db.inTransaction) db.exec('ROLLBACK');
    },
    globals: () => JSON.stringify(readJson(db, 'globals')),
    totals: () => ({
      ...NO_TOTALS(),
      ...(readJson(db, 'totals') as Partial<Totals>),
    }),
    setTotals: (totals) => writeLinkMeta(db, 'totals', JSON.stringify(totals)),
    facts,
    replace,
    ...blockTable(db),
    ...tally,
    ...pairTables(db),
  };
}

function pendingIn(db: Db): Pending {
  const pending = db
    .prepare<[], [number, number | null]>('SELECT row, identity FROM pending ORDER BY row')
    .raw()
    .all();
  const bereft = new Set(pending.flatMap(([, identity]) => identity ?? []));
  return { rows: pending.map(([row]) => row), bereft: [...bereft] };
}

function factTable(db: Db, sealing: Sealing): Pick<LinkIndex, 'facts' | 'replace'> {
  const get = db.prepare<[number], Buffer>('SELECT sealed FROM fact WHERE row = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)');
  const gone = db.prepare('DELETE FROM fact WHERE row = ?');
  const enter = db.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?)');
  const leave = db.prepare('DELETE FROM block WHERE key = ? AND person = ? AND row = ?');
  const facts = (row: number): Facts | null => {
    const sealed = get.get(row);
    return sealed ? factsFromBytes(openedOr(() => sealing.openBytes(sealed))) : null;
  };
  return {
    facts,
    replace(row, now) {
      const before = facts(row);
      if (before) for (const [key, person] of entriesOf(before)) leave.run(key, person, row);
      for (const [key, person] of now ? entriesOf(now) : []) enter.run(key, person, row);
      if (now) put.run(row, sealing.sealBytes(factsToBytes(now)));
      else gone.run(row);
    },
  };
}

function blockTable(db: Db): Pick<LinkIndex, 'behind' | 'named'> {
  const behind = db.prepare<[number, number], { row: number; person: number }>(
    'SELECT row, person FROM block WHERE key = ? LIMIT ?',
  );
  const named = db
    .prepare<[number, number], number>('SELECT row FROM block WHERE key = ? AND person = ?')
    .pluck();
  return {
    behind: (key, most) => behind.all(key, Number.isFinite(most) ? most : -1),
    named: (key, person) => named.all(key, person),
  };
}

function tallyTable(db: Db): Pick<LinkIndex, 'count' | 'setCount'> & { forget(): void } {
  const get = db
    .prepare<[number, number], number>('SELECT count FROM tally WHERE what = ? AND key = ?')
    .pluck();
  const put = db.prepare('INSERT OR REPLACE INTO tally VALUES (?, ?, ?)');
  const gone = db.prepare('DELETE FROM tally WHERE what = ? AND key = ?');
  // Asked pair after pair for what a few records have in common.
  const known = new Map<string, number>();
  return {
    forget: () => known.clear(),
    count(what, key) {
      const name = `${what} ${key}`;
      let count = known.get(name);
      if (count === undefined) known.set(name, (count = get.get(what, key) ?? 0));
      return count;
    },
    setCount(what, key, count) {
      known.clear();
      if (count > 0) put.run(what, key, count);
      else gone.run(what, key);
    },
  };
}
