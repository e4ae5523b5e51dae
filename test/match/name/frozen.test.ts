import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { frozenFile, type GroupResult, runPairs } from '../../bench/names-frozen.ts';

const frozen = JSON.parse(readFileSync(frozenFile, 'utf8')) as Record<string, GroupResult>;
const { groups, wrong } = runPairs();

test('the frozen result knows the same groups and pairs as the labelled file', () => {
  expect(Object.keys(groups)).toEqual(Object.keys(frozen));
  for (const [name, group] of Object.entries(groups)) expect(group.pairs, name).toBe(frozen[name]!.pairs);
});

test.each(Object.entries(frozen))(
  'no pair of kind %s is decided worse than the frozen result',
  (name, before) => {
    const now = groups[name]!;
    expect(now.decided, wrong.join('\n')).toBeGreaterThanOrEqual(before.decided);
    expect(now.named, `variations of ${name}`).toBeGreaterThanOrEqual(before.named);
  },
);

test('at least nineteen of twenty labelled pairs are decided rightly', () => {
  const all = Object.values(groups);
  const pairs = all.reduce((sum, group) => sum + group.pairs, 0);
  const decided = all.reduce((sum, group) => sum + group.decided, 0);
  expect(decided / pairs).toBeGreaterThan(0.95);
});
