import { expect, test } from 'vitest';
import type { Plan, AccountUsage } from '../../../src/console/app/types.ts';
import { rankAccountsByQuotaUsage } from '../../../src/console/operate/quota.ts';

const NOW = Date.UTC(2026, 10, 24);
const plan = (id: string, overage: 'bill' | 'block', ...included: number[]) => ({
  id,
  versions: included.map((calls, i) => ({
    since: new Date(NOW + (i - 0.5) * 86_400_000).toISOString(),
    included: calls,
    overage,
  })),
});
const line = (name: string, planId: string | null, calls: number, overage = 0) => ({
  account: `acc_${name}`,
  name,
  plan: planId,
  calls,
  overage,
});

/** Returns the accounts of usage lines, each with the plan of its last line. */
const accountsOf = (lines: { account: string; plan: string | null }[]) =>
  lines.map(({ account: id, plan: name }) => ({ id, plan: name })).toReversed();

test('accounts that are cut off come first, then billed overage, near and below', () => {
  const lines = [
    line('billed', 'bill', 900, 400),
    line('billed', 'bill', 100, 100),
    line('cut', 'block', 100),
    line('near', 'bill', 450),
    line('below', 'block', 10),
    line('free', null, 5),
  ];
  // The second version of each plan begins tomorrow.
  const plans = [plan('bill', 'bill', 500, 9000), plan('block', 'block', 100, 9000)];
  const rows = rankAccountsByQuotaUsage(
    lines as AccountUsage[],
    { accounts: accountsOf(lines), plans: plans as Plan[] },
    NOW,
  );
  expect(rows.map(({ name, state, calls, included }) => [name, state, calls, included])).toEqual([
    ['cut', 'cut-off', 100, 100],
    ['billed', 'over', 1000, 500],
    ['near', 'near', 450, 500],
    ['below', 'below', 10, 100],
  ]);
});

test('the plan that an account has now decides whether it is cut off, also with calls under an earlier plan', () => {
  const plans = [plan('bill', 'bill', 5), plan('block', 'block', 3), plan('large', 'bill', 100)];
  const lines = [
    line('moved', 'bill', 8, 3),
    line('moved', 'block', 0),
    line('raised', 'block', 3),
    line('raised', 'large', 2),
    line('left', 'bill', 9, 4),
    line('left', null, 1),
  ];
  const rows = rankAccountsByQuotaUsage(
    lines as AccountUsage[],
    { accounts: accountsOf(lines), plans: plans as Plan[] },
    NOW,
  );
  expect(
    rows.map(({ name, plan: now, state, calls, included }) => [name, now, state, calls, included]),
  ).toEqual([
    ['moved', 'block', 'cut-off', 8, 3],
    ['raised', 'large', 'below', 5, 100],
  ]);
});

test('a version with a later number that starts earlier does not replace the terms in force', () => {
  const at = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
  const versions = [
    { version: 1, since: at(-9), included: 5, overage: 'block' },
    { version: 2, since: at(-1), included: 100, overage: 'block' },
    { version: 3, since: at(-5), included: 5, overage: 'block' },
  ];
  const lines = [line('raised', 'block', 50)];
  const plans = [{ id: 'block', versions }] as Plan[];
  const rows = rankAccountsByQuotaUsage(lines as AccountUsage[], { accounts: accountsOf(lines), plans }, NOW);
  expect(rows.map(({ state, included }) => [state, included])).toEqual([['below', 100]]);
});
