export interface BoundedCache<K, V> {
  get(key: K): V;
  delete(key: K): void;
  clear(): void;
}

/**
 * Creates a cache for the results of `compute`. It holds `min` to 2 × `min` keys, those used most recently. It has two maps that replace
 * each other, because deleting the oldest entries of one map is slow in V8.
 */
export function createBoundedCache<K, V extends NonNullable<unknown> | null>(
  min: number,
  compute: (key: K) => V,
): BoundedCache<K, V> {
  let [newer, older] = [new Map<K, V>(), new Map<K, V>()];
  return {
    get(key) {
      const cached = newer.get(key);
      if (cached !== undefined) return cached;
      const old = older.get(key);
      const value = old === undefined ? compute(key) : old;
      if (newer.size >= min) [newer, older] = [new Map(), newer];
      newer.set(key, value);
      return value;
    },
    delete(key) {
      newer.delete(key);
      older.delete(key);
    },
    clear() {
      [newer, older] = [new Map(), new Map()];
    },
  };
}
