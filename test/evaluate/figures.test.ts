// Compares each figure with its definition, computed case by case.
import { describe, expect, test } from 'vitest';
import {
  METRIC_DEFINITIONS,
  computePrecision,
  computeShareReachingScore,
  findThresholdForPassingShare,
} from '../../src/evaluate/figures.ts';
import { packScoresByClass, countScores } from '../../src/evaluate/sample.ts';
import { GENUINE, OTHERS } from './scores.ts';

const tally = countScores(packScoresByClass(GENUINE, OTHERS));
const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
const share = <T>(list: T[], holds: (one: T) => boolean) => list.filter(holds).length / list.length;

test('auc is the share of pairs that stand the right way, ties counting half', () => {
  const pairs = GENUINE.flatMap(({ score }) => OTHERS.map((other) => score - other.score));
  const expected = mean(pairs.map((lead) => (lead > 0 ? 1 : lead === 0 ? 0.5 : 0)));
  expect(METRIC_DEFINITIONS.auc.of(tally)).toBeCloseTo(expected, 12);
});

describe('shares of a class', () => {
  test.each([
    ['genuine_from_65', share(GENUINE, ({ score }) => score >= 65)],
    ['genuine_from_85', share(GENUINE, ({ score }) => score >= 85)],
    ['genuine_below_40', share(GENUINE, ({ score }) => score < 40)],
    ['not_genuine_from_65', share(OTHERS, ({ score }) => score >= 65)],
    ['not_genuine_from_85', share(OTHERS, ({ score }) => score >= 85)],
    ['flagged_genuine', share(GENUINE, ({ flagged }) => flagged)],
    ['flagged_not_genuine', share(OTHERS, ({ flagged }) => flagged)],
  ] as const)('%s', (figure, expected) => {
    expect(METRIC_DEFINITIONS[figure].of(tally)).toBeCloseTo(expected, 12);
  });
});

test('the threshold is the least score that no more than the allowed share reaches', () => {
  for (const allowed of [0, 0.01, 0.05, 0.5, 1]) {
    const score = findThresholdForPassingShare(tally.notGenuine, allowed);
    expect(share(OTHERS, (one) => one.score >= score)).toBeLessThanOrEqual(allowed);
    const oneLess = score === 0 ? 2 : share(OTHERS, (one) => one.score >= score - 1);
    expect(oneLess).toBeGreaterThan(allowed);
  }
  const score = findThresholdForPassingShare(tally.notGenuine, 0.01);
  expect(METRIC_DEFINITIONS.genuine_at_threshold.of(tally)).toBe(
    computeShareReachingScore(tally.genuine, score),
  );
});

test('the Brier score and the calibration error let both classes weigh the same', () => {
  const off = [
    GENUINE.map(({ score }) => (1 - score / 100) ** 2),
    OTHERS.map(({ score }) => (score / 100) ** 2),
  ].map(mean);
  expect(METRIC_DEFINITIONS.brier.of(tally)).toBeCloseTo(mean(off), 12);
  const binOf = ({ score }: { score: number }) => Math.min(9, Math.floor(score / 10));
  const bins = Array.from({ length: 10 }, (_, bin) => {
    const [yes, no] = [GENUINE, OTHERS].map((list) => ({
      list,
      some: list.filter((one) => binOf(one) === bin),
    }));
    const weigh = (of: (score: number, genuine: boolean) => number) =>
      [yes, no].reduce((sum, side, i) => {
        if (side === undefined) return sum;
        return sum + side.some.reduce((all, { score }) => all + of(score, i === 0), 0) / side.list.length / 2;
      }, 0);
    return Math.abs(weigh((_, genuine) => Number(genuine)) - weigh((score) => score / 100));
  });
  expect(METRIC_DEFINITIONS.calibration_error.of(tally)).toBeCloseTo(10 * mean(bins), 12);
});

test('a score that is always right is without error, one that is always wrong is nothing but', () => {
  const [high, low] = [[{ score: 100, flagged: false }], [{ score: 0, flagged: false }]];
  const [right, wrong] = [
    countScores(packScoresByClass(high, low)),
    countScores(packScoresByClass(low, high)),
  ];
  const of = (one: typeof right) =>
    [METRIC_DEFINITIONS.auc, METRIC_DEFINITIONS.brier, METRIC_DEFINITIONS.calibration_error].map(({ of }) =>
      of(one),
    );
  expect([of(right), of(wrong)]).toEqual([
    [1, 0, 0],
    [0, 1, 1],
  ]);
  expect([computePrecision(right, 50), computePrecision(wrong, 50)]).toEqual([1, 0]);
});
