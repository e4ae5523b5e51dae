import { expect, test } from 'vitest';
import { alone, errorRates } from '../../../src/console/overview/rates.ts';

const told = (second: number, errors: number) => ({
  time: new Date(second * 1000).toISOString(),
  problems: { not_found: errors, invalid_request: errors },
});

test('errors a second are those between two events; a server that began anew has none below zero', () => {
  expect(errorRates([told(0, 1), told(2, 4), told(4, 4), told(14, 0)])).toEqual([
    { at: 2, rate: 3 },
    { at: 4, rate: 0 },
    { at: 14, rate: 0 },
  ]);
  expect(errorRates([told(0, 1)])).toEqual([]);
});

test('values that no line reaches are drawn as points', () => {
  expect(alone([null, 3, null, 4, 5, null, 0])).toEqual([1, 6]);
  expect(alone([7])).toEqual([0]);
});
