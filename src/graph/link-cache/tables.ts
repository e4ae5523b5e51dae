import { NO_TOTALS, type Totals } from '../../link/counted/survey.ts';
import { type Db, onceFor } from '../../platform/sqlite.ts';
import type { LinkCache, PendingChanges } from '../linking.ts';
import type { Sealing } from '../encryption/sealing.ts';
import { keysOfFacts, type RecentEntries, createRecentEntries } from './recent-entries.ts';
import { openBlockTable, type MemoryCache } from './blocks.ts';
import { COUNTED } from '../../link/counted/facts.ts';
import { openFactTable } from './facts.ts';
import { openPairTables } from './pairs.ts';
import {
  LINK_TABLES,
  createNestedTransaction,
  readLinkMetaJson,
  isSameGraphState,
  type GraphState,
  readGraphState,
  runUnlessBusy,
  writeLinkMeta,
} from './link-file.ts';

/** @param stand the graph's own, as it is */
export function openLinkCacheTables(db: Db, sealing: Sealing, stand: () => GraphState) {
  const piece = createNestedTransaction(db);
  const facts = openFactTable(db, sealing);
  const young = createRecentEntries(db, facts.get, { onFold: (keys) => forgetTables(keys) });
  const { leave, invalidate: forgetBlocks, ...blocks } = openBlockTable(db, young);
  const { invalidate: forgetCounts, ...tally } = tallyTable(db, young);
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
      if (runUnlessBusy(() => (piece.begin(), true)) === undefined) return null;
      refresh();
      if (isSameGraphState(readGraphState(db), stand())) return readPendingChanges(db);
      piece.rollback();
      return null;
    },
    rollback() {
      piece.rollback();
      forget();
    },
    globals: () => JSON.stringify(readLinkMetaJson(db, 'globals')),
    totals: () => ({
      ...NO_TOTALS(),
      ...(readLinkMetaJson(db, 'totals') as Partial<Totals>),
    }),
    setTotals: (totals) => writeLinkMeta(db, 'totals', JSON.stringify(totals)),
    facts: facts.get,
    replaceFacts: replacing({ young, leave }, facts),
    ...blocks,
    ...tally,
    ...openPairTables(db),
    ...dueTable(db),
  };
  return {
    index,
    forget,
    refresh,
    keep() {
      young.save();
      piece.commit();
    },
    /** Throws away what is not of the graph as it is, where that is known: it may be of records that are gone. */
    dropStale() {
      const drop = () => {
        const now = stand();
        if (now.stamp === '' || isSameGraphState(readGraphState(db), now)) return;
        for (const table of ['meta', ...LINK_TABLES]) db.exec(`DELETE FROM ${table}`);
        forget();
      };
      db.transaction(drop).immediate();
    },
    /** Everything lies in its tables, as of one moment. */
    foldAll() {
      const fold = () => {
        refresh();
        young.mergeAll();
      };
      db.transaction(fold).immediate();
    },
  };
}

/** What was put or taken out since the records were linked last. */
export function readPendingChanges(db: Db): PendingChanges {
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
  { young, leave }: Pick<ReturnType<typeof openBlockTable>, 'leave'> & { young: RecentEntries },
  facts: ReturnType<typeof openFactTable>,
): LinkCache['replaceFacts'] {
  return (row, now) => {
    const before = facts.get(row);
    for (const [key, person] of before ? keysOfFacts(before) : []) leave(key, { row, person });
    facts.set(row, now);
    if (now) young.addFacts(row, now);
    else young.forgetRow(row);
  };
}

function tallyTable(db: Db, young: RecentEntries): Pick<LinkCache, 'count' | 'setCount'> & MemoryCache {
  const get = db
    .prepare<[number, number], number>('SELECT count FROM tally WHERE what = ? AND key = ?')
    .pluck();
  // Asked pair after pair for what a few records have in common.
  const known = Object.values(COUNTED).map(() => new Map<number, number>());
  return {
    invalidate(keys) {
      for (const one of known)
        if (keys) for (const key of keys) one.delete(key);
        else one.clear();
    },
    count(what, key) {
      const last = young.getCount(what, key);
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
