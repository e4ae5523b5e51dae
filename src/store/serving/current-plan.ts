// Plan and usage of an account at one point in time, by prepared SQL statements, for calls and for the writer
// thread.
import type { CurrentPlan } from '../../accounts/model.ts';
import { getBillingMonthOfCall, getMonthOfTime } from '../../accounts/time.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';

/** State of an account that decides whether its calls are allowed. */
export interface AccountClosureAndPlan {
  isClosed: boolean;
  plan: CurrentPlan | null;
}

type AccountRow = [closed: number | null, plan: string | null, version: number | null, terms: string | null];

/** Usage of an account in one month: `used` live calls under a plan, `overage` of them beyond the quota. */
export interface MonthUsage {
  month: string;
  used: number;
  overage: number;
}

/** Usage of an account in one month as a database row: month, number of live calls under a plan, and number of those beyond the quota. */
export type MonthUsageRow = [month: string, used: number, overage: number];

const statements = preparePerConnection((db: SqlConnection) => ({
  // Before the start time of the first row, the first row applies, so that a call always has the plan with
  // which its account began.
  account: db
    .prepare<[{ account: string; now: number }], AccountRow>(
      `SELECT closed, v.plan, version, terms FROM accounts a
       LEFT JOIN account_plans p ON p.account = a.id AND p.since = coalesce(
         (SELECT max(since) FROM account_plans WHERE account = a.id AND since <= @now),
         (SELECT min(since) FROM account_plans WHERE account = a.id))
       LEFT JOIN plan_versions v ON v.plan = p.plan AND v.version = coalesce(
         (SELECT version FROM plan_versions WHERE plan = p.plan AND since <= @now ORDER BY since DESC, version DESC LIMIT 1), 1)
       WHERE a.id = @account`,
    )
    .raw(),
  // Rows of later months exist if a clock was ahead.
  months: db
    .prepare<[string, string], MonthUsageRow>(
      `SELECT month, sum(CASE WHEN plan <> '' THEN calls ELSE 0 END), sum(CASE WHEN plan <> '' THEN overage ELSE 0 END)
       FROM account_usage WHERE account = ? AND month >= ? GROUP BY month ORDER BY month DESC`,
    )
    .raw(),
  toPlan: createPlanRowParser(),
}));

/** Returns whether an account is closed at `now` (milliseconds since 1970), and its plan at this time; null for an unknown account. */
export function findAccountClosureAndPlan(
  db: SqlConnection,
  account: string,
  now: number,
): AccountClosureAndPlan | null {
  const row = statements(db).account.get({ account, now });
  if (!row) return null;
  const [closed, ...plan] = row;
  return { isClosed: closed !== null, plan: statements(db).toPlan(...plan) };
}

const MAX_CACHED_VERSIONS = 1000;

/** Creates a function that parses the rows of plan versions. It caches the terms, because a version never changes. */
export function createPlanRowParser() {
  const cache = new Map<string, CurrentPlan>();
  return (plan: string | null, version: number | null, terms: string | null): CurrentPlan | null => {
    if (plan === null || version === null || terms === null) return null;
    const name = `${plan} ${version}`;
    let cached = cache.get(name);
    if (!cached) {
      if (cache.size >= MAX_CACHED_VERSIONS) cache.clear();
      cache.set(name, (cached = { plan, version, terms: JSON.parse(terms) }));
    }
    return cached;
  };
}

export const getMonthUsage = (db: SqlConnection, account: string, now: number): MonthUsage =>
  pickUsageOfBilledMonth(statements(db).months.all(account, getMonthOfTime(now)), now);

/** Returns the usage in the month in which a call at the time `now` is counted. `months` are sorted, the latest first. */
export function pickUsageOfBilledMonth(months: readonly MonthUsageRow[], now: number): MonthUsage {
  const month = getBillingMonthOfCall(now, months[0]?.[0] ?? null);
  const [, used = 0, overage = 0] = months.find(([name]) => name === month) ?? [];
  return { month, used, overage };
}
