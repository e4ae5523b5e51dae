import { expect, test } from 'vitest';
import { computeAuc, computeShareReachingScore } from '../../src/evaluate/figures.ts';
import {
  computeConfidenceIntervals,
  packScoresByClass,
  type ScoreCountsByClass,
} from '../../src/evaluate/sample.ts';
import { answers, GENUINE, OTHERS } from './scores.ts';

const figures = (tally: ScoreCountsByClass) => [
  computeAuc(tally),
  computeShareReachingScore(tally.genuine, 65),
];

test('an interval holds its figure, the same one every time', () => {
  const sample = packScoresByClass(GENUINE, OTHERS);
  const intervals = computeConfidenceIntervals(sample, figures);
  for (const { value, low, high } of intervals) {
    expect(low).toBeLessThan(value ?? 0);
    expect(high).toBeGreaterThan(value ?? 1);
  }
  expect(computeConfidenceIntervals(sample, figures)).toEqual(intervals);
});

test('an interval of a share is as wide as theory has it, and half as wide with four times the cases', () => {
  const widths = [100, 400].map((count) => {
    const genuine = answers(count, { middle: 74, seed: 3 });
    const [share] = computeConfidenceIntervals(packScoresByClass(genuine, OTHERS), ({ genuine }) => [
      computeShareReachingScore(genuine, 65),
    ]);
    const { value, low, high } = share ?? { value: null, low: null, high: null };
    const [at, width] = [value ?? 0, (high ?? 0) - (low ?? 0)];
    expect(width / (2 * 1.96 * Math.sqrt((at * (1 - at)) / count))).toBeCloseTo(1, 0);
    return width;
  });
  expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeGreaterThan(1.6);
});

test('of a class without cases nothing is said', () => {
  const [area] = computeConfidenceIntervals(packScoresByClass([], OTHERS), figures);
  expect(area).toEqual({ value: null, low: null, high: null });
});
