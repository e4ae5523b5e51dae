// The map from scores to probabilities: its fit, its results, and refused data.
import { describe, expect, test } from 'vitest';
import { fitCalibrationMap, type CalibrationCase, toCalibrationCases } from '../../src/evaluate/fit.ts';
import { Random } from '../../src/generate/random.ts';
import { interpolateLinearly } from '../../src/score/curves.ts';
import { outcomesOf } from './outcomes.ts';

/** Returns cases, about `count` of each class. `bent` gives the score for the probability that a case is genuine. */
function cases(count: number, bent: (chance: number) => number): CalibrationCase[] {
  const random = new Random(7, 0, 0);
  return Array.from({ length: count * 2 }, () => {
    const chance = random.next();
    return { score: Math.round(bent(chance) * 10_000) / 100, genuine: random.next() < chance };
  });
}
const fitted = (points: CalibrationCase[]) => {
  const found = fitCalibrationMap(points);
  if (typeof found === 'string') throw new Error(found);
  return found;
};

describe('a map of scores that are too good', () => {
  const found = fitted(cases(4000, (chance) => chance ** 0.4));

  test('gives the chances back', () => {
    for (const chance of [0.2, 0.4, 0.6, 0.8])
      expect(Math.abs(interpolateLinearly(found.knots, chance ** 0.4 * 100) - chance * 100)).toBeLessThan(6);
  });

  test('rises in both, and is never certain', () => {
    for (const [i, [from, to]] of found.knots.entries()) {
      const [before, below] = found.knots[i - 1] ?? [-1, -1];
      expect(from).toBeGreaterThan(before);
      expect(to).toBeGreaterThan(below);
      expect(to > 0 && to < 100).toBe(true);
    }
  });

  test('is better on cases that it was not fitted to', () => {
    expect(found.after).toBeLessThan(found.before - 0.02);
    expect(found.genuine + found.notGenuine).toBe(8000);
  });
});

test('how many cases of each class there are does not matter to the map', () => {
  const all = cases(4000, (chance) => chance ** 2);
  const rare = all.filter(({ genuine }, i) => genuine || i % 4 === 0);
  for (const score of [10, 40, 70])
    expect(
      Math.abs(
        interpolateLinearly(fitted(rare).knots, score) - interpolateLinearly(fitted(all).knots, score),
      ),
    ).toBeLessThan(8);
});

test('too few cases of a class are refused with their numbers', () => {
  const few = cases(400, (chance) => chance ** 2).filter(({ genuine }, i) => !genuine || i % 5 === 0);
  expect(fitCalibrationMap(few)).toMatch(
    /^A calibration needs 200 genuine and 200 non-genuine cases .* The file has \d+ and \d+\.$/,
  );
});

test('a map of scores that are right already is refused', () => {
  const right = [5, 15, 25, 35, 45, 55, 65, 75, 85, 95].flatMap((score) =>
    Array.from({ length: 200 }, (_, i): CalibrationCase => ({ score, genuine: i < score * 2 })),
  );
  expect(fitCalibrationMap(right)).toMatch(/no better than the score as it is/);
});

test('cases apart, and those to whose scores a bound applied, are left out', () => {
  const [bound, free] = outcomesOf(
    [
      { score: 64, flagged: false },
      { score: 97, flagged: false },
    ],
    'genuine',
  );
  const apart = outcomesOf([{ score: 42, flagged: false }], 'apart');
  const points = toCalibrationCases([
    ...apart,
    ...(bound ? [{ ...bound, unbounded: 93.2 }] : []),
    ...(free ? [free] : []),
  ]);
  expect(points).toEqual([{ score: 97, genuine: true }]);
});
