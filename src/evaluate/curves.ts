// The two curves that show every threshold at once.
import { precisionFrom, shareFrom } from './figures.ts';
import { type Interval, intervalsOf, tidy, MOST, type Sample, type Tally, tallyOf } from './sample.ts';

/** A point of a curve, and how far it may move upwards and downwards at that place. */
export interface Point {
  x: number;
  y: number;
  low: number;
  high: number;
}
export interface Curves {
  /** Share of those that are not genuine → share of the genuine that pass with them. */
  roc: Point[];
  /** Share of the genuine that pass → share of the genuine among all who pass, both classes being as common. */
  precision: Point[];
  /** Where single scores stand on both, for marking them. */
  marks: { score: number; genuine: number; not_genuine: number; precision: number }[];
}

/** The bounds of the verdict's words. */
const BANDS = [85, 65, 40];

/** Places along a curve, close together where curves of good scores bend. */
const STEPS = Array.from({ length: 101 }, (_, i) => i / 100);
const FALSE_PASSES = STEPS.map((step) => step ** 2);
const RECALLS = STEPS.slice(1).map((step) => 1 - (1 - step) ** 2);

export function curvesOf(sample: Sample): Curves {
  const tally = tallyOf(sample);
  return {
    roc: pointsAt(FALSE_PASSES, intervalsOf(sample, passing)),
    precision: pointsAt(RECALLS, intervalsOf(sample, precision)),
    marks: BANDS.map((score) => ({
      score,
      genuine: tidy(shareFrom(tally.genuine, score)) ?? 0,
      not_genuine: tidy(shareFrom(tally.notGenuine, score)) ?? 0,
      precision: tidy(precisionFrom(tally, score)) ?? 1,
    })),
  };
}

function pointsAt(places: number[], intervals: Interval[]): Point[] {
  return intervals.flatMap(({ value, low, high }, i) =>
    value === null
      ? []
      : [{ x: tidy(places[i] ?? 1) ?? 1, y: value, low: low ?? value, high: high ?? value }],
  );
}

/** The genuine that pass where so many of the others do. */
function passing({ genuine, notGenuine }: Tally): number[] {
  const corners = cornersOf(notGenuine.scores, genuine.scores);
  return along(corners, FALSE_PASSES);
}

/** The share of the genuine among those who pass where so many of the genuine do. */
function precision({ genuine, notGenuine }: Tally): number[] {
  const corners = cornersOf(genuine.scores, notGenuine.scores);
  const others = along(corners, RECALLS);
  return RECALLS.map((recall, i) => recall / (recall + (others[i] ?? 0)));
}

/** Shares of two classes that reach each score, from the highest score down. */
function cornersOf(xs: Float64Array, ys: Float64Array): [x: number, y: number][] {
  const [totalX, totalY] = [sum(xs), sum(ys)];
  const corners: [number, number][] = [[0, 0]];
  let [x, y] = [0, 0];
  for (let at = MOST; at >= 0; at--) {
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
