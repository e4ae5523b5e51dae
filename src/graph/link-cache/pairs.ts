// Tables of record pairs that linking compared. Each pair is stored in both directions, so that all pairs of a row are found by its number.
import { dirname } from 'node:path';
import { encodeDirectedRowPair, encodeRowPair, decodeRowPair } from '../../link/candidate-pairs.ts';
import { countPairsByComparisonPattern } from '../../link/statistics/comparison-patterns.ts';
import { type Db, createRowWriter } from '../../platform/sqlite.ts';
import { createExternalSort } from '../external-sort.ts';
import type { PairsFoundByLinking, LinkedRecordPair, LinkCache } from '../linking.ts';

type Pair = [a: number, b: number, value: number];

export function openRecordPairTables(
  db: Db,
): Pick<LinkCache, 'listJoinedPairs' | 'replacePairs' | 'countPatterns'> {
  const joinedPairs = db
    .prepare<[number], LinkedRecordPair>('SELECT min(a, b), max(a, b), bits FROM joined WHERE a = ?')
    .raw();
  const patterns = db.prepare<[], [number, number]>('SELECT pattern, pairs FROM pattern').raw();
  const addPattern = db.prepare(
    'INSERT INTO pattern VALUES (?, ?) ON CONFLICT DO UPDATE SET pairs = pairs + excluded.pairs',
  );
  const dropEmptyPatterns = db.prepare('DELETE FROM pattern WHERE pairs <= 0');
  const [joined, measured] = [openPairTable(db, 'joined', 'bits'), openPairTable(db, 'measured', 'pattern')];
  return {
    listJoinedPairs: (row) => joinedPairs.all(row),
    replacePairs({ rows, pairs }, found) {
      const wholeRows = new Set(rows);
      const singlePairs = new Set(pairs.map(([a, b]) => encodeRowPair(a, b)));
      const allRows = new Set([...wholeRows, ...pairs.flat()]);
      const isReplaced = (row: number, other: number) =>
        wholeRows.has(row) || singlePairs.has(encodeRowPair(row, other));
      joined.replace(joined.select(allRows, isReplaced), found.joined);
      const { removed, added } = measured.replace(measured.select(allRows, isReplaced), found.measured);
      for (const [, , pattern] of removed) addPattern.run(pattern, -1);
      for (const [, , pattern] of added) addPattern.run(pattern, 1);
      dropEmptyPatterns.run();
    },
    countPatterns: () => new Map(patterns.all()),
  };
}

function openPairTable(db: Db, table: 'joined' | 'measured', column: 'bits' | 'pattern') {
  const insert = db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`);
  const select = db
    .prepare<[number], [number, number]>(`SELECT b, ${column} FROM ${table} WHERE a = ?`)
    .raw();
  const remove = db.prepare<[number, number]>(`DELETE FROM ${table} WHERE a = ? AND b = ?`);
  return {
    /** Returns the stored pairs with one of these rows for which `filter` returns true. Keys of the map: `encodeRowPair`. */
    select(rows: Iterable<number>, filter: (row: number, other: number) => boolean): Map<number, Pair> {
      const pairs = new Map<number, Pair>();
      for (const row of rows)
        for (const [other, value] of select.all(row))
          if (filter(row, other)) pairs.set(encodeRowPair(row, other), [row, other, value]);
      return pairs;
    },
    /** Replaces stored pairs by those that linking found, and returns the differences. Writes only the differences, because most pairs stay equal. */
    replace(old: ReadonlyMap<number, Pair>, found: Iterable<Pair>): { removed: Pair[]; added: Pair[] } {
      const current = new Map(
        Array.from(found, (pair): [number, Pair] => [encodeRowPair(pair[0], pair[1]), pair]),
      );
      const [removed, added] = [differentPairs(old, current), differentPairs(current, old)];
      for (const [a, b] of removed) {
        remove.run(b, a);
        remove.run(a, b);
      }
      for (const [a, b, value] of added) {
        insert.run(a, b, value);
        insert.run(b, a, value);
      }
      return { removed, added };
    },
  };
}

/** Returns the pairs that `others` lacks, or has with a different value. */
const differentPairs = (pairs: ReadonlyMap<number, Pair>, others: ReadonlyMap<number, Pair>): Pair[] =>
  [...pairs].filter(([id, [, , value]]) => others.get(id)?.[2] !== value).map(([, pair]) => pair);

/** Writes the pairs to the empty tables of the link cache, after all records were linked. */
export function fillRecordPairTables(db: Db, { joined, measured }: PairsFoundByLinking): void {
  fillTable(db, 'joined', joined);
  fillTable(db, 'measured', measured);
  const insert = db.prepare('INSERT INTO pattern VALUES (?, ?)');
  for (const pattern of countPairsByComparisonPattern(measured)) insert.run(pattern);
}

/** Inserts pairs in the order of the table's primary key. In another order, each pair would change another page of the file, which is slow. */
function fillTable(db: Db, table: 'joined' | 'measured', pairs: Iterable<Pair>): void {
  let highest = 0;
  for (const [a, b] of pairs) highest = Math.max(highest, a, b);
  const sort = createExternalSort({
    folder: dirname(db.name),
    low: 0,
    high: encodeDirectedRowPair(highest + 1, 0),
  });
  const values: number[] = [];
  for (const [a, b, value] of pairs) {
    sort.add(encodeDirectedRowPair(a, b), values.length);
    sort.add(encodeDirectedRowPair(b, a), values.length);
    values.push(value);
  }
  const rows = createRowWriter(db, table, 3);
  for (const piece of sort.sortedPieces())
    for (const [i, key] of piece.keys.entries())
      rows.add(...decodeRowPair(key), values[piece.values[i] ?? 0]);
  rows.end();
  sort.drop();
}
