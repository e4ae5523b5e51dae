import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitIsotonicRegression } from '../../src/evaluate/reliability.ts';

const CELLS = fc.array(
  fc.record({ weight: fc.integer({ min: 0, max: 9 }), positive: fc.integer({ min: 0, max: 9 }) }),
  { minLength: 1, maxLength: 12 },
);
const split = (cells: { weight: number; positive: number }[]) => {
  const weights = cells.map(({ weight }) => weight);
  return { weights, positives: cells.map(({ weight, positive }) => Math.min(weight, positive)) };
};

test('a fall is levelled by what stands behind it, a gap is bridged', () => {
  expect([...fitIsotonicRegression([1, 3, 0, 1, 2], [1, 0, 0, 1, 1])]).toEqual([
    0.25,
    0.25,
    (0.25 + 2 / 3) / 2,
    2 / 3,
    2 / 3,
  ]);
  expect([...fitIsotonicRegression([0, 2, 0], [0, 1, 0])]).toEqual([0.5, 0.5, 0.5]);
  expect([...fitIsotonicRegression([0, 0], [0, 0])]).toEqual([Number.NaN, Number.NaN]);
});

test('the curve never falls, and keeps the share of all', () => {
  fc.assert(
    fc.property(CELLS, (cells) => {
      const { weights, positives } = split(cells);
      const curve = fitIsotonicRegression(weights, positives);
      if (weights.every((weight) => weight === 0)) return;
      for (const [i, value] of curve.entries())
        expect(value).toBeGreaterThanOrEqual((curve[i - 1] ?? 0) - 1e-12);
      const fitted = weights.reduce((sum, weight, i) => sum + weight * (curve[i] ?? 0), 0);
      expect(fitted).toBeCloseTo(
        positives.reduce((sum, one) => sum + one, 0),
        9,
      );
    }),
  );
});

test('no other rising curve of twentieths is nearer', () => {
  const levels = Array.from({ length: 21 }, (_, i) => i / 20);
  fc.assert(
    fc.property(
      CELLS,
      fc.array(fc.constantFrom(...levels), { minLength: 12, maxLength: 12 }),
      (cells, others) => {
        const { weights, positives } = split(cells);
        const error = (curve: ArrayLike<number>) =>
          weights.reduce((sum, weight, i) => {
            if (weight === 0) return sum;
            const value = curve[i] ?? 0;
            return sum + (positives[i] ?? 0) * (1 - value) ** 2 + (weight - (positives[i] ?? 0)) * value ** 2;
          }, 0);
        expect(error(fitIsotonicRegression(weights, positives))).toBeLessThanOrEqual(
          error(others.toSorted((a, b) => a - b)) + 1e-9,
        );
      },
    ),
    { numRuns: 500 },
  );
});
