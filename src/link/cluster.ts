import type { Rows } from './rows.ts';

/** Two records that the pair comparison holds for one person. */
export interface Edge {
  a: number;
  b: number;
  /** How strongly: a match weight in bits. */
  bits: number;
  /** The orders of the two, the lower first: what decides between edges of one strength. See `orderOf`. */
  low: number;
  high: number;
}

/** The record of the lower order comes first, so that nothing depends on which was imported first. @param orders see `orderOf` */
export function edgeOf(
  [one, two]: [number, number],
  bits: number,
  orders: Pick<Rows, 'orders'>['orders'],
): Edge {
  const [x, y] = [orders[one] ?? 0, orders[two] ?? 0];
  return x < y ? { a: one, b: two, bits, low: x, high: y } : { a: two, b: one, bits, low: y, high: x };
}

/** What speaks for two records being one person, in bits, before the odds of any two; -Infinity where they can't be. */
export type Support = (a: number, b: number) => number | Promise<number>;

/** Of two clusters the members support each other at least so much, on the average of all pairs: in bits. */
const MEAN = 0;
/** One pair says no more than this for or against. */
const MOST = 16;
/** Of the pairs between two large clusters so many are looked at. */
const PAIRS = 2048;

/**
 * Joins records along edges, strongest first, but never two clusters of which any two members conflict, nor two whose members on
 * the average speak against each other: a record with little more than a name may be two people's, and must not make them one.
 * The result depends on the edges only, not on their order.
 *
 * Returns the members of each cluster of two or more. Greedy agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 */
export async function cluster(edges: Edge[], support: Support): Promise<number[][]> {
  const ordered = edges.toSorted((x, y) => y.bits - x.bits || x.low - y.low || x.high - y.high);
  const home = new Map<number, number[]>();
  const of = (node: number) => home.get(node) ?? [node];
  for (const { a, b } of ordered) {
    const [one, two] = [of(a), of(b)];
    if (one === two || one.includes(b)) continue;
    if ((await meanSupport(one, two, support)) < MEAN) continue;
    const [into, from] = one.length < two.length ? [two, one] : [one, two];
    into.push(...from);
    for (const node of home.has(into[0] ?? 0) ? from : into) home.set(node, into);
  }
  return [...new Set(home.values())];
}

async function meanSupport(one: number[], two: number[], support: Support): Promise<number> {
  const step = Math.max(1, Math.ceil((one.length * two.length) / PAIRS));
  let [sum, pairs] = [0, 0];
  for (let place = 0; place < one.length * two.length; place += step) {
    const told = support(one[Math.floor(place / two.length)] ?? 0, two[place % two.length] ?? 0);
    const bits = typeof told === 'number' ? told : await told;
    if (bits === -Infinity) return bits;
    // In whole hundredths, which add up to the same in any order.
    sum += Math.round(100 * Math.max(-MOST, Math.min(MOST, bits)));
    pairs++;
  }
  return sum / pairs / 100;
}
