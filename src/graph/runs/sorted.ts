import type { Entries } from './spilled.ts';

/** Bits that are sorted by at a time. */
const BITS = 11;
const BUCKETS = 2 ** BITS;
/** So many digits are in the lower one of the two numbers that a key is taken apart into. */
const LOWER = 2;
const LOW = 2 ** (LOWER * BITS);

/** Sorts by key; entries of one key stay in their order. */
export function sortedByKey({ keys, values }: Entries): Entries {
  const order = orderOf(keys);
  const found = { keys: new Float64Array(keys.length), values: new Uint32Array(keys.length) };
  for (let i = 0; i < order.length; i++) {
    const from = order[i] ?? 0;
    found.keys[i] = keys[from] ?? 0;
    found.values[i] = values[from] ?? 0;
  }
  return found;
}

/**
 * The places of keys by ascending key; those of one key in their order. Digit by digit from the lowest (Hollerith's radix sort): keys are integers, and
 * those of a piece agree in their highest digits.
 */
export function orderOf(keys: Float64Array): Uint32Array {
  const [low, high, digits] = digitsOf(keys);
  let [order, next] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  for (let i = 0; i < order.length; i++) order[i] = i;
  for (let digit = 0; digit < digits; digit++) {
    distribute(
      { order, into: next },
      digit < LOWER ? low : high,
      BITS * (digit < LOWER ? digit : digit - LOWER),
    );
    [order, next] = [next, order];
  }
  return order;
}

/** Numbers in an order of their places. */
export function inOrderOf(numbers: Float64Array, order: Uint32Array): Float64Array {
  const found = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) found[i] = numbers[order[i] ?? 0] ?? 0;
  return found;
}

/** Keys as two numbers each, less the least of them, and how many digits they have. */
function digitsOf(keys: Float64Array): [low: Uint32Array, high: Uint32Array, digits: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const key of keys) {
    if (key < least) least = key;
    if (key > most) most = key;
  }
  const [low, high] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  for (let i = 0; i < keys.length; i++) {
    const key = (keys[i] ?? 0) - least;
    const above = Math.floor(key / LOW);
    high[i] = above;
    low[i] = key - above * LOW;
  }
  let digits = 0;
  for (let left = most - least; left > 0; left = Math.floor(left / BUCKETS)) digits++;
  return [low, high, digits];
}

const ends = new Uint32Array(BUCKETS);

function distribute(
  { order, into }: { order: Uint32Array; into: Uint32Array },
  word: Uint32Array,
  shift: number,
): void {
  ends.fill(0);
  const mask = BUCKETS - 1;
  for (let i = 0; i < word.length; i++) {
    const bucket = ((word[i] ?? 0) >>> shift) & mask;
    ends[bucket] = (ends[bucket] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < BUCKETS; bucket++)
    ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  for (let i = order.length - 1; i >= 0; i--) {
    const from = order[i] ?? 0;
    const bucket = ((word[from] ?? 0) >>> shift) & mask;
    const place = (ends[bucket] ?? 0) - 1;
    ends[bucket] = place;
    into[place] = from;
  }
}
