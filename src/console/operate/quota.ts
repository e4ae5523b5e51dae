// Monthly usage of plans, ranked for the overview: accounts that are cut off come first.
import type { Account, Plan, AccountUsage } from '../app/types.ts';
import { findPlanTermsAt } from '../keys/terms.ts';

const QUOTA_STATES = ['cut-off', 'over', 'near', 'below'] as const;
export type QuotaState = (typeof QUOTA_STATES)[number];

/** Number of calls of one account in a month, compared with its present plan. */
export interface AccountQuotaRow {
  account: string;
  name: string;
  plan: string;
  calls: number;
  included: number;
  overage: number;
  state: QuotaState;
}

/** Share of the included calls from which an account counts as near its quota. */
const NEAR = 0.8;

/**
 * Sorts the accounts by the used share of their plan, highest first. Accounts without a plan are left out. If the plan changed during the month, calls
 * before the change count too. `now`: milliseconds since 1970, by which the valid version of a plan is chosen.
 */
export function rankAccountsByQuotaUsage(
  lines: readonly AccountUsage[],
  { accounts, plans }: { accounts: readonly Pick<Account, 'id' | 'plan'>[]; plans: readonly Plan[] },
  now: number,
): AccountQuotaRow[] {
  const groups = Map.groupBy(lines, ({ account }) => account);
  const rows = [...groups].flatMap(([account, group]): AccountQuotaRow[] => {
    const known = accounts.find(({ id }) => id === account);
    const plan = known ? known.plan : group.at(-1)?.plan;
    const terms = findPlanTermsAt(
      plans.find(({ id }) => id === plan),
      now,
    );
    if (!plan || !terms) return [];
    const ofPlans = group.filter((line) => line.plan !== null);
    const sum = (name: 'calls' | 'overage') => ofPlans.reduce((all, line) => all + line[name], 0);
    const usage = { calls: sum('calls'), included: terms.included, overage: sum('overage') };
    const state = getState(usage, terms.overage === 'block');
    return [{ account: String(account), name: group[0]?.name ?? '', plan, ...usage, state }];
  });
  return rows.toSorted(
    (a, b) => QUOTA_STATES.indexOf(a.state) - QUOTA_STATES.indexOf(b.state) || b.calls - a.calls,
  );
}

function getState(
  { calls, included, overage }: Pick<AccountQuotaRow, 'calls' | 'included' | 'overage'>,
  isBlocked: boolean,
): QuotaState {
  if (isBlocked && calls >= included) return 'cut-off';
  if (overage > 0) return 'over';
  return included > 0 && calls >= NEAR * included ? 'near' : 'below';
}
