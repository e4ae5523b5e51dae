// The pairs that linking found, each both ways round, so that those of a record are together.
import { pairOf } from '../../../link/pairs.ts';
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
      const alone = new Set(pairs.map(([a, b]) => pairOf(a, b)));
      const asked = new Set([...whole, ...pairs.flat()]);
      const isAsked = (row: number, other: number) => whole.has(row) || alone.has(pairOf(row, other));
      for (const [table, all] of [
        [joined, found.joined],
        [measured, found.measured],
      ] as const) {
        const counted = (pattern: number, by: number) => table === measured && tally.run(pattern, by);
        const before = beforeOf(table, asked, isAsked);
        const now = new Map(
          Array.from(all, ([a, b, value]): [number, Pair] => [pairOf(a, b), [a, b, value]]),
        );
        for (const [a, b, value] of unlike(before, now)) {
          table.take(a, b);
          counted(value, -1);
        }
        for (const pair of unlike(now, before)) {
          table.put(pair);
          counted(pair[2], 1);
        }
      }
      noneOf.run();
    },
    patterns: () => new Map(patterns.raw().all()),
  };
}

/** The pairs of a table that are asked for: most stay as they are, and each that is written costs two pages. */
function beforeOf(
  table: Pick<ReturnType<typeof bothWays>, 'of'>,
  rows: Iterable<number>,
  isAsked: (row: number, other: number) => boolean,
): Map<number, Pair> {
  const before = new Map<number, Pair>();
  for (const row of rows)
    for (const [other, value] of table.of(row))
      if (isAsked(row, other)) before.set(pairOf(row, other), [row, other, value]);
  return before;
}

/** Those of which the others do not say the same. */
const unlike = (some: ReadonlyMap<number, Pair>, others: ReadonlyMap<number, Pair>): Pair[] =>
  [...some].filter(([pair, [, , value]]) => others.get(pair)?.[2] !== value).map(([, pair]) => pair);

function bothWays(db: Db, table: 'joined' | 'measured', what: 'bits' | 'pattern') {
  const insert = db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`);
  const of = db.prepare<[number], [number, number]>(`SELECT b, ${what} FROM ${table} WHERE a = ?`).raw();
  const gone = db.prepare<[number, number]>(`DELETE FROM ${table} WHERE a = ? AND b = ?`);
  return {
    of: (row: number) => of.all(row),
    put([a, b, value]: Pair) {
      insert.run(a, b, value);
      insert.run(b, a, value);
    },
    take(a: number, b: number) {
      gone.run(b, a);
      gone.run(a, b);
    },
  };
}
