import { describe, expect, test } from 'vitest';

import { bootstrapSources, type JudgedPair, judgeSources } from '../bench/names/leave-one-out.ts';
import { formatSources } from '../bench/names/sources.ts';

/** Pairs of one source: confidences of pairs of one person, and of two people. */
function source(name: string, one: readonly number[], two: readonly number[]): JudgedPair[] {
  const toPairs = (confidences: readonly number[], same: boolean) =>
    confidences.flatMap((confidence) =>
      Array.from({ length: 25 }, () => ({ source: name, same, confidence })),
    );
  return [...toPairs(one, true), ...toPairs(two, false)];
}

const PAIRS = [
  ...source('a', [90, 80], [10, 20]),
  ...source('b', [90, 80], [10, 20]),
  ...source('c', [60, 70], [75, 30]),
];

describe('leave-one-source-out figures of names', () => {
  test('a source is judged by thresholds of the other sources only', () => {
    const { sources, pooled } = judgeSources(PAIRS);
    expect(sources.get('c')).toMatchObject({ one: 50, two: 50, f1: 0, recallAt99: 0, falsePositives: 0 });
    expect(sources.get('a')).toMatchObject({ f1: 1, recallAt99: 1, falsePositives: 0, auc: 1 });
    expect(pooled.f1).toBeCloseTo(0.8, 5);
    expect(pooled.f1OfSame).toBeCloseTo(12 / 13, 5);
  });

  test('the intervals are the same in every run and contain the figures', () => {
    const intervals = bootstrapSources(PAIRS, 50);
    expect(intervals).toEqual(bootstrapSources(PAIRS, 50));
    const [least, most] = intervals.pooled.f1;
    expect(least).toBeLessThan(0.8);
    expect(most).toBeGreaterThanOrEqual(0.8);
  });

  test('the tables name every source', () => {
    const table = formatSources(PAIRS);
    for (const name of ['a', 'b', 'c']) expect(table).toContain(`| ${name} | 50 | 50 |`);
  });
});
