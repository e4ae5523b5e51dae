// The two curves that show every threshold at once.
import { computePrecision, computeShareFrom } from './figures.ts';
import {
  type ConfidenceInterval,
  computeIntervals,
  roundMetric,
  MAX_SCORE,
  type ScoreSample,
  type ScoreTally,
  countScores,
} from './sample.ts';

/** A point of a curve, and how far it may move upwards and downwards at that place. */
export interface CurvePoint {
  x: number;
  y: number;
  low: number;
  high: number;
}
export interface EvaluationCurves {
  /** Share of those that are not genuine → share of the genuine that pass with them. */
  roc: CurvePoint[];
  /** Share of the genuine that pass → share of the genuine among all who pass, both classes being as common. */
  precision: CurvePoint[];
  /** Where single scores stand on both, for marking them. */
  marks: { score: number; genuine: number; not_genuine: number; precision: number }[];
}

/** The bounds of the verdict's words. */
const BANDS = [85, 65, 40];

/** Places along a curve, close together where curves of good scores bend. */
const STEPS = Array.from({ length: 101 }, (_, i) => i / 100);
const FALSE_PASSES = STEPS.map((step) => step ** 2);
const RECALLS = STEPS.slice(1).map((step) => 1 - (1 - step) ** 2);

export function computeCurves(sample: ScoreSample): EvaluationCurves {
  const tally = countScores(sample);
  return {
    roc: pointsAt(FALSE_PASSES, computeIntervals(sample, passing)),
    precision: pointsAt(RECALLS, computeIntervals(sample, precision)),
    marks: BANDS.map((score) => ({
      score,
      genuine: roundMetric(computeShareFrom(tally.genuine, score)) ?? 0,
      not_genuine: roundMetric(computeShareFrom(tally.notGenuine, score)) ?? 0,
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

/** The genuine that pass where so many of the others do. */
function passing({ genuine, notGenuine }: ScoreTally): number[] {
  const corners = cornersOf(notGenuine.scores, genuine.scores);
  return along(corners, FALSE_PASSES);
}

/** The share of the genuine among those who pass where so many of the genuine do. */
function precision({ genuine, notGenuine }: ScoreTally): number[] {
  const corners = cornersOf(genuine.scores, notGenuine.scores);
  const others = along(corners, RECALLS);
  return RECALLS.map((recall, i) => recall / (recall + (others[i] ?? 0)));
}

/** Shares of two classes that reach each score, from the highest score down. */
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

/** The height at each of some rising places: on the line between the corners on both sides, of a vertical piece the upper end. */
function along(corners: [x: number, y: number][], places: number[]): number[] {
  let next = 0;
  return places.map((x) => {
    while (next < corners.length && (corners[next]?.[0] ?? 1) <= x) next++;
    const [fromX, fromY] = corners[next - 1] ?? [0, 0];
    const [toX, toY] = corners[next] ?? [fromX, fromY];
    return toX === fromX ? fromY : fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX);
  });
}
