import { describe, expect, test } from 'vitest';
import {
  MAX_FULLY_COMPARED_RECORDS,
  addCandidatePairsAndCountPeople,
  decodeRowPair as rowsOfPair,
} from '../../src/link/candidate-pairs.ts';
import type { RecordFieldsByRow } from '../../src/link/statistics/link-cache-record.ts';

const KEY = 17;

/** Returns rows 0 to `count` - 1, each with the results of the functions. */
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

/** Returns the number of groups that remain when the pairs join `count` rows. */
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

  test('of many, only records of one name are compared, and their pairs join all of them', () => {
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

  test('the number of comparisons is proportional to the number of records', () => {
    // More elements than a function call accepts as arguments.
    const many = 150_000;
    const rows = rowsOf(
      many,
      () => 1,
      (row) => row % 2,
    );
    expect(shared(KEY, upTo(many), rows, 2).pairs.length).toBeLessThan(many * 10);
  });

  test('a weak key with many records leads to no comparison', () => {
    const rows = rowsOf(
      40,
      () => 1,
      () => 0,
    );
    expect(shared(-KEY, upTo(8), rows, 2).pairs).toHaveLength(28);
    expect(shared(-KEY, upTo(40), rows, 2).pairs).toEqual([]);
  });

  test('a weak key leads to comparisons of many records if each person has many', () => {
    const rows = rowsOf(
      40,
      () => 1,
      () => 0,
    );
    expect(shared(-KEY, upTo(40), rows, 16).pairs).toHaveLength(780);
  });
});
