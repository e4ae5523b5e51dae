import { toInvoiceLines, type AccountUsageRow } from '../accounts/billing/invoice.ts';
import { getMonthOfTime, parseMonth } from '../accounts/time.ts';
import { getAccount } from '../store/accounts.ts';
import {
  countCallsWithoutAccount,
  listApiKeyUsagePage,
  listAccountUsagePage,
  type ApiKeyUsage,
  type UsageQuery,
} from '../store/usage.ts';
import type { Store } from '../store/store.ts';
import { readListPage, type ListPage, type PageRequest } from './paging.ts';
import { toCsv } from './wire.ts';

export type AccountUsageJson = ReturnType<typeof toAccountUsageJson> | ReturnType<typeof toUnbilledUsageJson>;

/** Converts the usage of one account under one version of a plan to JSON. `name` is the account's name. */
export function toAccountUsageJson(row: AccountUsageRow, name: string) {
  const { account, month, plan, version, calls, overage, test } = row;
  const [{ price, currency, amount } = { price: null, currency: null, amount: null }] = toInvoiceLines([row]);
  return { account, name, month, plan: plan || null, version, calls, overage, test, price, currency, amount };
}

/** Creates the usage row for API keys without an account: no plan and no price. `test` is null because test calls are not counted. */
const toUnbilledUsageJson = (month: string, calls: number) => ({
  account: null,
  name: '(no account)',
  month,
  plan: null,
  version: 0,
  calls,
  overage: 0,
  test: null,
  price: null,
  currency: null,
  amount: null,
});

export const ACCOUNT_USAGE_COLUMNS: (keyof AccountUsageJson)[] = [
  'account',
  'name',
  'month',
  'plan',
  'version',
  'calls',
  'overage',
  'test',
  'price',
  'currency',
  'amount',
];

export const API_KEY_USAGE_COLUMNS: (keyof ApiKeyUsage)[] = ['key', 'name', 'account', 'month', 'calls'];

/** Converts objects to table rows: the column names, then one row for each object. A null value becomes an empty cell. */
export const toTableRows = <R extends object>(
  columns: (keyof R & string)[],
  rows: readonly R[],
): (string | number)[][] => [
  columns,
  ...rows.map((row) => columns.map((column) => (row[column] ?? '') as string | number)),
];

/** Returns one row for the calls with API keys without an account; no row if there were none. */
export function listUsageWithoutAccount(store: Store, month: string): AccountUsageJson[] {
  const calls = countCallsWithoutAccount(store, month);
  return calls > 0 ? [toUnbilledUsageJson(month, calls)] : [];
}

interface MonthQuery {
  month?: string | undefined;
  account?: string | undefined;
}

/** Validates month and account of a usage query. The default is the month of `now`. Errors: invalid_arguments. */
export const parseUsageQuery = ({ month, account }: MonthQuery, now: number): UsageQuery => ({
  month: month === undefined ? getMonthOfTime(now) : parseMonth(month),
  account,
});

export type PagedMonthQuery = MonthQuery & PageRequest;

/** Returns one page of the usage of accounts in a month, ordered by account id. Errors: invalid_arguments, not_found. */
export function readAccountUsagePage(
  store: Store,
  { limit, cursor, ...filters }: PagedMonthQuery,
  now: number,
): ListPage<AccountUsageJson> {
  const query = parseUsageQuery(filters, now);
  if (query.account !== undefined) getAccount(store, query.account);
  const page = readListPage(
    { limit, cursor },
    {
      name: 'usage',
      filters: query,
      like: ['', '', 0],
      read: (slice) => listAccountUsagePage(store, { ...query, ...slice }),
      at: ({ account, plan, version }) => [account, plan, version],
      view: (row): AccountUsageJson => toAccountUsageJson(row, getAccount(store, row.account).name),
    },
  );
  // The row without an account comes last, on the last page.
  if (page.next !== null || query.account !== undefined) return page;
  return { ...page, items: [...page.items, ...listUsageWithoutAccount(store, query.month)] };
}

/** Returns one page of the usage of API keys in a month, ordered by key id, including keys without an account. Errors: invalid_arguments. */
export function readApiKeyUsagePage(
  store: Store,
  { limit, cursor, ...filters }: PagedMonthQuery,
  now: number,
): ListPage<ApiKeyUsage> {
  const query = parseUsageQuery(filters, now);
  return readListPage(
    { limit, cursor },
    {
      name: 'usage of keys',
      filters: query,
      like: [''],
      read: (slice) => listApiKeyUsagePage(store, { ...query, ...slice }),
      at: ({ key }) => [key],
      view: (row) => row,
    },
  );
}

export const toAccountUsageCsv = (rows: readonly AccountUsageJson[]): string =>
  toCsv(toTableRows(ACCOUNT_USAGE_COLUMNS, rows));
