import { expect, test } from 'vitest';
import {
  countAcceptedAndRejectedCases,
  listCaseSharesPerFivePoints,
  EVALUATION_METRICS,
} from '../../../src/console/quality/runs.ts';
import { METRIC_DEFINITIONS } from '../../../src/evaluate/figures.ts';

const at = (...scores: number[]) =>
  Array.from({ length: 101 }, (_, score) => scores.filter((entry) => entry === score).length);
const SCORES = { genuine: at(94, 84, 65, 64), not_genuine: at(3, 0, 70, 100) };

test('cases with the score of the threshold are accepted', () => {
  expect(countAcceptedAndRejectedCases(SCORES, 65)).toEqual({
    genuineAccepted: 3,
    genuineRejected: 1,
    othersRejected: 2,
    othersAccepted: 2,
  });
  expect(countAcceptedAndRejectedCases(SCORES, 0)).toMatchObject({ genuineRejected: 0, othersRejected: 0 });
  expect(countAcceptedAndRejectedCases(SCORES, 100)).toMatchObject({ genuineAccepted: 0, othersAccepted: 1 });
});

test('scores are grouped by class in steps of five, with 100 in the last', () => {
  const groups = listCaseSharesPerFivePoints(SCORES);
  expect(groups).toHaveLength(20);
  expect(groups[0]).toEqual({ from: 0, genuine: 0, others: 0.5 });
  expect(groups[19]).toEqual({ from: 95, genuine: 0, others: 0.25 });
  expect(listCaseSharesPerFivePoints({ genuine: at(), not_genuine: at() })[3]).toEqual({
    from: 15,
    genuine: 0,
    others: 0,
  });
});

test('the page shows every metric, and knows whether a lower value is better', () => {
  expect(EVALUATION_METRICS.map(([name, , kind]) => [name, 'isLowBetter' in kind ? 'low' : 'high'])).toEqual(
    Object.entries(METRIC_DEFINITIONS).map(([name, { good }]) => [name, good]),
  );
});
