/** Counts by key, in some twenty bytes a key: a map of V8 takes twice as much, and ends at 16 million entries. */
export interface CountTable {
  /** 0 where nothing was counted. */
  get(key: number): number;
  /** Where another thread finds what has been counted so far; see `tallyIn`. */
  view(): CountTableView;
  /** @param by more than 0 */
  add(key: number, by: number): void;
  counts(): Iterable<number>;
  /** By ascending keys. */
  entries(): Iterable<[key: number, count: number]>;
}

/** In memory that threads share. */
export interface CountTableView {
  keys: Float64Array;
  /** Nought where nobody is. */
  counts: Uint32Array;
}

const FIRST = 1024;
/** Of so many places at most one is taken on the average. */
const ROOM = 1.5;

/** Keys are fingerprints, or sums of two: their lowest bits are as good as random (open addressing, one place after the other). */
export function createCountTable(): CountTable {
  let { keys, counts } = placesFor(FIRST);
  let taken = 0;
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
        if (++taken * ROOM > counts.length) {
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

/** Reads what another thread has counted. */
export function openCountTable({ keys, counts }: CountTableView): (key: number) => number {
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
  // What is cut off here are the highest bits.
  let place = (key >>> 0) & mask;
  while (counts[place] !== 0 && keys[place] !== key) place = (place + 1) & mask;
  return place;
}
