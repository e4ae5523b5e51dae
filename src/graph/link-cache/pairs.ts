// The pairs that linking found, each both ways round, so that those of a record are together.
import { dirname } from 'node:path';
import { directed, pairOf, rowsOf } from '../../link/pairs.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { FoundPairs, JoinedPair, LinkCache } from '../linking.ts';
import { createExternalSort } from '../external-sort.ts';

type Pair = [a: number, b: number, what: number];

export function openPairTables(
  db: Db,
): Pick<LinkCache, 'listJoinedPairs' | 'replacePairs' | 'countPatterns'> {
  const of = db.prepare<[number], JoinedPair>('SELECT min(a, b), max(a, b), bits FROM joined WHERE a = ?');
  const patterns = db.prepare<[], [number, number]>('SELECT pattern, pairs FROM pattern');
  const tally = db.prepare(
    'INSERT INTO pattern VALUES (?, ?) ON CONFLICT DO UPDATE SET pairs = pairs + excluded.pairs',
  );
  const noneOf = db.prepare('DELETE FROM pattern WHERE pairs <= 0');
  const joined = bothWays(db, 'joined', 'bits');
  const measured = bothWays(db, 'measured', 'pattern');
  return {
    listJoinedPairs: (row) => of.raw().all(row),
    replacePairs({ rows, pairs }, found) {
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
    countPatterns: () => new Map(patterns.raw().all()),
  };
}

/** Fills empty tables. */
export function fillPairs(db: Db, { joined, measured }: FoundPairs): void {
  fill(db, 'joined', joined);
  fill(db, 'measured', measured);
  const patterns = new Map<number, number>();
  for (const [, , pattern] of measured) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  const tally = db.prepare('INSERT INTO pattern VALUES (?, ?)');
  for (const pattern of patterns) tally.run(pattern);
}

/** In the order of the table: in any other, each of very many pairs would ask for a page that has left the cache. */
function fill(db: Db, table: 'joined' | 'measured', pairs: Iterable<Pair>): void {
  let highest = 0;
  for (const [a, b] of pairs) highest = Math.max(highest, a, b);
  const sorting = createExternalSort({ folder: dirname(db.name), low: 0, high: directed(highest + 1, 0) });
  const said: number[] = [];
  for (const [a, b, value] of pairs) {
    sorting.add(directed(a, b), said.length);
    sorting.add(directed(b, a), said.length);
    said.push(value);
  }
  const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
  for (const piece of sorting.sortedPieces()) {
    const { keys, values } = piece;
    for (const [i, key] of keys.entries()) insert.run(...rowsOf(key), said[values[i] ?? 0]);
  }
  sorting.drop();
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
