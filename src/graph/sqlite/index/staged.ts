import type { Db } from '../../../platform/sqlite.ts';
import { type Group, pagesByKey } from '../by-key.ts';

/** Who is behind a key, one row each; see `block` in link-file.ts. */
export type Entry = [key: number, person: number, row: number];

/** The person of what is found under a key that nobody is compared for. */
export const NOBODY = -1;

/** Entries that are written at a time, and that are handed out together, about. */
const CHUNK = 50_000;
const PAGE = 4096;

const COLUMNS = 'key INTEGER NOT NULL, person INTEGER NOT NULL, row INTEGER NOT NULL';

/**
 * Entries in temporary tables that SQLite sorts on disk: no other connection sees them or waits for them. Add first, then read.
 */
export function stagedEntries(db: Db) {
  const drop = (): void => void db.exec('DROP TABLE IF EXISTS temp.staged; DROP TABLE IF EXISTS temp.sorted');
  drop();
  db.exec(`CREATE TEMP TABLE staged (${COLUMNS})`);
  const insert = db.prepare('INSERT INTO temp.staged VALUES (?, ?, ?)');
  let waiting: Entry[] = [];
  let isSorted = false;
  const flush = () => {
    db.transaction(() => {
      for (const [key, person, row] of waiting) insert.run(key, person, row);
    })();
    waiting = [];
  };
  const sort = () => {
    if (isSorted) return;
    isSorted = true;
    flush();
    db.exec(`
      CREATE TEMP TABLE sorted (${COLUMNS}, PRIMARY KEY (key, person, row)) WITHOUT ROWID;
      INSERT INTO temp.sorted SELECT key, person, row FROM temp.staged ORDER BY key, person, row;
      DROP TABLE temp.staged`);
  };
  return {
    add(entry: Entry) {
      waiting.push(entry);
      if (waiting.length >= CHUNK) flush();
    },
    /** Every key that two or more records share whose person is known. */
    *groups() {
      sort();
      yield* grouped(db);
    },
    /** Inside a transaction: puts all of them into the file's own table. */
    moveTo(table: 'block') {
      sort();
      db.exec(`INSERT INTO ${table} SELECT key, person, row FROM temp.sorted ORDER BY key, person, row`);
    },
    drop,
  };
}

function grouped(db: Db): Iterable<Group[]> {
  const end = db.prepare<[number], number>(
    `SELECT key FROM temp.sorted WHERE key > ? ORDER BY key LIMIT 1 OFFSET ${PAGE}`,
  );
  const entries = db.prepare<[number, number], [number, number]>(
    `SELECT key, row FROM (SELECT key, row, count(*) OVER (PARTITION BY key) AS rows FROM temp.sorted
       WHERE key > ? AND key <= ? AND person <> ${NOBODY}) WHERE rows > 1`,
  );
  return pagesByKey({
    lastOf: (after) => end.pluck().get(after) ?? null,
    entries: (after, last) => entries.raw().all(after, last),
  });
}
