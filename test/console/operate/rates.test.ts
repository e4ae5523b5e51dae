import { expect, test } from 'vitest';
import { findIsolatedPoints, listErrorRates } from '../../../src/console/operate/rates.ts';

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
  expect(findIsolatedPoints([null, 3, null, 4, 5, null, 0])).toEqual([1, 6]);
  expect(findIsolatedPoints([7])).toEqual([0]);
});
