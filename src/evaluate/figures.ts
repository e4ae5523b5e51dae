// What a score is worth, in single figures. All but the calibration's see only how the scores stand to one another.
import { type ScoreCounts, MAX_SCORE, type ScoreTally } from './sample.ts';

/** Share of a class that reaches a score; NaN where the class is empty. */
export function computeShareFrom({ scores, total }: ScoreCounts, score: number): number {
  let count = 0;
  for (let at = score; at <= MAX_SCORE; at++) count += scores[at] ?? 0;
  return count / total;
}

/** How often a genuine case scores above one that is not, ties counting half: the area under the ROC curve (Mann and Whitney 1947). */
export function computeAuc({ genuine, notGenuine }: ScoreTally): number {
  let below = 0;
  let wins = 0;
  for (let at = 0; at <= MAX_SCORE; at++) {
    const others = notGenuine.scores[at] ?? 0;
    wins += (genuine.scores[at] ?? 0) * (below + others / 2);
    below += others;
  }
  return wins / (genuine.total * notGenuine.total);
}

/** The least score that not more than a share of the cases reaches; 101 where no score is that rare. */
export function findThreshold({ scores, total }: ScoreCounts, share: number): number {
  const allowed = Math.floor(share * total);
  let passing = 0;
  for (let at = MAX_SCORE; at >= 0; at--) {
    passing += scores[at] ?? 0;
    if (passing > allowed) return at + 1;
  }
  return 0;
}

/** Mean square of what the score, as a chance, is off by; both classes weigh the same (Brier 1950). */
export function computeBrierScore(tally: ScoreTally): number {
  return computeWeightedMean(tally, (at, genuine) => ((genuine ? 1 : 0) - at / MAX_SCORE) ** 2);
}

/** Mean over both classes, which weigh the same however many cases each has. */
export function computeWeightedMean(
  { genuine, notGenuine }: ScoreTally,
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
 * Expected calibration error: in ten bins of ten points, how far the share of genuine cases is from the mean score; both classes weigh
 * the same, and 100 falls into the last bin (Naeini, Cooper and Hauskrecht 2015).
 */
export function computeCalibrationError({ genuine, notGenuine }: ScoreTally): number {
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

/** Of those who reach a score, the share that is genuine, where both classes are as common; NaN where nobody does. */
export function computePrecision({ genuine, notGenuine }: ScoreTally, score: number): number {
  const [yes, no] = [computeShareFrom(genuine, score), computeShareFrom(notGenuine, score)];
  return yes / (yes + no);
}

/** How many of a hundred that are not genuine may pass at the score by which groups are compared. */
export const ALLOWED_FALSE_POSITIVE_SHARE = 0.01;

/** The figures of a report, in its order. `good` says which way is better. */
export const METRIC_DEFINITIONS = {
  auc: { good: 'high', of: computeAuc },
  genuine_from_65: { good: 'high', of: ({ genuine }: ScoreTally) => computeShareFrom(genuine, 65) },
  genuine_from_85: { good: 'high', of: ({ genuine }: ScoreTally) => computeShareFrom(genuine, 85) },
  genuine_below_40: { good: 'low', of: ({ genuine }: ScoreTally) => 1 - computeShareFrom(genuine, 40) },
  genuine_at_threshold: {
    good: 'high',
    of: ({ genuine, notGenuine }: ScoreTally) =>
      computeShareFrom(genuine, findThreshold(notGenuine, ALLOWED_FALSE_POSITIVE_SHARE)),
  },
  not_genuine_from_65: { good: 'low', of: ({ notGenuine }: ScoreTally) => computeShareFrom(notGenuine, 65) },
  not_genuine_from_85: { good: 'low', of: ({ notGenuine }: ScoreTally) => computeShareFrom(notGenuine, 85) },
  calibration_error: { good: 'low', of: computeCalibrationError },
  brier: { good: 'low', of: computeBrierScore },
  flagged_not_genuine: {
    good: 'high',
    of: ({ notGenuine }: ScoreTally) => notGenuine.flagged / notGenuine.total,
  },
  flagged_genuine: { good: 'low', of: ({ genuine }: ScoreTally) => genuine.flagged / genuine.total },
} as const satisfies Record<string, { good: 'high' | 'low'; of: (tally: ScoreTally) => number }>;

export type MetricName = keyof typeof METRIC_DEFINITIONS;
export const METRIC_NAMES = Object.keys(METRIC_DEFINITIONS) as MetricName[];
