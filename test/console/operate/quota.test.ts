import { expect, test } from 'vitest';
import type { Plan, AccountUsage } from '../../../src/console/app/types.ts';
import { rankQuotaUsage } from '../../../src/console/operate/quota.ts';

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
  const rows = rankQuotaUsage(lines as AccountUsage[], plans as Plan[], NOW);
  expect(rows.map(({ name, state, calls, included }) => [name, state, calls, included])).toEqual([
    ['cut', 'cut-off', 100, 100],
    ['billed', 'over', 1000, 500],
    ['near', 'near', 450, 500],
    ['below', 'below', 10, 100],
  ]);
});
