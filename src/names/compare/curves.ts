// Curves through a few points: from a distance to a likelihood, and from a product of likelihoods to a confidence.
import { parseTextTable } from '../tables.ts';

/** Points of a curve, sorted by x. */
export type CurvePoints = readonly (readonly [x: number, y: number])[];

/** Parses a curve from a text table with the columns x and y. */
export function parseCurve(table: string): CurvePoints {
  return parseTextTable(table).map(([x, y]) => [Number(x), Number(y)]);
}

/** Returns the y value of a curve at `x`, and 0 after the last point. `x` must not be before the first point. */
export function interpolateCurve(curve: CurvePoints, x: number): number {
  for (let i = 1; i < curve.length; i++) {
    const [before, after] = [curve[i - 1], curve[i]];
    if (!before || !after || x > after[0]) continue;
    return before[1] + ((after[1] - before[1]) * (x - before[0])) / (after[0] - before[0]);
  }
  return 0;
}

/**
 * Curve from the product of likelihoods (0-1) to confidence (0-100): the percentage of pairs that belong to one person. It was measured on
 * labelled pairs of fourteen types of sources and smoothed by hand. At 0.44 the confidence is 50, although 58 % of the pairs belong to one
 * person, because confusing two people is worse than missing one.
 */
const CONFIDENCE = parseCurve(`
  0 0  0.01 3  0.035 5  0.056 10  0.2 13  0.25 22  0.3 39  0.44 50  0.5 66  0.6 82  0.7 89  0.8 94  0.88 97  0.94 98  1 100
`);

/** Converts a product of likelihoods (0-1) to a confidence (0-100, one decimal). */
export function toNameConfidencePercent(product: number): number {
  return Math.round(10 * interpolateCurve(CONFIDENCE, Math.min(product, 1))) / 10;
}
