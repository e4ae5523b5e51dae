import { Random } from '../generate/random.ts';
// Bootstrap confidence intervals: how far a metric would vary with other cases of the same kind.

/** Value of a metric, and its confidence interval from resampling. The bounds are null if there are too few cases, or without resampling. */
export interface ConfidenceInterval {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** Confidence level (0-1) of the intervals of metrics. The reliability curve uses a lower level, as is customary. */
const METRIC_CONFIDENCE_LEVEL = 0.95;
export const CURVE_CONFIDENCE_LEVEL = 0.9;

/** Computes the confidence intervals of several metrics from percentiles of their values in the resamples. */
export function computeConfidenceIntervals(
  sample: PackedScoresByClass,
  figures: (tally: ScoreCountsByClass) => ArrayLike<number>,
  level = METRIC_CONFIDENCE_LEVEL,
): ConfidenceInterval[] {
  const values = Array.from(figures(countScores(sample)));
  const drawn = values.map((): number[] => []);
  for (const tally of resamples(sample)) {
    const again = figures(tally);
    for (const [i, list] of drawn.entries()) list.push(again[i] ?? Number.NaN);
  }
  return values.map((value, i) => toConfidenceInterval(value, drawn[i] ?? [], level));
}

/** Computes several metrics without resampling: their bounds are null. */
export const computeMetricsWithoutBounds = (
  sample: PackedScoresByClass,
  figures: (tally: ScoreCountsByClass) => ArrayLike<number>,
): ConfidenceInterval[] =>
  Array.from(figures(countScores(sample)), (value) => toConfidenceInterval(value, []));

export function toConfidenceInterval(
  value: number,
  drawn: number[],
  level = METRIC_CONFIDENCE_LEVEL,
): ConfidenceInterval {
  const finiteValues = Float64Array.from(drawn.filter((one) => !Number.isNaN(one))).sort();
  const at = (share: number) => finiteValues[Math.round(share * (finiteValues.length - 1))] ?? Number.NaN;
  return {
    value: roundMetric(value),
    low: roundMetric(at((1 - level) / 2)),
    high: roundMetric(at((1 + level) / 2)),
  };
}

/** Rounds a metric to four decimals; null if it is not finite. */
export const roundMetric = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toFixed(4)) : null;

// Scores are whole numbers from 0 to 100, so that 101 counts per class are enough for every metric.
export const MAX_SCORE = 100;

/** Counts of one class of cases: cases by score, and cases with the flag `possible_catfish`. */
export interface ScoreCounts {
  total: number;
  scores: Float64Array;
  flagged: number;
}
/** Score counts of the genuine and of the non-genuine cases. */
export interface ScoreCountsByClass {
  genuine: ScoreCounts;
  notGenuine: ScoreCounts;
}

export interface ScoreAndCatfishFlag {
  score: number;
  flagged: boolean;
}
/** Answers of the checks of genuine and of non-genuine cases. Each answer is one byte: score × 2, plus 1 with the flag `possible_catfish`. */
export interface PackedScoresByClass {
  genuine: Uint8Array;
  notGenuine: Uint8Array;
}

export function packScoresByClass(
  genuine: ScoreAndCatfishFlag[],
  notGenuine: ScoreAndCatfishFlag[],
): PackedScoresByClass {
  const pack = (answers: ScoreAndCatfishFlag[]) =>
    Uint8Array.from(answers, ({ score, flagged }) => score * 2 + Number(flagged));
  return { genuine: pack(genuine), notGenuine: pack(notGenuine) };
}

export function countScores({ genuine, notGenuine }: PackedScoresByClass): ScoreCountsByClass {
  return { genuine: countsOf(genuine), notGenuine: countsOf(notGenuine) };
}

function countsOf(packed: Uint8Array): ScoreCounts {
  const counts = emptyCounts(packed.length);
  for (const one of packed) put(counts, one);
  return counts;
}

const emptyCounts = (total: number): ScoreCounts => ({
  total,
  scores: new Float64Array(MAX_SCORE + 1),
  flagged: 0,
});

function put(counts: ScoreCounts, packed: number): void {
  const score = packed >> 1;
  counts.scores[score] = (counts.scores[score] ?? 0) + 1;
  counts.flagged += packed & 1;
}

export const RESAMPLE_SEED = 1;
export const RESAMPLE_COUNT = 1000;

/**
 * Yields `RESAMPLE_COUNT` bootstrap resamples (Efron 1979). Each class is drawn from itself with replacement and keeps its size. The same cases
 * always give the same resamples. One object is reused for speed: read it before the next step.
 */
function* resamples({ genuine, notGenuine }: PackedScoresByClass): Generator<ScoreCountsByClass> {
  const tally = { genuine: emptyCounts(genuine.length), notGenuine: emptyCounts(notGenuine.length) };
  for (let i = 0; i < RESAMPLE_COUNT; i++) {
    const random = new Random(RESAMPLE_SEED, 0, i);
    draw(genuine, tally.genuine, random);
    draw(notGenuine, tally.notGenuine, random);
    yield tally;
  }
}

function draw(packed: Uint8Array, into: ScoreCounts, random: Random): void {
  const { length } = packed;
  into.scores.fill(0);
  into.flagged = 0;
  for (let i = 0; i < length; i++) put(into, packed[random.int(length)] ?? 0);
}
