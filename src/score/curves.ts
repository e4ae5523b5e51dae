// The curves between what was seen and what it weighs: smooth everywhere, so that no small difference moves the score far.
import type { Agreement, ContactKind, Calibration } from '../model.ts';
import { AGEING, APPROACH, KEY_QUALITY, NAME_CURVE, SHARERS } from './weights.ts';

/** Bits as whole thousandths, rounded to hundredths: sums are exact in any order, and reasons that are printed add up. */
export function millibits(bits: number): number {
  return Math.round(bits * 100) * 10;
}

/** 0-1: how much a value says that so many identities have: all where it is one's alone, nearly nothing of a switchboard. */
export function rarity(share: number, kind: ContactKind): number {
  return 1 / (1 + ((Math.max(1, share) - 1) / SHARERS[kind]) ** 2);
}

/** 0-1: how surely the value is the identity's own. */
export function strength({ type, share }: Agreement, kind: ContactKind): number {
  return KEY_QUALITY[type] * rarity(share, kind);
}

/** 0-1: what is left of a value's say against others, so many years before the newest record. */
export function freshness(years: number, kind: ContactKind): number {
  const left = AGEING.left[kind];
  return left + (1 - left) / (1 + (Math.max(0, years) / AGEING.halfYears) ** 1.5);
}

/** Bits that a name can carry which agrees so much, 0-100. */
export function nameBits(agreement: number): number {
  let below = NAME_CURVE[0] ?? [0, 0];
  for (const above of NAME_CURVE) {
    if (agreement <= above[0]) {
      const run = above[0] - below[0];
      return run === 0 ? above[1] : below[1] + ((agreement - below[0]) * (above[1] - below[1])) / run;
    }
    below = above;
  }
  return below[1];
}

/** 0-1: how likely a name that agrees so much is another person's. */
export function doubtOf(agreement: number): number {
  return 1 / (1 + 2 ** nameBits(agreement));
}

/** Two things that must both hold: the odds against each add up. In bits. */
export function both(a: number, b: number): number {
  return -Math.log2(2 ** -a + 2 ** -b);
}

/** Odds of 2^bits as points of 100. */
export function bitsToPoints(bits: number): number {
  return 100 / (1 + 2 ** -bits);
}

/** Points of 100 as bits. */
export function pointsToBits(points: number): number {
  return Math.log2(points / (100 - points));
}

/** Points under an upper bound: unchanged well below it, then approaching it. */
export function approach(points: number, bound: number): number {
  const from = bound - APPROACH;
  if (bound >= 100 || points <= from) return points;
  return bound - APPROACH * Math.exp((from - points) / APPROACH);
}

// Bits as points of 100, and back. A calibration of one's own bends the scale; see `bonafide calibrate`.
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
