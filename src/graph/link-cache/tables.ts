import { NO_TOTALS, type Totals } from '../../link/counted/survey.ts';
import { type Db, onceFor } from '../../platform/sqlite.ts';
import type { LinkCache, PendingChanges } from '../linking.ts';
import type { Sealing } from '../encryption/sealing.ts';
import { entriesOf, type Young, youngEntries } from './recent-entries.ts';
import { blockTable, type Forgetting } from './blocks.ts';
import { COUNTED } from '../../link/counted/facts.ts';
import { factTable } from './facts.ts';
import { pairTables } from './pairs.ts';
import {
  LINK_TABLES,
  pieceOf,
  readJson,
  sameStand,
  type Stand,
  standOf,
  unlessBusy,
  writeLinkMeta,
} from './link-file.ts';

/** @param stand the graph's own, as it is */
export function indexTables(db: Db, sealing: Sealing, stand: () => Stand) {
  const piece = pieceOf(db);
  const facts = factTable(db, sealing);
  const young = youngEntries(db, facts.get, { onFold: (keys) => forgetTables(keys) });
  const { leave, forget: forgetBlocks, ...blocks } = blockTable(db, young);
  const { forget: forgetCounts, ...tally } = tallyTable(db, young);
  const forgetTables = (keys?: number[]) => {
    forgetBlocks(keys);
    forgetCounts(keys);
  };
  const changedBy = db.prepare<[], number>('PRAGMA data_version').pluck();
  let known: number | undefined;
  /** After another connection wrote, or what was written was taken back, nothing that is at hand is so. */
  const refresh = () => {
    const now = changedBy.get();
    if (known === now) return;
    facts.forget();
    forgetTables();
    young.load();
    known = now;
  };
  const forget = () => (known = undefined);
  const index: Omit<LinkCache, 'publishPart' | 'rebuild' | 'isDiscarded'> = {
    begin() {
      if (unlessBusy(() => (piece.begin(), true)) === undefined) return null;
      refresh();
      if (sameStand(standOf(db), stand())) return pendingIn(db);
      piece.undo();
      return null;
    },
    rollback() {
      piece.undo();
      forget();
    },
    globals: () => JSON.stringify(readJson(db, 'globals')),
    totals: () => ({
      ...NO_TOTALS(),
      ...(readJson(db, 'totals') as Partial<Totals>),
    }),
    setTotals: (totals) => writeLinkMeta(db, 'totals', JSON.stringify(totals)),
    facts: facts.get,
    replaceFacts: replacing({ young, leave }, facts),
    ...blocks,
    ...tally,
    ...pairTables(db),
    ...dueTable(db),
  };
  return {
    index,
    forget,
    refresh,
    keep() {
      young.keep();
      piece.keep();
    },
    /** Throws away what is not of the graph as it is, where that is known: it may be of records that are gone. */
    dropStale() {
      const drop = () => {
        const now = stand();
        if (now.stamp === '' || sameStand(standOf(db), now)) return;
        for (const table of ['meta', ...LINK_TABLES]) db.exec(`DELETE FROM ${table}`);
        forget();
      };
      db.transaction(drop).immediate();
    },
    /** Everything lies in its tables, as of one moment. */
    foldAll() {
      const fold = () => {
        refresh();
        young.foldAll();
      };
      db.transaction(fold).immediate();
    },
  };
}

/** What was put or taken out since the records were linked last. */
export function pendingIn(db: Db): PendingChanges {
  const pending = allPending(db).all();
  const bereft = new Set(pending.flatMap(([, identity]) => identity ?? []));
  return { rows: pending.map(([row]) => row), affectedIdentities: [...bereft] };
}

function dueTable(db: Db): Pick<LinkCache, 'listRowsToReweigh' | 'addRowsToReweigh' | 'removeRowsToReweigh'> {
  const some = db.prepare<[number], number>('SELECT row FROM due ORDER BY row LIMIT ?').pluck();
  const put = db.prepare('INSERT OR IGNORE INTO due VALUES (?)');
  const gone = db.prepare('DELETE FROM due WHERE row = ?');
  return {
    listRowsToReweigh: (most) => some.all(Math.min(most, Number.MAX_SAFE_INTEGER)),
    addRowsToReweigh(rows) {
      for (const row of rows) put.run(row);
    },
    removeRowsToReweigh(rows) {
      for (const row of rows) gone.run(row);
    },
  };
}

const allPending = onceFor((db) =>
  db.prepare<[], [number, number | null]>('SELECT row, identity FROM pending ORDER BY row').raw(),
);

/** Puts facts in the place of others, and what is found by them too. */
function replacing(
  { young, leave }: Pick<ReturnType<typeof blockTable>, 'leave'> & { young: Young },
  facts: ReturnType<typeof factTable>,
): LinkCache['replaceFacts'] {
  return (row, now) => {
    const before = facts.get(row);
    for (const [key, person] of before ? entriesOf(before) : []) leave(key, { row, person });
    facts.set(row, now);
    if (now) young.enter(row, now);
    else young.forgetRow(row);
  };
}

function tallyTable(db: Db, young: Young): Pick<LinkCache, 'count' | 'setCount'> & Forgetting {
  const get = db
    .prepare<[number, number], number>('SELECT count FROM tally WHERE what = ? AND key = ?')
    .pluck();
  // Asked pair after pair for what a few records have in common.
  const known = Object.values(COUNTED).map(() => new Map<number, number>());
  return {
    forget(keys) {
      for (const one of known)
        if (keys) for (const key of keys) one.delete(key);
        else one.clear();
    },
    count(what, key) {
      const last = young.count(what, key);
      if (last !== undefined) return last;
      const before = known[what]?.get(key);
      if (before !== undefined) return before;
      const count = get.get(what, key) ?? 0;
      known[what]?.set(key, count);
      return count;
    },
    setCount: young.setCount,
  };
}
