import { COUNTED, type Facts } from '../../link/counted/facts.ts';
import type { RecordRow } from '../../link/stored.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { indexTables } from './tables.ts';
import { emptyLog, type Held, rewriteAll } from './traces.ts';

/** What erasing asks of the file that remembers linking. */
export interface LinkErasing {
  heldOf(rows: RecordRow[]): Held;
  /** Has anybody this key? */
  isUsed(key: number): boolean;
  emptyLog(): boolean;
  /** Writes anew what is of the graph as it is, and nothing else. */
  rewrite(): void;
}

export function linkErasing(
  db: Db,
  { index, refresh, foldAll, dropStale }: ReturnType<typeof indexTables>,
): LinkErasing {
  const { facts, behind, count } = index;
  const sealed = ['fact WHERE row = ?', 'fact_page WHERE first <= ? ORDER BY first DESC LIMIT 1'].map(
    (where) => db.prepare<[number], Buffer>(`SELECT sealed FROM ${where}`).pluck(),
  );
  // A page that a record is taken out of is sealed anew, so that its beginning is another.
  const sealOf = (row: number) =>
    sealed.flatMap((statement) => statement.get(row)?.subarray(0, 28) ?? []).slice(0, 1);
  return {
    heldOf(rows) {
      refresh();
      return {
        sealed: rows.flatMap(({ row }) => sealOf(row)),
        keys: rows.flatMap(({ row }) => keysIn(facts(row))),
      };
    },
    isUsed(key) {
      refresh();
      const isCounted = (one: number) => Object.values(COUNTED).some((what) => count(what, one) > 0);
      return [key, -key].some((one) => behind(one, 1).length > 0 || isCounted(one));
    },
    emptyLog() {
      // What came last says of records that are gone what was once counted for them.
      foldAll();
      return emptyLog(db);
    },
    rewrite() {
      dropStale();
      rewriteAll(db);
    },
  };
}

function keysIn(facts: Facts | null): number[] {
  if (!facts) return [];
  const { label, contacts, keys, words, counts } = facts;
  const all = [label, ...contacts, ...keys, ...words, ...counts.map(({ key }) => key)];
  return [...new Set(all.map(Math.abs))].filter((key) => key !== 0);
}
