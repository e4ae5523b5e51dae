// Usage of a month as an operator reads it, at the command line and over HTTP.
import { toInvoiceLines, type UsageRow } from '../accounts/billing/invoice.ts';
import { monthOf, parseMonth } from '../accounts/time.ts';
import { getAccount } from '../store/accounts.ts';
import { listKeyUsageById, listUsageById, type KeyUsage, type UsageQuery } from '../store/usage.ts';
import type { Store } from '../store/store.ts';
import { readPage, type Page, type Paging } from './paging.ts';
import { toCsv } from './wire.ts';

export type AccountUsageJson = ReturnType<typeof toAccountUsageJson>;

/** Returns usage of one account under one plan version as JSON. */
export function toAccountUsageJson(row: UsageRow, name: string) {
  const { account, month, plan, version, calls, overage, test } = row;
  const [{ price, currency, amount } = { price: null, currency: null, amount: null }] = toInvoiceLines([row]);
  return { account, name, month, plan: plan || null, version, calls, overage, test, price, currency, amount };
}

/** Columns of usage by account, in order. */
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

/** Columns of usage by key, in order. */
export const KEY_USAGE_COLUMNS: (keyof KeyUsage)[] = ['key', 'name', 'account', 'month', 'calls'];

/** Returns a header row and one row of cells for each object; null is an empty cell. */
export const toTableRows = <R extends object>(
  columns: (keyof R & string)[],
  rows: readonly R[],
): (string | number)[][] => [
  columns,
  ...rows.map((row) => columns.map((column) => (row[column] ?? '') as string | number)),
];

interface MonthQuery {
  month?: string | undefined;
  account?: string | undefined;
}

/** Returns month and account of a usage query; the month of `now` by default. Errors: invalid_arguments. */
export const parseUsageQuery = ({ month, account }: MonthQuery, now: number): UsageQuery => ({
  month: month === undefined ? monthOf(now) : parseMonth(month),
  account,
});

/** Query of one page of usage or invoices. */
export type MonthPageQuery = MonthQuery & Paging;

/** Returns one page of the usage of accounts in a month, ordered by account id. Errors: invalid_arguments, not_found. */
export function listAccountUsagePage(
  store: Store,
  { limit, cursor, ...filters }: MonthPageQuery,
  now: number,
): Page<AccountUsageJson> {
  const query = parseUsageQuery(filters, now);
  if (query.account !== undefined) getAccount(store, query.account);
  return readPage(
    {
      name: 'usage',
      filters: query,
      like: ['', '', 0],
      read: (slice) => listUsageById(store, { ...query, ...slice }),
      at: ({ account, plan, version }) => [account, plan, version],
      view: (row) => toAccountUsageJson(row, getAccount(store, row.account).name),
    },
    { limit, cursor },
  );
}

/** Returns one page of the usage of keys in a month, ordered by key id, with and without accounts. Errors: invalid_arguments. */
export function listKeyUsagePage(
  store: Store,
  { limit, cursor, ...filters }: MonthPageQuery,
  now: number,
): Page<KeyUsage> {
  const query = parseUsageQuery(filters, now);
  return readPage(
    {
      name: 'usage of keys',
      filters: query,
      like: [''],
      read: (slice) => listKeyUsageById(store, { ...query, ...slice }),
      at: ({ key }) => [key],
      view: (row) => row,
    },
    { limit, cursor },
  );
}

/** Returns usage by account as CSV. */
export const toAccountUsageCsv = (rows: readonly AccountUsageJson[]): string =>
  toCsv(toTableRows(ACCOUNT_USAGE_COLUMNS, rows));
