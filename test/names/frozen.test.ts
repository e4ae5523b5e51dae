import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { frozenFile, type GroupResult, runPairs } from '../bench/names-frozen.ts';

const frozen = JSON.parse(readFileSync(frozenFile, 'utf8')) as Record<string, GroupResult>;
const { groups, wrong } = runPairs();

const sizes = (results: Record<string, GroupResult>) =>
  Object.entries(results).map(([name, { pairs }]) => [name, pairs]);

test('the frozen result has the same groups and pairs as the labelled file', () => {
  expect(sizes(groups)).toEqual(sizes(frozen));
});

test.each(Object.entries(frozen))(
  'no pair of kind %s is decided worse than the frozen result',
  (name, before) => {
    const now = groups[name];
    const asGood = now && now.decided >= before.decided && now.named >= before.named;
    expect(asGood ? 'as good as before' : { now, before, wrong }).toBe('as good as before');
  },
);

test('at least nineteen of twenty labelled pairs are decided rightly', () => {
  const all = Object.values(groups);
  const pairs = all.reduce((sum, group) => sum + group.pairs, 0);
  const decided = all.reduce((sum, group) => sum + group.decided, 0);
  expect(decided / pairs).toBeGreaterThan(0.95);
});
