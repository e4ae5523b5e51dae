// Bits as points of 100, and back. A calibration of one's own bends the scale; see `bonafide calibrate`.
import type { Calibration } from '../model.ts';
import { pointsToBits, bitsToPoints } from './evidence/curves.ts';

export interface ScoreScale {
  /** Odds of 2^bits as points of 100. */
  points(bits: number): number;
  /** The least bits that reach so many points; infinite where none do. */
  bits(points: number): number;
}

const PLAIN: ScoreScale = { points: bitsToPoints, bits: pointsToBits };

export function createScale(calibration: Calibration | null): ScoreScale {
  if (calibration === null) return PLAIN;
  const { knots } = calibration;
  const back = knots.map(([from, to]) => [to, from] as const);
  const [, highest = 100] = knots.at(-1) ?? [];
  return {
    points: (bits) => interpolate(knots, bitsToPoints(bits)),
    bits: (points) => (points > highest ? Infinity : pointsToBits(interpolate(back, points))),
  };
}

/** A map at a place: on the line between two corners, level beyond the outermost. */
export function interpolate(knots: Calibration['knots'], at: number): number {
  let [below] = knots;
  for (const above of knots) {
    if (at <= above[0]) {
      const [x, y] = below ?? above;
      return above[0] === x ? above[1] : y + ((at - x) * (above[1] - y)) / (above[0] - x);
    }
    below = above;
  }
  return below?.[1] ?? at;
}
