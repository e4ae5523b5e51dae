/** Table of counts by key, which needs about 20 bytes per key. A Map needs twice as much and is limited to 16 million entries. */
export interface CountTable {
  /** Returns the count of a key; 0 for an unknown key. */
  get(key: number): number;
  /** Returns the table's shared memory, from which another thread can read counts. */
  view(): CountTableView;
  /**
   * Increases the count of a key.
   *
   * @param by increment, more than 0
   */
  add(key: number, by: number): void;
  counts(): Iterable<number>;
  /** Returns all entries, sorted by key. */
  entries(): Iterable<[key: number, count: number]>;
}

export interface CountTableView {
  keys: Float64Array;
  /** Count in each slot of the hash table; 0 for an empty slot. */
  counts: Uint32Array;
}

const FIRST = 1024;
/** Minimum number of slots (free or used) per key; free slots keep look-ups fast. */
const ROOM = 1.5;

/**
 * Creates a hash table with open addressing and linear probing. The keys are fingerprints, or sums of two; their lowest bits are random enough
 * to serve as the hash.
 */
export function createCountTable(): CountTable {
  let { keys, counts } = placesFor(FIRST);
  let usedSlots = 0;
  const placeOf = (key: number) => placeIn(keys, counts, key);
  const grow = () => {
    const [oldKeys, oldCounts] = [keys, counts];
    ({ keys, counts } = placesFor(oldKeys.length * 2));
    for (const [i, count] of oldCounts.entries()) {
      if (count === 0) continue;
      const key = oldKeys[i] ?? 0;
      const place = placeOf(key);
      keys[place] = key;
      counts[place] = count;
    }
  };
  const get = (key: number) => counts[placeOf(key)] ?? 0;
  return {
    get,
    view: () => ({ keys, counts }),
    add(key, by) {
      let place = placeOf(key);
      if (counts[place] === 0) {
        if (++usedSlots * ROOM > counts.length) {
          grow();
          place = placeOf(key);
        }
        keys[place] = key;
      }
      counts[place] = (counts[place] ?? 0) + by;
    },
    *counts() {
      for (const count of counts) if (count > 0) yield count;
    },
    *entries() {
      const all = keys.filter((_, i) => counts[i] !== 0).sort();
      for (const key of all) yield [key, get(key)];
    },
  };
}

export function createCountTableReader({ keys, counts }: CountTableView): (key: number) => number {
  return (key) => counts[placeIn(keys, counts, key)] ?? 0;
}

function placesFor(places: number): CountTableView {
  return {
    keys: new Float64Array(new SharedArrayBuffer(places * Float64Array.BYTES_PER_ELEMENT)),
    counts: new Uint32Array(new SharedArrayBuffer(places * Uint32Array.BYTES_PER_ELEMENT)),
  };
}

function placeIn(keys: Float64Array, counts: Uint32Array, key: number): number {
  const mask = counts.length - 1;
  // The shift keeps the low 32 bits of the key.
  let place = (key >>> 0) & mask;
  while (counts[place] !== 0 && keys[place] !== key) place = (place + 1) & mask;
  return place;
}
