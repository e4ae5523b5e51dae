// The product of likelihoods -> a confidence that means what it says.

/** Points of the rising mapping: [product, confidence 0-100]. */
const points: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 100],
];

/** Confidence 0-100 of a product of likelihoods 0-1, with one decimal. */
export function calibrate(product: number): number {
  for (let i = 1; i < points.length; i++) {
    const [right, high] = points[i]!;
    if (product > right) continue;
    const [left, low] = points[i - 1]!;
    return Math.round(10 * (low + ((high - low) * (product - left)) / (right - left))) / 10;
  }
  return points.at(-1)![1];
}
