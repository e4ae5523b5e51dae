// Reliability of the score: is a score of 70 right in 70 % of the cases? Computed as a CORP diagram (Dimitriadis, Gneiting and Jordan
// 2021), whose bins come from the isotonic regression and need no choice.
import { computeBrierScore, computeClassBalancedMean } from './figures.ts';
import {
  type ConfidenceInterval,
  computeConfidenceIntervals,
  CURVE_CONFIDENCE_LEVEL,
  roundMetric,
  MAX_SCORE,
  type PackedScoresByClass,
  type ScoreCountsByClass,
  countScores,
} from './sample.ts';

export interface ReliabilityAnalysis {
  /** Share (0-1) of genuine cases at each score that occurs, with equal weight for both classes, and its confidence interval. */
  curve: ({ score: number } & ConfidenceInterval)[];
  /** Parts of the Brier score: miscalibration − discrimination + uncertainty. Null if they cannot be computed. */
  miscalibration: number | null;
  discrimination: number | null;
  uncertainty: number | null;
}

export function analyzeReliability(sample: PackedScoresByClass): ReliabilityAnalysis {
  const tally = countScores(sample);
  const { genuine, notGenuine } = tally;
  const seen = Array.from({ length: MAX_SCORE + 1 }, (_, score) => score).filter(
    (score) => (genuine.scores[score] ?? 0) + (notGenuine.scores[score] ?? 0) > 0,
  );
  const band = computeConfidenceIntervals(sample, calibrated, CURVE_CONFIDENCE_LEVEL);
  const curve = seen.flatMap((score) => {
    const at = band[score];
    return at ? [{ score, ...at }] : [];
  });
  const shares = calibrated(tally);
  const best = computeClassBalancedMean(tally, (at, yes) => ((yes ? 1 : 0) - (shares[at] ?? 0)) ** 2);
  const uncertainty = 0.25;
  return {
    curve,
    miscalibration: roundMetric(computeBrierScore(tally) - best),
    discrimination: roundMetric(uncertainty - best),
    uncertainty: roundMetric(uncertainty),
  };
}

/** Returns, for each score, the probability (0-1) that a case with it is genuine, from an isotonic regression. */
function calibrated({ genuine, notGenuine }: ScoreCountsByClass): Float64Array {
  const positives = genuine.scores.map((count) => count / genuine.total);
  const weights = positives.map((share, at) => share + (notGenuine.scores[at] ?? 0) / notGenuine.total);
  return fitIsotonicRegression(weights, positives);
}

/**
 * Fits an isotonic regression: the non-decreasing curve with the least squared error, by pooling adjacent violators (Ayer, Brunk, Ewing, Reid
 * and Silverman 1955). Returns the fitted share (0-1) at each index. An index without weight is interpolated between its neighbours; all are NaN
 * if every weight is 0. @param weights weight at each index, 0 or more @param positives positive part of each weight
 */
export function fitIsotonicRegression(
  weights: ArrayLike<number>,
  positives: ArrayLike<number>,
): Float64Array {
  const blocks: { from: number; to: number; weight: number; positive: number }[] = [];
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight <= 0) continue;
    let block = { from: at, to: at, weight, positive: positives[at] ?? 0 };
    for (let last = blocks.at(-1); last && share(last) >= share(block); last = blocks.at(-1)) {
      blocks.pop();
      block = {
        from: last.from,
        to: block.to,
        weight: last.weight + block.weight,
        positive: last.positive + block.positive,
      };
    }
    blocks.push(block);
  }
  return filled(
    blocks.map((block) => ({ ...block, share: share(block) })),
    weights.length,
  );
}

const share = ({ weight, positive }: { weight: number; positive: number }) => positive / weight;

/**
 * Returns the value of the curve at every index: constant inside a block, interpolated between blocks, and constant beyond the outermost blocks.
 */
function filled(blocks: { from: number; to: number; share: number }[], length: number): Float64Array {
  const curve = new Float64Array(length).fill(Number.NaN);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return curve;
  curve.fill(first.share, 0, first.from);
  curve.fill(last.share, last.to);
  for (const [i, block] of blocks.entries()) {
    curve.fill(block.share, block.from, block.to + 1);
    const next = blocks[i + 1];
    if (!next) continue;
    const step = (next.share - block.share) / (next.from - block.to);
    for (let at = block.to + 1; at < next.from; at++) curve[at] = block.share + step * (at - block.to);
  }
  return curve;
}
