import type { BlockStore } from '../link/link.ts';
import type { Db } from './database.ts';

/** Keeps (key, row) pairs in a temporary table that SQLite sorts on disk, so that linking needs no memory for them. */
export function blockStore(db: Db): BlockStore {
  db.exec('DROP TABLE IF EXISTS temp.block; CREATE TEMP TABLE block (key INTEGER, row INTEGER)');
  const insert = db.prepare('INSERT INTO temp.block VALUES (?, ?)');
  const shared = db.prepare('SELECT key, row FROM temp.block ORDER BY key, row').raw();
  return {
    add: (key, row) => void insert.run(key, row),
    *groups() {
      let key: number | null = null;
      let rows: number[] = [];
      for (const [next, row] of shared.iterate() as IterableIterator<[number, number]>) {
        if (next !== key) {
          if (key !== null && rows.length > 1) yield { key, rows };
          key = next;
          rows = [];
        }
        rows.push(row);
      }
      if (key !== null && rows.length > 1) yield { key, rows };
    },
  };
}
