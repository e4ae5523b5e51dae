// Usage of accounts and keys by month. Errors of each function: those of `read` of the store.
import { toCallerUsage } from '../accounts/billing/invoice.ts';
import type { CallerUsage, UsageRow } from '../accounts/billing/invoice.ts';
import { toQuotaUsage } from '../accounts/billing/quota.ts';
import type { Caller, QuotaUsage } from '../accounts/model.ts';
import { monthOf } from '../accounts/time.ts';
import { preparePerConnection } from '../platform/sqlite.ts';
import { and, eq } from './drizzle.ts';
import { usage } from './schema.ts';
import { getMonthUsage } from './serving/current-plan.ts';
import type { SqlConnection, Store } from './store.ts';

/** Filter of usage: a month (`2026-11`, UTC), and one account or all. */
export interface UsageQuery {
  month: string;
  account?: string | undefined;
}

/** Query of one page of usage. `after` is the cursor: the key of the last row of the previous page. */
export interface UsagePageQuery<Cursor> extends UsageQuery {
  after?: Cursor | undefined;
  limit: number;
}

/** Caller whose usage is read. */
export type UsageOwner = Pick<Caller, 'keyId' | 'account' | 'plan'>;

/** Usage of one chain of keys in a month. */
export interface KeyUsage {
  /** Id of the first key of the chain of keys. */
  key: string;
  name: string;
  account: string | null;
  month: string;
  calls: number;
}

type AccountRow = Omit<UsageRow, 'terms'> & { terms: string | null };

const OF_ACCOUNTS = `SELECT u.account, u.month, u.plan, u.version, v.terms, u.calls, u.overage, u.test
  FROM account_usage u JOIN accounts a ON a.id = u.account
  LEFT JOIN plan_versions v ON v.plan = u.plan AND v.version = u.version
  WHERE u.month = @month AND (u.account = @account OR @account IS NULL)`;

/**
 * SQL for the live calls of a month by keys without an account: all calls of such keys, minus those charged
 * to accounts. Test calls are not counted.
 */
const WITHOUT_ACCOUNT = `SELECT (SELECT coalesce(sum(calls), 0) FROM usage WHERE month = @month)
  - (SELECT coalesce(sum(calls), 0) FROM account_usage WHERE month = @month)`;

const OF_KEYS = `SELECT u.key, coalesce(k.name, '') AS name, k.account, u.month, u.calls FROM usage u LEFT JOIN keys k ON k.id = u.key
  WHERE u.month = @month AND (k.account = @account OR @account IS NULL)`;

const statements = preparePerConnection((db: SqlConnection) => ({
  accounts: db.prepare<[object], AccountRow>(`${OF_ACCOUNTS} ORDER BY a.name, u.account, u.rowid`),
  accountsPage: db.prepare<[object], AccountRow>(
    `${OF_ACCOUNTS} AND (u.account, u.plan, u.version) > (@after, @plan, @version) ORDER BY u.account, u.plan, u.version LIMIT @limit`,
  ),
  withoutAccount: db.prepare<[object], number | null>(WITHOUT_ACCOUNT).pluck(),
  keys: db.prepare<[object], KeyUsage>(`${OF_KEYS} ORDER BY k.created, u.key`),
  keysPage: db.prepare<[object], KeyUsage>(`${OF_KEYS} AND u.key > @after ORDER BY u.key LIMIT @limit`),
}));

const toUsageRow = (row: AccountRow): UsageRow => ({
  ...row,
  terms: row.terms === null ? null : JSON.parse(row.terms),
});

/** Returns the usage of accounts in a month, ordered by account name and then by first use of each version of a plan. */
export const listUsage = (store: Store, { month, account }: UsageQuery): UsageRow[] =>
  store.read(() => statements(store.raw).accounts.all({ month, account: account ?? null })).map(toUsageRow);

/** Returns the live calls of a month with keys that had no account. */
export const countCallsWithoutAccount = (store: Store, month: string): number =>
  Math.max(0, Number(store.read(() => statements(store.raw).withoutAccount.get({ month })) ?? 0));

/** Returns one page of the usage of accounts in a month, ordered by account id, plan and version. */
export function listUsageById(
  { raw }: Store,
  query: UsagePageQuery<[account: string, plan: string, version: number]>,
): UsageRow[] {
  const { month, account, after: [after, plan, version] = ['', '', 0], limit } = query;
  const values = { month, account: account ?? null, after, plan, version, limit };
  return statements(raw).accountsPage.all(values).map(toUsageRow);
}

/** Returns the live calls of a month by chain of keys, with and without accounts, ordered by creation of the keys. */
export const listKeyUsage = (store: Store, { month, account }: UsageQuery): KeyUsage[] =>
  store.read(() => statements(store.raw).keys.all({ month, account: account ?? null }));

/** Returns one page of the live calls of a month by chain of keys, ordered by key id. */
export const listKeyUsageById = (
  { raw }: Store,
  { month, account, after: [after] = [''], limit }: UsagePageQuery<[key: string]>,
): KeyUsage[] => statements(raw).keysPage.all({ month, account: account ?? null, after, limit });

/** Returns the live calls of a chain of keys in a month (`2026-11`, UTC). */
export function countCallsOfKey(store: Store, keyId: string, month: string): number {
  const condition = and(eq(usage.key, keyId), eq(usage.month, month));
  const row = store.read(() => store.db.select({ calls: usage.calls }).from(usage).where(condition).get());
  return row?.calls ?? 0;
}

/** Returns the usage of a caller in a month; in the current month if `month` is null. */
export function getCallerUsage(
  store: Store,
  { keyId, account, plan }: UsageOwner,
  { month: requested, now }: { month: string | null; now: number },
): CallerUsage {
  if (account === null) {
    const month = requested ?? monthOf(now);
    const calls = countCallsOfKey(store, keyId, month);
    return toCallerUsage({ month, calls, plan: null, quotaUsage: null }, []);
  }
  const current = store.read(() => getMonthUsage(store.raw, account, now));
  const month = requested ?? current.month;
  const quotaUsage = plan && month === current.month ? toQuotaUsage(plan, current) : null;
  const rows = listUsage(store, { month, account });
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return toCallerUsage({ month, calls, plan, quotaUsage }, rows);
}

/** Returns the quota usage of a caller's account; null without a plan. `now` is milliseconds since 1970. */
export const getQuotaUsage = (
  store: Store,
  { account, plan }: Pick<UsageOwner, 'account' | 'plan'>,
  now: number,
): QuotaUsage | null =>
  account === null || !plan
    ? null
    : store.read(() => toQuotaUsage(plan, getMonthUsage(store.raw, account, now)));
