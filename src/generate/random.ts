// Deterministic random numbers: each depends only on the seed and on the thing that it is drawn for, not on earlier draws.

const GOLDEN = 0x9e3779b9;

/** Mixes the bits of a 32-bit number (finaliser of MurmurHash3; Austin Appleby, public domain). */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Computes a 32-bit integer from the seed, the purpose (`stream`) and the id of the generated item. */
export function hashToRandomInteger(seed: number, stream: number, id: number): number {
  return mix(mix(seed + Math.imul(stream + 1, GOLDEN)) ^ mix(id + GOLDEN));
}

/** Sequence of pseudo-random numbers for one generated item. */
export class Random {
  #state: number;

  constructor(seed: number, stream: number, id: number) {
    this.#state = hashToRandomInteger(seed, stream, id);
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + GOLDEN) | 0;
    return mix(this.#state) / 0x1_0000_0000;
  }

  /** Returns an integer from 0 (inclusive) to `below` (exclusive). */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Returns an integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + this.int(high - low + 1);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return getItemAt(list, this.int(list.length));
  }

  /** Draws an item of the list. A `skew` above 1 makes the first items more likely; 1 makes all equally likely. */
  pickEarly<T>(list: readonly T[], skew: number): T {
    return getItemAt(list, Math.floor(list.length * this.next() ** skew));
  }

  pickWeighted<T>({ items, sums }: WeightedChoices<T>): T {
    return getItemAt(items, findIntervalIndex(sums, this.next() * (sums.at(-1) ?? 0)));
  }
}

/** Items to draw from, and the running sums of their weights. */
export interface WeightedChoices<T> {
  items: readonly T[];
  sums: readonly number[];
}

export function createWeightedChoices<T>(pairs: Iterable<readonly [T, number]>): WeightedChoices<T> {
  const items: T[] = [];
  const sums: number[] = [];
  let sum = 0;
  for (const [item, weight] of pairs) {
    items.push(item);
    sums.push((sum += weight));
  }
  return { items, sums };
}

/** Returns the first index whose running sum is above the value. */
export function findIntervalIndex(sums: readonly number[], value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < (sums[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function getItemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`a list of ${list.length} items has no index ${index}`);
  return item;
}

/** Permutation of the integers 0 to size - 1 that is computed instead of stored. */
export interface Permutation {
  at(index: number): number;
  placeOf(value: number): number;
}

/**
 * Creates the permutation of 0 to `size` - 1 that the number `key` selects; `size` is at most 2^32. A Feistel network of four rounds permutes the
 * next larger power of four. Results beyond `size` are permuted again ("cycle walking": Black and Rogaway, Ciphers with Arbitrary Finite Domains,
 * 2002).
 */
export function createPermutation(size: number, key: number): Permutation {
  let half = 1;
  while (4 ** half < size) half++;
  const mask = 2 ** half - 1;
  const keys = [0, 1, 2, 3].map((round) => hashToRandomInteger(key, 77, round));
  const round = (value: number, k: number) => mix(value ^ k) & mask;
  const forth = (value: number) => {
    let [left, right] = [Math.floor(value / (mask + 1)), value & mask];
    for (const k of keys) [left, right] = [right, (left ^ round(right, k)) & mask];
    return left * (mask + 1) + right;
  };
  const back = (value: number) => {
    let [left, right] = [Math.floor(value / (mask + 1)), value & mask];
    for (let i = keys.length - 1; i >= 0; i--)
      [left, right] = [(right ^ round(left, getItemAt(keys, i))) & mask, left];
    return left * (mask + 1) + right;
  };
  const walk = (step: (value: number) => number) => (from: number) => {
    let value = step(from);
    while (value >= size) value = step(value);
    return value;
  };
  return { at: walk(forth), placeOf: walk(back) };
}
