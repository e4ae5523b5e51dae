import type { BlockStore } from '../link/link.ts';
import type { Db } from './database.ts';

/**
 * Keeps (key, row) pairs in temporary tables that SQLite sorts on disk, so that linking needs no memory for them. `add` everything
 * first; the first `groups` sorts once, and keeps the keys that two or more rows share.
 */
export function blockStore(db: Db): BlockStore & { drop(): void } {
  const drop = () => void db.exec('DROP TABLE IF EXISTS temp.block; DROP TABLE IF EXISTS temp.shared');
  drop();
  db.exec('CREATE TEMP TABLE block (key INTEGER, row INTEGER)');
  const insert = db.prepare('INSERT INTO temp.block VALUES (?, ?)');
  let sorted = false;
  const sort = () => {
    db.exec(`
      CREATE TEMP TABLE shared AS
        SELECT key, row FROM (SELECT key, row, count(*) OVER (PARTITION BY key) AS rows FROM temp.block)
        WHERE rows > 1 ORDER BY key, row;
      DROP TABLE temp.block`);
    sorted = true;
  };
  return {
    add: (key, row) => void insert.run(key, row),
    *groups() {
      if (!sorted) sort();
      const pairs = db.prepare('SELECT key, row FROM temp.shared ORDER BY rowid').raw();
      let key: number | null = null;
      let rows: number[] = [];
      for (const [next, row] of pairs.iterate() as IterableIterator<[number, number]>) {
        if (next !== key) {
          if (key !== null) yield { key, rows };
          key = next;
          rows = [];
        }
        rows.push(row);
      }
      if (key !== null) yield { key, rows };
    },
    drop,
  };
}
