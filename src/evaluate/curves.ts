import { computePrecision, computeShareReachingScore } from './figures.ts';
import {
  type ConfidenceInterval,
  computeConfidenceIntervals,
  roundMetric,
  MAX_SCORE,
  type PackedScoresByClass,
  type ScoreCountsByClass,
  countScores,
} from './sample.ts';

/** Point of a curve, with the confidence interval of y. */
export interface CurvePoint {
  x: number;
  y: number;
  low: number;
  high: number;
}
export interface EvaluationCurves {
  /** ROC curve. x is the share of non-genuine cases that pass, y the share of genuine cases that pass at the same score. */
  roc: CurvePoint[];
  /**
   * Precision curve. x is the share of genuine cases that pass, y the share of genuine cases among all that pass, if both classes are equally
   * common.
   */
  precision: CurvePoint[];
  /** Scores that are marked on both curves. `genuine` and `not_genuine` are the shares (0-1) of cases that reach the score. */
  marks: { score: number; genuine: number; not_genuine: number; precision: number }[];
}

/** Minimum scores of the verdict words. */
const BANDS = [85, 65, 40];

/** Evenly spaced numbers from 0 to 1. */
const STEPS = Array.from({ length: 101 }, (_, i) => i / 100);
/**
 * Positions (0-1) of the points of the ROC and the precision curve. They are closer together where the curves of good scores bend: near 0, and near 1.
 */
const FALSE_PASSES = STEPS.map((step) => step ** 2);
const RECALLS = STEPS.slice(1).map((step) => 1 - (1 - step) ** 2);

export function computeCurves(sample: PackedScoresByClass): EvaluationCurves {
  const tally = countScores(sample);
  return {
    roc: pointsAt(FALSE_PASSES, computeConfidenceIntervals(sample, passing)),
    precision: pointsAt(RECALLS, computeConfidenceIntervals(sample, precision)),
    marks: BANDS.map((score) => ({
      score,
      genuine: roundMetric(computeShareReachingScore(tally.genuine, score)) ?? 0,
      not_genuine: roundMetric(computeShareReachingScore(tally.notGenuine, score)) ?? 0,
      precision: roundMetric(computePrecision(tally, score)) ?? 1,
    })),
  };
}

function pointsAt(places: number[], intervals: ConfidenceInterval[]): CurvePoint[] {
  return intervals.flatMap(({ value, low, high }, i) =>
    value === null
      ? []
      : [{ x: roundMetric(places[i] ?? 1) ?? 1, y: value, low: low ?? value, high: high ?? value }],
  );
}

/** Returns the share of genuine cases that reach the score, for each share of non-genuine cases that reach it (`FALSE_PASSES`). */
function passing({ genuine, notGenuine }: ScoreCountsByClass): number[] {
  const corners = cornersOf(notGenuine.scores, genuine.scores);
  return along(corners, FALSE_PASSES);
}

/** Returns the precision for each recall (share of genuine cases that pass). */
function precision({ genuine, notGenuine }: ScoreCountsByClass): number[] {
  const corners = cornersOf(genuine.scores, notGenuine.scores);
  const others = along(corners, RECALLS);
  return RECALLS.map((recall, i) => recall / (recall + (others[i] ?? 0)));
}

/** Returns the corners of a curve: the shares of both classes that reach each score, from the highest score to the lowest. */
function cornersOf(xs: Float64Array, ys: Float64Array): [x: number, y: number][] {
  const [totalX, totalY] = [sum(xs), sum(ys)];
  const corners: [number, number][] = [[0, 0]];
  let [x, y] = [0, 0];
  for (let at = MAX_SCORE; at >= 0; at--) {
    x += xs[at] ?? 0;
    y += ys[at] ?? 0;
    corners.push([x / totalX, y / totalY]);
  }
  return corners;
}

const sum = (list: Float64Array) => list.reduce((total, one) => total + one, 0);

/**
 * Returns the y values of a curve at ascending x positions, interpolated linearly between its corners. Where the curve is vertical, returns the
 * upper end.
 */
function along(corners: [x: number, y: number][], places: number[]): number[] {
  let next = 0;
  return places.map((x) => {
    while (next < corners.length && (corners[next]?.[0] ?? 1) <= x) next++;
    const [fromX, fromY] = corners[next - 1] ?? [0, 0];
    const [toX, toY] = corners[next] ?? [fromX, fromY];
    return toX === fromX ? fromY : fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX);
  });
}
