import { describe, expect, test } from 'vitest';
import {
  MAX_FULLY_COMPARED_RECORDS,
  addCandidatePairsAndCountPeople,
  decodeRowPair as rowsOfPair,
} from '../../src/link/candidate-pairs.ts';
import type { RecordFieldsByRow } from '../../src/link/statistics/link-cache-record.ts';

const KEY = 17;

/** Rows 0 to `count` - 1, each with what the functions give for it. */
function rowsOf(
  count: number,
  persons: (row: number) => number,
  dated: (row: number) => number,
): RecordFieldsByRow {
  const all = (of: (row: number) => number) => Float64Array.from({ length: count }, (_, row) => of(row));
  return { persons: all(persons), dated: all(dated), orders: all((row) => (row * 7919) % 104_729) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, row) => row);

function shared(key: number, rows: number[], facts: RecordFieldsByRow, perPerson = 2) {
  const pairs: [number, number][] = [];
  const add = (pair: number) => void pairs.push(rowsOfPair(pair));
  return { people: addCandidatePairsAndCountPeople({ key, rows }, { facts, perPerson, add }), pairs };
}

/** How many groups the pairs leave of so many rows. */
function groupsLeft(count: number, pairs: [number, number][]): number {
  const home = upTo(count);
  const of = (row: number): number => (home[row] === row ? row : of(home[row] ?? row));
  for (const [a, b] of pairs) home[of(a)] = of(b);
  return upTo(count).filter((row) => home[row] === row).length;
}

describe('of the records behind one key', () => {
  test('few are all compared', () => {
    const rows = rowsOf(
      10,
      (row) => row,
      () => 0,
    );
    expect(shared(KEY, upTo(10), rows, 2)).toMatchObject({ people: 10 });
    expect(shared(KEY, upTo(10), rows, 2).pairs).toHaveLength(45);
  });

  test('many are compared where they are named alike, and none is cut off', () => {
    const many = MAX_FULLY_COMPARED_RECORDS * 12;
    const rows = rowsOf(
      many,
      (row) => row % 3,
      (row) => row % 5,
    );
    const { people, pairs } = shared(KEY, upTo(many), rows, 2);
    expect(people).toBe(3);
    expect(pairs.every(([a, b]) => a % 3 === b % 3)).toBe(true);
    expect(groupsLeft(many, pairs)).toBe(3);
  });

  test('there are not many more comparisons than records, however many there are', () => {
    // More elements than a call takes arguments.
    const many = 150_000;
    const rows = rowsOf(
      many,
      () => 1,
      (row) => row % 2,
    );
    expect(shared(KEY, upTo(many), rows, 2).pairs.length).toBeLessThan(many * 10);
  });

  test('who shares a weak key with many is not compared for its sake', () => {
    const rows = rowsOf(
      40,
      () => 1,
      () => 0,
    );
    expect(shared(-KEY, upTo(8), rows, 2).pairs).toHaveLength(28);
    expect(shared(-KEY, upTo(40), rows, 2).pairs).toEqual([]);
  });

  test('a weak key reaches further where a person has many records', () => {
    const rows = rowsOf(
      40,
      () => 1,
      () => 0,
    );
    expect(shared(-KEY, upTo(40), rows, 16).pairs).toHaveLength(780);
  });
});
