import type Database from 'better-sqlite3';
import { monthOfCommit } from '../../../accounts/billing/month.ts';

/** The month in which an account's calls count now, its live calls under a plan so far, and those beyond the included ones. */
export interface MonthSoFar {
  month: string;
  used: number;
  beyond: number;
}

/** Prepares the look-up of an account's month at `now`. */
export function monthReader(raw: Database.Database): (account: string, now: number) => MonthSoFar {
  const latest = raw
    .prepare<[string], string | null>('SELECT max(month) FROM account_usage WHERE account = ?')
    .pluck();
  const sums = raw
    .prepare<[string, string], [number, number]>(
      `SELECT ifnull(sum(calls), 0), ifnull(sum(overage), 0) FROM account_usage WHERE account = ? AND month = ? AND plan <> ''`,
    )
    .raw();
  return (account, now) => {
    const month = monthOfCommit(now, latest.get(account) ?? null);
    const [used, beyond] = sums.get(account, month) ?? [0, 0];
    return { month, used, beyond };
  };
}
