// Which plan an account has at a moment: raw prepared statements, for the path of a call and for the writer thread.
import type { CurrentPlan } from '../../accounts/model.ts';
import type { SqlConnection } from '../store.ts';
import { monthOf, getCommitMonth } from '../../accounts/time.ts';

/** An account as a call needs it. */
export interface AccountState {
  /** Its keys are refused. */
  closed: boolean;
  plan: CurrentPlan | null;
}

type Row = [closed: number | null, plan: string | null, version: number | null, terms: string | null];

// A clock that stands before the first row finds that row: a call is never without the plan that its account began with.
const IN_FORCE = `SELECT closed, v.plan, version, terms FROM accounts a
  LEFT JOIN account_plans p ON p.account = a.id AND p.since = coalesce(
    (SELECT max(since) FROM account_plans WHERE account = a.id AND since <= @now),
    (SELECT min(since) FROM account_plans WHERE account = a.id))
  LEFT JOIN plan_versions v ON v.plan = p.plan AND v.version = coalesce(
    (SELECT version FROM plan_versions WHERE plan = p.plan AND since <= @now ORDER BY since DESC, version DESC LIMIT 1), 1)
  WHERE a.id = @account`;

/** A version of a plan never changes, so its terms are read once. */
const MOST_VERSIONS = 1000;

/** Prepares the look-up of an account at `now`; null where there is no such account. */
export function prepareAccountLookup(
  raw: SqlConnection,
): (account: string, now: number) => AccountState | null {
  const select = raw.prepare<[{ account: string; now: number }], Row>(IN_FORCE).raw();
  const known = new Map<string, CurrentPlan>();
  const planOf = (plan: string, version: number, terms: string): CurrentPlan => {
    const name = `${plan} ${version}`;
    let found = known.get(name);
    if (!found) {
      if (known.size >= MOST_VERSIONS) known.clear();
      known.set(name, (found = { plan, version, terms: JSON.parse(terms) }));
    }
    return found;
  };
  return (account, now) => {
    const row = select.get({ account, now });
    if (!row) return null;
    const [closed, plan, version, terms] = row;
    const none = plan === null || version === null || terms === null;
    return { closed: closed !== null, plan: none ? null : planOf(plan, version, terms) };
  };
}

/** The month in which an account's calls count now, its live calls under a plan so far, and those beyond the included ones. */
interface MonthSoFar {
  month: string;
  used: number;
  beyond: number;
}

/** Prepares the look-up of an account's month at `now`. */
export function prepareMonthLookup(raw: SqlConnection): (account: string, now: number) => MonthSoFar {
  // This month, and later ones where a clock was ahead.
  const months = raw
    .prepare<[string, string], [month: string, used: number, beyond: number]>(
      `SELECT month, sum(CASE WHEN plan <> '' THEN calls ELSE 0 END), sum(CASE WHEN plan <> '' THEN overage ELSE 0 END) FROM account_usage
       WHERE account = ? AND month >= ? GROUP BY month ORDER BY month DESC`,
    )
    .raw();
  return (account, now) => {
    const found = months.all(account, monthOf(now));
    const month = getCommitMonth(now, found[0]?.[0] ?? null);
    const [, used = 0, beyond = 0] = found.find(([one]) => one === month) ?? [];
    return { month, used, beyond };
  };
}
