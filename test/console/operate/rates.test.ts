import { expect, test } from 'vitest';
import {
  describeErrorCounts,
  findIsolatedPointIndexes,
  listErrorRates,
  findLastNumber,
} from '../../../src/console/operate/rates.ts';

const eventAt = (second: number, errors: number) => ({
  time: new Date(second * 1000).toISOString(),
  problems: { not_found: errors, invalid_request: errors },
});

test('error rates are per second between two events, and never negative after a restart of the server', () => {
  expect(listErrorRates([eventAt(0, 1), eventAt(2, 4), eventAt(4, 4), eventAt(14, 0)])).toEqual([
    { at: 2, rate: 3 },
    { at: 4, rate: 0 },
    { at: 14, rate: 0 },
  ]);
  expect(listErrorRates([eventAt(0, 1)])).toEqual([]);
});

test('values without a neighbour are isolated', () => {
  expect(findIsolatedPointIndexes([null, 3, null, 4, 5, null, 0])).toEqual([1, 6]);
  expect(findIsolatedPointIndexes([7])).toEqual([0]);
});

test('the kinds of errors add up to their number', () => {
  const problems = { rate_limited: 4, invalid_request: 2, invalid_json: 1, forbidden: 1, missing_api_key: 9 };
  expect(describeErrorCounts(problems)).toBe(
    'Errors since start: 17 (9 missing api key, 4 rate limited, 2 invalid request, 1 invalid json, 1 forbidden).',
  );
  expect(describeErrorCounts({})).toBe('Errors since start: 0.');
});

test('the newest value of a series is its last number', () => {
  expect(findLastNumber([3, 0, null])).toBe(0);
  expect(findLastNumber([null, undefined])).toBeNull();
});
