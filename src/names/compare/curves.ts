// Curves that are drawn by a few points: a distance -> a likelihood, a product of likelihoods -> a confidence that means what it says.

/** Points of a curve: [x, y], x rising. */
export type Curve = readonly (readonly [x: number, y: number])[];

/** Height of a curve at `x`, which is no less than its first point's; 0 beyond its last. */
export function onCurve(curve: Curve, x: number): number {
  for (let i = 1; i < curve.length; i++) {
    const [before, after] = [curve[i - 1], curve[i]];
    if (!before || !after || x > after[0]) continue;
    return before[1] + ((after[1] - before[1]) * (x - before[0])) / (after[0] - before[0]);
  }
  return 0;
}

/**
 * Points of the rising mapping: [product, confidence 0-100]. Read off the share of pairs that are one person's among
 * labelled pairs of fourteen kinds of source, half of them one person's, smoothed by hand to few points. At 0.44, where 58 in a hundred are,
 * it is held down to 50, from which on two names are the same: to take two people for one is worse than to miss one.
 */
const CONFIDENCE: Curve = [
  [0, 0],
  [0.01, 3],
  [0.035, 5],
  [0.056, 10],
  [0.2, 13],
  [0.25, 22],
  [0.3, 39],
  [0.44, 50],
  [0.5, 66],
  [0.6, 82],
  [0.7, 89],
  [0.8, 94],
  [0.88, 97],
  [0.94, 98],
  [1, 100],
];

/** Confidence 0-100 of a product of likelihoods 0-1, with one decimal. */
export function calibrate(product: number): number {
  return Math.round(10 * onCurve(CONFIDENCE, Math.min(product, 1))) / 10;
}
