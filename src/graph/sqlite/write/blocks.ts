import type { Db } from '../../../platform/sqlite.ts';
import { type Group, pagesByKey } from '../by-key.ts';

/** Like `Blocks` in graph.ts, but answers at once. */
export interface BlockTables {
  add(entries: [key: number, row: number][]): void;
  groups(): Iterable<{ key: number; rows: number[] }[]>;
  addPairs(pairs: [a: number, b: number][]): void;
  pairs(): Iterable<[a: number, b: number][]>;
  drop(): void;
}

/** Pairs that are handed out together, and (key, row) pairs, about. */
const PAGE = 512;
const ENTRIES = 4096;

/**
 * Blocks in temporary tables that SQLite sorts on disk, so that linking needs no memory for them. All in one transaction, or
 * in a part of the one that is open, which `drop` takes back: a temporary table costs a commit a row otherwise, and the records are read as of one moment.
 */
export function blockTables(db: Db): BlockTables {
  const inside = db.inTransaction;
  db.exec(inside ? 'SAVEPOINT blocks' : 'BEGIN');
  db.exec(
    'CREATE TEMP TABLE block (key INTEGER, row INTEGER); CREATE TEMP TABLE wanted (a INTEGER, b INTEGER)',
  );
  const insert = db.prepare<[number, number]>('INSERT INTO temp.block VALUES (?, ?)');
  const insertPair = db.prepare<[number, number]>('INSERT INTO temp.wanted VALUES (?, ?)');
  let paired = false;
  return {
    add(entries) {
      for (const [key, row] of entries) insert.run(key, row);
    },
    *groups() {
      sortKeys(db);
      yield* grouped(db);
    },
    addPairs(pairs) {
      for (const [a, b] of pairs) insertPair.run(Math.min(a, b), Math.max(a, b));
    },
    *pairs() {
      if (!paired) sortPairs(db);
      paired = true;
      yield* pairPages(db);
    },
    drop() {
      if (!db.inTransaction) return;
      db.exec(inside ? 'ROLLBACK TO blocks; RELEASE blocks' : 'ROLLBACK');
    },
  };
}

function sortKeys(db: Db): void {
  db.exec(`
    CREATE TEMP TABLE shared (key INTEGER, row INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID;
    INSERT INTO temp.shared
      SELECT key, row FROM (SELECT key, row, count(*) OVER (PARTITION BY key) AS rows FROM temp.block)
      WHERE rows > 1 ORDER BY key, row;
    DROP TABLE temp.block`);
}

function sortPairs(db: Db): void {
  db.exec(`
    CREATE TEMP TABLE pair AS SELECT DISTINCT a, b FROM temp.wanted ORDER BY 1, 2;
    DROP TABLE temp.wanted`);
}

function grouped(db: Db): Iterable<Group[]> {
  const end = db.prepare<[number], number>(
    `SELECT key FROM temp.shared WHERE key > ? ORDER BY key LIMIT 1 OFFSET ${ENTRIES}`,
  );
  const entries = db.prepare<[number, number], [number, number]>(
    'SELECT key, row FROM temp.shared WHERE key > ? AND key <= ? ORDER BY key, row',
  );
  return pagesByKey({
    lastOf: (after) => end.pluck().get(after) ?? null,
    entries: (after, last) => entries.raw().all(after, last),
  });
}

function* pairPages(db: Db): Iterable<[number, number][]> {
  const page = db
    .prepare<[number], [number, number]>(
      `SELECT a, b FROM temp.pair WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
    )
    .raw();
  for (let after = 0; ; after += PAGE) {
    const pairs = page.all(after);
    if (pairs.length > 0) yield pairs;
    if (pairs.length < PAGE) return;
  }
}
