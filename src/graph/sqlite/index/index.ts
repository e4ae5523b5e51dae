import { NO_TOTALS, type Totals } from '../../../link/counted/survey.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { LinkIndex, Pending } from '../../link-index.ts';
import type { Sealing } from '../../sealing.ts';
import { entriesOf } from './builder.ts';
import { blockTable } from './blocks.ts';
import { factTable } from './facts.ts';
import { pairTables } from './pairs.ts';
import {
  type Piece,
  pieceOf,
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
): Omit<LinkIndex, 'publish' | 'rebuild' | 'isLost'> & Pick<Piece, 'keep'> {
  const piece = pieceOf(db);
  const facts = factTable(db, sealing);
  const { enter, leave, ...blocks } = blockTable(db);
  const { forget, ...tally } = tallyTable(db);
  return {
    begin() {
      if (unlessBusy(() => (piece.begin(), true)) === undefined) return null;
      // What was counted and taken back, or by another process, is not so.
      forget();
      facts.forget();
      if (sameStand(standOf(db), stand())) return pendingIn(db);
      piece.undo();
      return null;
    },
    keep: piece.keep,
    undo() {
      piece.undo();
      facts.forget();
    },
    globals: () => JSON.stringify(readJson(db, 'globals')),
    totals: () => ({
      ...NO_TOTALS(),
      ...(readJson(db, 'totals') as Partial<Totals>),
    }),
    setTotals: (totals) => writeLinkMeta(db, 'totals', JSON.stringify(totals)),
    facts: facts.get,
    replace: replacing({ enter, leave }, facts),
    ...blocks,
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

/** Puts facts in the place of others, and what is found by them too. */
function replacing(
  { enter, leave }: Pick<ReturnType<typeof blockTable>, 'enter' | 'leave'>,
  facts: ReturnType<typeof factTable>,
): LinkIndex['replace'] {
  return (row, now) => {
    const before = facts.get(row);
    for (const [key, person] of before ? entriesOf(before) : []) leave(key, { row, person });
    for (const [key, person] of now ? entriesOf(now) : []) enter(key, { row, person });
    facts.set(row, now);
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
