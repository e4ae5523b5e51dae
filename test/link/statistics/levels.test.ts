import { expect, test } from 'vitest';
import {
  roundLinkStatistics,
  roundCount,
  toCountLevel,
  roundErrorRates,
} from '../../../src/link/statistics/levels.ts';
import { UNMEASURED_ERROR_RATES } from '../../../src/link/compare/evidence.ts';

const UP_TO = Array.from({ length: 5000 }, (_, i) => i + 1);

test('two levels stand for a doubling, and a count is never far from what stands for it', () => {
  expect(UP_TO.slice(0, 8).map(roundCount)).toEqual([1, 2, 3, 4, 5, 7, 7, 7]);
  for (const count of UP_TO) {
    expect(toCountLevel(2 * count)).toBe(toCountLevel(count) + 2);
    expect(Math.abs(Math.log2(roundCount(count) / count))).toBeLessThan(0.33);
  }
});

test('a level rises with the count, and stands for the same side of every power of two', () => {
  for (const count of UP_TO) {
    expect(roundCount(count + 1)).toBeGreaterThanOrEqual(roundCount(count));
    for (const limit of [1, 2, 4, 8, 16, 32, 64, 1024])
      expect(roundCount(count) <= limit).toBe(count <= limit);
  }
});

test('counts of one level give one context', () => {
  const of = (count: number) =>
    roundLinkStatistics({
      records: count,
      sharers: () => count,
      nameCount: () => count,
      wordCount: () => count,
      dateCount: () => count,
      placeCount: () => count,
      nameAndBirthCount: () => count,
      perPerson: 2,
      errorRates: UNMEASURED_ERROR_RATES,
    });
  const seen = ({ records, sharers, nameCount, wordCount, dateCount, placeCount }: ReturnType<typeof of>) => [
    records,
    sharers(1),
    nameCount(1),
    wordCount(''),
    dateCount(''),
    placeCount(1),
  ];
  expect(seen(of(1800))).toEqual(seen(of(2048)));
  expect(seen(of(1700))).not.toEqual(seen(of(2048)));
});

test('error rates have levels too, and what nothing is known of stays so', () => {
  expect(roundErrorRates(UNMEASURED_ERROR_RATES)).toEqual(UNMEASURED_ERROR_RATES);
  const field = (rate: number) =>
    roundErrorRates({ ...UNMEASURED_ERROR_RATES, name: { rate, others: 0.2 } }).name?.rate;
  expect(field(0.1)).toBe(field(0.105));
  expect(field(0.1)).not.toBe(field(0.15));
  expect(roundErrorRates({ ...UNMEASURED_ERROR_RATES, address: 8 / 9 }).address).toBe(8 / 9);
});
