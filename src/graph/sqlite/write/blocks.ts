import { FREQUENT } from '../../../link/blocking.ts';
import type { Db } from '../../../platform/sqlite.ts';

/** Like `Blocks` in graph.ts, but answers at once. */
export interface BlockTables {
  add(entries: [key: number, row: number][]): void;
  groups(): Iterable<{ key: number; rows: number[] }[]>;
  addPairs(pairs: [a: number, b: number][]): void;
  pairs(): Iterable<[a: number, b: number][]>;
  drop(): void;
}

/** Keys and pairs at a time that are handed out together. */
const PAGE = 512;

/**
 * Blocks in temporary tables that SQLite sorts on disk, so that linking needs no memory for them. All in one transaction, which `drop`
 * takes back: a temporary table costs a commit a row otherwise, and the records are read as of one moment.
 */
export function blockTables(db: Db): BlockTables {
  db.exec('BEGIN');
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
      if (!paired) pairUp(db);
      paired = true;
      yield* pairPages(db);
    },
    drop() {
      if (db.inTransaction) db.exec('ROLLBACK');
    },
  };
}

function sortKeys(db: Db): void {
  db.exec(`
    CREATE TEMP TABLE shared (key INTEGER, row INTEGER, rows INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID;
    INSERT INTO temp.shared
      SELECT key, row, rows FROM (SELECT key, row, count(*) OVER (PARTITION BY key) AS rows FROM temp.block)
      WHERE rows > 1 ORDER BY key, row;
    DROP TABLE temp.block`);
}

function pairUp(db: Db): void {
  db.exec(`
    CREATE TEMP TABLE pair AS
      SELECT x.row AS a, y.row AS b FROM temp.shared x JOIN temp.shared y ON y.key = x.key AND y.row > x.row
        WHERE x.rows <= ${FREQUENT}
      UNION SELECT a, b FROM temp.wanted ORDER BY 1, 2`);
}

function* grouped(db: Db): Iterable<{ key: number; rows: number[] }[]> {
  const entries = db.prepare<[], [number, number]>('SELECT key, row FROM temp.shared').raw();
  let page: { key: number; rows: number[] }[] = [];
  let group: { key: number; rows: number[] } | undefined;
  for (const [key, row] of entries.iterate()) {
    if (group?.key === key) {
      group.rows.push(row);
      continue;
    }
    if (page.length === PAGE) {
      yield page;
      page = [];
    }
    group = { key, rows: [row] };
    page.push(group);
  }
  if (page.length > 0) yield page;
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
