// All tables of the link cache: facts of records, records by linking key, counts, compared pairs, and changed rows.
import { COUNT_TYPES } from '../../link/statistics/link-cache-record.ts';
import { createLinkStatisticsTotals, type LinkStatisticsTotals } from '../../link/statistics/collected.ts';
import { type Db, preparePerConnection } from '../../platform/sqlite.ts';
import type { DataCipher } from '../encryption/cipher.ts';
import type { LinkCache, PendingRecordChanges } from '../linking.ts';
import { openLinkingDataTable } from './facts.ts';
import {
  forEachLinkingKey,
  type LinkCacheMemoryInvalidator,
  openRecordsByLinkingKeyTable,
} from './records-by-key.ts';
import {
  createNestedTransaction,
  clearLinkCacheTables,
  type GraphState,
  isSameGraphState,
  readLinkCacheGraphState,
  readLinkCacheMetadataJson,
  runUnlessLinkCacheFileLocked,
  writeLinkCacheMetadata,
} from './link-file.ts';
import { openRecordPairTables } from './pairs.ts';
import { openRecentLinkCacheChanges, type RecentLinkCacheChanges } from './recent-changes.ts';

export type LinkCacheTables = ReturnType<typeof openLinkCacheTables>;

/**
 * Opens the tables of the link cache file.
 * @param graphState returns the present state of the graph
 */
export function openLinkCacheTables(db: Db, cipher: DataCipher, graphState: () => GraphState) {
  const transaction = createNestedTransaction(db);
  const { getFacts, setFacts, clearCache } = openLinkingDataTable(db, cipher);
  const recent = openRecentLinkCacheChanges(db, getFacts, { onMerge: (keys) => invalidateTables(keys) });
  const {
    removeHolder,
    hasStoredHolder,
    invalidate: invalidateHolders,
    ...holders
  } = openRecordsByLinkingKeyTable(db, recent);
  const { invalidate: invalidateCounts, ...counts } = createCountTableReader(db, recent);
  const invalidateTables = (keys?: number[]) => {
    invalidateHolders(keys);
    invalidateCounts(keys);
  };
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let loadedVersion: number | undefined;
  /** Reads cached values again if another connection has changed the file, or after a rollback. */
  const refresh = () => {
    const version = dataVersion.get();
    if (loadedVersion === version) return;
    clearCache();
    invalidateTables();
    recent.load();
    loadedVersion = version;
  };
  const invalidate = () => (loadedVersion = undefined);
  const cache: Omit<LinkCache, 'publishPart' | 'rebuild' | 'isDiscarded'> = {
    begin() {
      if (runUnlessLinkCacheFileLocked(() => (transaction.begin(), true)) === undefined) return null;
      refresh();
      if (isSameGraphState(readLinkCacheGraphState(db), graphState())) return readPendingRecordChanges(db);
      transaction.rollback();
      return null;
    },
    rollback() {
      transaction.rollback();
      invalidate();
    },
    globals: () => JSON.stringify(readLinkCacheMetadataJson(db, 'globals')),
    totals: () => ({
      ...createLinkStatisticsTotals(),
      ...(readLinkCacheMetadataJson(db, 'totals') as Partial<LinkStatisticsTotals>),
    }),
    setTotals: (totals) => writeLinkCacheMetadata(db, 'totals', JSON.stringify(totals)),
    facts: getFacts,
    replaceFacts(row, facts) {
      const old = getFacts(row);
      if (old) forEachLinkingKey(old, (key, person) => removeHolder(key, { row, person }));
      setFacts(row, facts);
      if (facts) recent.addFacts(row, facts);
      else recent.forgetRow(row);
    },
    ...holders,
    ...counts,
    ...openRecordPairTables(db),
    ...openReweighTable(db),
  };
  return {
    cache,
    hasStoredHolder,
    invalidate,
    refresh,
    commit() {
      recent.save();
      transaction.commit();
    },
    /**
     * Empties the link cache if it was built from another state of the graph, because it may contain erased records. Does nothing if the state of the
     * graph is unknown.
     */
    deleteIfStale() {
      const empty = () => {
        const current = graphState();
        if (current.stamp === '' || isSameGraphState(readLinkCacheGraphState(db), current)) return;
        clearLinkCacheTables(db);
        invalidate();
      };
      db.transaction(empty).immediate();
    },
    mergeRecent() {
      const merge = () => {
        refresh();
        recent.mergeAll();
      };
      db.transaction(merge).immediate();
    },
  };
}

export function readPendingRecordChanges(db: Db): PendingRecordChanges {
  const pending = selectPending(db).all();
  const identities = new Set(pending.flatMap(([, identity]) => identity ?? []));
  return { rows: pending.map(([row]) => row), affectedIdentities: [...identities] };
}

const selectPending = preparePerConnection((db) =>
  db.prepare<[], [number, number | null]>('SELECT row, identity FROM pending ORDER BY row').raw(),
);

function openReweighTable(
  db: Db,
): Pick<LinkCache, 'listRowsToReweigh' | 'addRowsToReweigh' | 'removeRowsToReweigh'> {
  const select = db.prepare<[number], number>('SELECT row FROM due ORDER BY row LIMIT ?').pluck();
  const insert = db.prepare('INSERT OR IGNORE INTO due VALUES (?)');
  const remove = db.prepare('DELETE FROM due WHERE row = ?');
  return {
    listRowsToReweigh: (most) => select.all(Math.min(most, Number.MAX_SAFE_INTEGER)),
    addRowsToReweigh(rows) {
      for (const row of rows) insert.run(row);
    },
    removeRowsToReweigh(rows) {
      for (const row of rows) remove.run(row);
    },
  };
}

function createCountTableReader(
  db: Db,
  recent: Pick<RecentLinkCacheChanges, 'getCount' | 'setCount'>,
): Pick<LinkCache, 'count' | 'setCount'> & LinkCacheMemoryInvalidator {
  const select = db
    .prepare<[number, number], number>('SELECT count FROM tally WHERE what = ? AND key = ?')
    .pluck();
  // Cached, because the comparison of pairs reads the same counts many times.
  const caches = Object.values(COUNT_TYPES).map(() => new Map<number, number>());
  return {
    invalidate(keys) {
      for (const cache of caches)
        if (keys) for (const key of keys) cache.delete(key);
        else cache.clear();
    },
    count(what, key) {
      const known = recent.getCount(what, key) ?? caches[what]?.get(key);
      if (known !== undefined) return known;
      const count = select.get(what, key) ?? 0;
      caches[what]?.set(key, count);
      return count;
    },
    setCount: recent.setCount,
  };
}
