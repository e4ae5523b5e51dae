export interface BoundedCache<K, V> {
  /** Returns the cached value of a key, or computes it. */
  get(key: K): V;
  delete(key: K): void;
  clear(): void;
}

/** Caches the results of `compute` for up to `max` keys. A full cache is emptied, so that no key needs a time of its last use. */
export function createBoundedCache<K, V extends {} | null>(
  max: number,
  compute: (key: K) => V,
): BoundedCache<K, V> {
  const values = new Map<K, V>();
  return {
    get(key) {
      const cached = values.get(key);
      if (cached !== undefined) return cached;
      const value = compute(key);
      if (values.size >= max) values.clear();
      values.set(key, value);
      return value;
    },
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
