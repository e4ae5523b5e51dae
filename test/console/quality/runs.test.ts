import { expect, test } from 'vitest';
import { atThreshold, FIGURES, sharesOf } from '../../../src/console/quality/runs.ts';
import { FIGURES as JUDGED } from '../../../src/evaluate/figures/figures.ts';

const at = (...scores: number[]) =>
  Array.from({ length: 101 }, (_, score) => scores.filter((one) => one === score).length);
const SCORES = { genuine: at(94, 84, 65, 64), not_genuine: at(3, 0, 70, 100) };

test('a threshold says who passes and who is lost, the score itself included', () => {
  expect(atThreshold(SCORES, 65)).toEqual({ passed: 3, lost: 1, stopped: 2, missed: 2 });
  expect(atThreshold(SCORES, 0)).toMatchObject({ lost: 0, stopped: 0 });
  expect(atThreshold(SCORES, 100)).toMatchObject({ passed: 0, missed: 1 });
});

test('shares are of each class, in steps of five, 100 in the last', () => {
  const shares = sharesOf(SCORES);
  expect(shares).toHaveLength(20);
  expect(shares[0]).toEqual({ from: 0, genuine: 0, other: 0.5 });
  expect(shares[19]).toEqual({ from: 95, genuine: 0, other: 0.25 });
  expect(sharesOf({ genuine: at(), not_genuine: at() })[3]).toEqual({ from: 15, genuine: 0, other: 0 });
});

test('the figures that are shown are those that are judged, with the same side as the better one', () => {
  expect(FIGURES.map(([name, , kind]) => [name, 'low' in kind ? 'low' : 'high'])).toEqual(
    Object.entries(JUDGED).map(([name, { good }]) => [name, good]),
  );
});
