// Monthly usage of plans, ranked for the overview: accounts that are cut off come first.
import type { Plan, AccountUsage } from '../app/types.ts';

export const QUOTA_STATES = ['cut-off', 'over', 'near', 'below'] as const;
export type QuotaState = (typeof QUOTA_STATES)[number];

/** Calls of one account in a month under one plan. */
export interface PlanQuotaRow {
  account: string;
  name: string;
  plan: string;
  calls: number;
  included: number;
  overage: number;
  state: QuotaState;
}

/** Share of the included calls from which an account is near its quota. */
const NEAR = 0.8;

/** Returns the usage of each account and plan, the worst first. `now` (milliseconds since 1970) decides which terms of a plan apply. */
export function rankQuotaUsage(
  lines: readonly AccountUsage[],
  plans: readonly Plan[],
  now: number,
): PlanQuotaRow[] {
  const groups = Map.groupBy(
    lines.filter(({ plan }) => plan !== null),
    ({ account, plan }) => `${account} ${plan}`,
  );
  const rows = [...groups.values()].flatMap((group): PlanQuotaRow[] => {
    const [first] = group;
    if (!first || first.plan === null) return [];
    const sum = (name: 'calls' | 'overage') => group.reduce((all, line) => all + line[name], 0);
    const terms = findTerms(
      plans.find(({ id }) => id === first.plan),
      now,
    );
    const usage = { calls: sum('calls'), included: terms?.included ?? 0, overage: sum('overage') };
    const isBlocked = terms?.overage === 'block';
    return [
      {
        account: String(first.account),
        name: first.name,
        plan: first.plan,
        ...usage,
        state: getState(usage, isBlocked),
      },
    ];
  });
  return rows.toSorted(
    (a, b) => QUOTA_STATES.indexOf(a.state) - QUOTA_STATES.indexOf(b.state) || b.calls - a.calls,
  );
}

const findTerms = (plan: Plan | undefined, now: number): Plan['versions'][number] | undefined =>
  plan?.versions.findLast(({ since }) => Date.parse(since) <= now) ?? plan?.versions[0];

function getState(
  { calls, included, overage }: Pick<PlanQuotaRow, 'calls' | 'included' | 'overage'>,
  isBlocked: boolean,
): QuotaState {
  if (isBlocked && calls >= included) return 'cut-off';
  if (overage > 0) return 'over';
  return included > 0 && calls >= NEAR * included ? 'near' : 'below';
}
