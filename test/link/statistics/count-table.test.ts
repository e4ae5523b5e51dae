import { expect, test } from 'vitest';
import { Random } from '../../../src/generate/random.ts';
import { createCountTable } from '../../../src/link/statistics/count-table.ts';

test('a tally counts as a map does, also of keys that meet in one place and of nought', () => {
  const random = new Random(3, 3, 3);
  const [tally, map] = [createCountTable(), new Map<number, number>()];
  for (let i = 0; i < 30_000; i++) {
    const key = i % 5 === 0 ? 2 ** 32 * random.int(2 ** 20) : i % 7 === 0 ? 0 : random.int(9000);
    const by = 1 + random.int(3);
    tally.add(key, by);
    map.set(key, (map.get(key) ?? 0) + by);
  }
  expect([...tally.entries()]).toEqual([...map].toSorted(([a], [b]) => a - b));
  expect([...tally.counts()].toSorted()).toEqual([...map.values()].toSorted());
  expect(tally.get(9001)).toBe(0);
});
