// Fitting of a rising curve to labelled points, and of the line from bits to odds.

/** A labelled point. Weights make both classes count alike. */
export interface Point {
  x: number;
  real: boolean;
  weight: number;
}

interface Pool {
  from: number;
  to: number;
  real: number;
  all: number;
}

/** Fits a rising share of real cases, by pooling adjacent violators (Ayer et al., 1955). */
export function isotonic(points: readonly Point[]): Pool[] {
  const pools: Pool[] = [];
  for (const { x, real, weight } of points.toSorted((a, b) => a.x - b.x)) {
    const last = pools.at(-1);
    const one = { from: x, to: x, real: real ? weight : 0, all: weight };
    if (last?.to === x) merge(last, one);
    else pools.push(one);
  }
  for (let i = 1; i < pools.length; i++) {
    const [before, here] = [pools[i - 1], pools[i]];
    if (!before || !here || share(before) < share(here)) continue;
    merge(before, here);
    pools.splice(i, 1);
    i = Math.max(0, i - 2);
  }
  return pools;
}

function merge(pool: Pool, other: Pool): void {
  pool.to = other.to;
  pool.real += other.real;
  pool.all += other.all;
}

const share = ({ real, all }: Pool) => real / all;

/** Returns the log2 odds of being real in a pool, with `half` added to the count of either class. */
export function bitsOfPool({ real, all }: Pool, half: number): number {
  return Math.log2((real + half) / (all - real + half));
}

/** Fits a logistic regression of `real` on `x`, in log2, by Newton's method. */
export function line(points: readonly Point[]): { start: number; slope: number } {
  let [start, slope] = [0, 1];
  for (let round = 0; round < 30; round++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
    for (const { x, real, weight } of points) {
      const said = 1 / (1 + 2 ** -(start + slope * x));
      const off = weight * (Number(real) - said);
      const bend = weight * said * (1 - said) * Math.LN2;
      g0 += off;
      g1 += off * x;
      h00 += bend;
      h01 += bend * x;
      h11 += bend * x * x;
    }
    const det = h00 * h11 - h01 * h01;
    start += (h11 * g0 - h01 * g1) / det;
    slope += (h00 * g1 - h01 * g0) / det;
  }
  return { start, slope };
}
