// Metrics of a score's quality. All except the calibration metrics depend only on the order of the scores.
import { type ScoreCounts, MAX_SCORE, type ScoreCountsByClass } from './sample.ts';

/** Returns the share (0-1) of a class that reaches a score; NaN if the class is empty. */
export function computeShareReachingScore({ scores, total }: ScoreCounts, score: number): number {
  let count = 0;
  for (let at = score; at <= MAX_SCORE; at++) count += scores[at] ?? 0;
  return count / total;
}

/**
 * Returns the area under the ROC curve: the probability (0-1) that a genuine case has a higher score than a non-genuine one. Equal scores count
 * as half (Mann and Whitney 1947).
 */
export function computeAuc({ genuine, notGenuine }: ScoreCountsByClass): number {
  let below = 0;
  let wins = 0;
  for (let at = 0; at <= MAX_SCORE; at++) {
    const others = notGenuine.scores[at] ?? 0;
    wins += (genuine.scores[at] ?? 0) * (below + others / 2);
    below += others;
  }
  return wins / (genuine.total * notGenuine.total);
}

/** Returns the lowest score that at most the given share of cases reaches; 101 if even 100 is reached by more. */
export function findThresholdForPassingShare({ scores, total }: ScoreCounts, share: number): number {
  const allowed = Math.floor(share * total);
  let passing = 0;
  for (let at = MAX_SCORE; at >= 0; at--) {
    passing += scores[at] ?? 0;
    if (passing > allowed) return at + 1;
  }
  return 0;
}

/** Returns the Brier score (Brier 1950): the mean squared error of the score as a probability. Both classes have equal weight. */
export function computeBrierScore(tally: ScoreCountsByClass): number {
  return computeClassBalancedMean(tally, (at, genuine) => ((genuine ? 1 : 0) - at / MAX_SCORE) ** 2);
}

/** Returns the mean over all cases. Both classes have equal weight, whatever their size. */
export function computeClassBalancedMean(
  { genuine, notGenuine }: ScoreCountsByClass,
  of: (score: number, genuine: boolean) => number,
): number {
  let [sum, sumNot] = [0, 0];
  for (let at = 0; at <= MAX_SCORE; at++) {
    sum += (genuine.scores[at] ?? 0) * of(at, true);
    sumNot += (notGenuine.scores[at] ?? 0) * of(at, false);
  }
  return (sum / genuine.total + sumNot / notGenuine.total) / 2;
}

/**
 * Returns the expected calibration error (Naeini, Cooper and Hauskrecht 2015): the mean difference between the share of genuine cases and the
 * mean score, over ten bins of ten points. Both classes have equal weight; score 100 is in the last bin.
 */
function computeCalibrationError({ genuine, notGenuine }: ScoreCountsByClass): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    let off = 0;
    for (let at = bin * 10; at <= (bin === 9 ? MAX_SCORE : bin * 10 + 9); at++) {
      const [yes, no] = [
        (genuine.scores[at] ?? 0) / genuine.total,
        (notGenuine.scores[at] ?? 0) / notGenuine.total,
      ];
      off += (yes - (yes + no) * (at / MAX_SCORE)) / 2;
    }
    error += Math.abs(off);
  }
  return error;
}

/** Returns the share (0-1) of genuine cases among those that reach a score, if both classes are equally common. NaN if no case reaches it. */
export function computePrecision({ genuine, notGenuine }: ScoreCountsByClass, score: number): number {
  const [yes, no] = [computeShareReachingScore(genuine, score), computeShareReachingScore(notGenuine, score)];
  return yes / (yes + no);
}

/** Share (0-1) of non-genuine cases that may pass at the score by which groups are compared. */
export const ALLOWED_FALSE_POSITIVE_SHARE = 0.01;

/** Metrics of a report in the order of display. `good` says if a higher or a lower value is better. */
export const METRIC_DEFINITIONS = {
  auc: { good: 'high', of: computeAuc },
  genuine_from_65: {
    good: 'high',
    of: ({ genuine }: ScoreCountsByClass) => computeShareReachingScore(genuine, 65),
  },
  genuine_from_85: {
    good: 'high',
    of: ({ genuine }: ScoreCountsByClass) => computeShareReachingScore(genuine, 85),
  },
  genuine_below_40: {
    good: 'low',
    of: ({ genuine }: ScoreCountsByClass) => 1 - computeShareReachingScore(genuine, 40),
  },
  genuine_at_threshold: {
    good: 'high',
    of: ({ genuine, notGenuine }: ScoreCountsByClass) =>
      computeShareReachingScore(
        genuine,
        findThresholdForPassingShare(notGenuine, ALLOWED_FALSE_POSITIVE_SHARE),
      ),
  },
  not_genuine_from_65: {
    good: 'low',
    of: ({ notGenuine }: ScoreCountsByClass) => computeShareReachingScore(notGenuine, 65),
  },
  not_genuine_from_85: {
    good: 'low',
    of: ({ notGenuine }: ScoreCountsByClass) => computeShareReachingScore(notGenuine, 85),
  },
  calibration_error: { good: 'low', of: computeCalibrationError },
  brier: { good: 'low', of: computeBrierScore },
  flagged_not_genuine: {
    good: 'high',
    of: ({ notGenuine }: ScoreCountsByClass) => notGenuine.flagged / notGenuine.total,
  },
  flagged_genuine: { good: 'low', of: ({ genuine }: ScoreCountsByClass) => genuine.flagged / genuine.total },
} as const satisfies Record<string, { good: 'high' | 'low'; of: (tally: ScoreCountsByClass) => number }>;

export type MetricName = keyof typeof METRIC_DEFINITIONS;
export const METRIC_NAMES = Object.keys(METRIC_DEFINITIONS) as MetricName[];
