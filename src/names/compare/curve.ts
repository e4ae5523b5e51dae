// Curves that are drawn by a few points.

/** Points of a curve: [x, y], x rising. */
export type Curve = readonly (readonly [x: number, y: number])[];

/** Height of the straight line between two points. */
export function between([x0, y0]: Curve[number], [x1, y1]: Curve[number], x: number): number {
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** Height of a curve at `x`, which is no less than its first point's; 0 beyond its last. */
export function onCurve(curve: Curve, x: number): number {
  let before = curve[0];
  for (const after of curve) {
    if (before && before !== after && x <= after[0]) return between(before, after, x);
    before = after;
  }
  return 0;
}
