import { monthOf, monthOfCommit } from '../../accounts/billing/month.ts';
import type { Sql } from '../store.ts';

/** The month in which an account's calls count now, its live calls under a plan so far, and those beyond the included ones. */
export interface MonthSoFar {
  month: string;
  used: number;
  beyond: number;
}

/** Prepares the look-up of an account's month at `now`. */
export function monthReader(raw: Sql): (account: string, now: number) => MonthSoFar {
  // This month, and later ones where a clock was ahead.
  const months = raw
    .prepare<[string, string], [month: string, used: number, beyond: number]>(
      `SELECT month, sum(CASE WHEN plan <> '' THEN calls ELSE 0 END), sum(CASE WHEN plan <> '' THEN overage ELSE 0 END) FROM account_usage
       WHERE account = ? AND month >= ? GROUP BY month ORDER BY month DESC`,
    )
    .raw();
  return (account, now) => {
    const found = months.all(account, monthOf(now));
    const month = monthOfCommit(now, found[0]?.[0] ?? null);
    const [, used = 0, beyond = 0] = found.find(([one]) => one === month) ?? [];
    return { month, used, beyond };
  };
}
