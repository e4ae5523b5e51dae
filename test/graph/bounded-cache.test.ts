import { expect, test } from 'vitest';
import { createBoundedCache } from '../../src/link/bounded-cache.ts';

/** Returns a cache and the list of the keys that it computed. */
function createCountedCache(min: number) {
  const computed: number[] = [];
  const cache = createBoundedCache(min, (id: number) => (computed.push(id), id === 0 ? null : `value ${id}`));
  return { computed, cache };
}

test('a value is computed once, null too, until the cache is cleared', () => {
  const { computed, cache } = createCountedCache(10);
  expect([1, 0, 1, 0].map(cache.get)).toEqual(['value 1', null, 'value 1', null]);
  expect(computed).toEqual([1, 0]);
  cache.clear();
  expect(cache.get(1)).toBe('value 1');
  expect(computed).toEqual([1, 0, 1]);
});

test('at most twice the bound is cached, and values that are used again stay', () => {
  const { computed, cache } = createCountedCache(100);
  for (let id = 1; id <= 1000; id++) {
    cache.get(id);
    cache.get(1);
  }
  expect(computed).toHaveLength(1000);
  for (let id = 1000; id > 0; id--) cache.get(id);
  expect(computed.length - 1000).toBeGreaterThanOrEqual(1000 - 200);
});
