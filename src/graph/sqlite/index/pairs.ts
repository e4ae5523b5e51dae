// The pairs that linking found, each both ways round, so that those of a record are together.
import type { Db } from '../../../platform/sqlite.ts';
import type { Found, JoinedPair, LinkIndex } from '../../link-index.ts';

type Pair = [a: number, b: number, what: number];

export function pairTables(
  db: Db,
): Pick<LinkIndex, 'joinedTo' | 'setFound' | 'patterns'> & { add(found: Found): void } {
  const of = db.prepare<[number], JoinedPair>('SELECT min(a, b), max(a, b), bits FROM joined WHERE a = ?');
  const patterns = db.prepare<[], [number, number]>('SELECT pattern, pairs FROM pattern');
  const tally = db.prepare(
    'INSERT INTO pattern VALUES (?, ?) ON CONFLICT DO UPDATE SET pairs = pairs + excluded.pairs',
  );
  const noneOf = db.prepare('DELETE FROM pattern WHERE pairs <= 0');
  const joined = bothWays(db, 'joined', 'bits');
  const measured = bothWays(db, 'measured', 'pattern');
  const add = (found: Found) => {
    for (const pair of found.joined) joined.put(pair);
    for (const pair of found.measured) {
      measured.put(pair);
      tally.run(pair[2], 1);
    }
  };
  return {
    joinedTo: (row) => of.raw().all(row),
    add,
    setFound({ rows, pairs }, found) {
      const whole = new Set(rows);
      const alone = new Set(pairs.flatMap(([a, b]) => [place(a, b), place(b, a)]));
      for (const row of new Set([...whole, ...pairs.flat()]))
        for (const table of [joined, measured])
          for (const other of table.others(row))
            if (whole.has(row) || alone.has(place(row, other))) {
              const pattern = table.take(row, other);
              if (table === measured) tally.run(pattern, -1);
            }
      add(found);
      noneOf.run();
    },
    patterns: () => new Map(patterns.raw().all()),
  };
}

/** One number for two rows in this order. */
const place = (a: number, b: number) => a * 2 ** 26 + b;

function bothWays(db: Db, table: 'joined' | 'measured', what: 'bits' | 'pattern') {
  const insert = db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`);
  const others = db.prepare<[number], number>(`SELECT b FROM ${table} WHERE a = ?`).pluck();
  const gone = db
    .prepare<[number, number], number>(`DELETE FROM ${table} WHERE a = ? AND b = ? RETURNING ${what}`)
    .pluck();
  return {
    others: (row: number) => others.all(row),
    put([a, b, value]: Pair) {
      insert.run(a, b, value);
      insert.run(b, a, value);
    },
    /** Takes a pair away that is there, and answers what was known of it. */
    take(a: number, b: number): number {
      gone.get(b, a);
      return gone.get(a, b) ?? 0;
    },
  };
}
