// What was called in a month, as an operator sees it, at the command line and over HTTP.
import { toInvoiceLines } from '../../accounts/billing/invoice.ts';
import type { UsageRow } from '../../accounts/billing/invoice.ts';
import { monthOf, parseMonth } from '../../accounts/time.ts';
import { openAccounts } from '../../store/accounts.ts';
import { openUsage } from '../../store/usage.ts';
import type { KeyUsage, UsageQuery } from '../../store/usage.ts';
import type { Store } from '../../store/store.ts';
import { pageOf, sliceOf } from '../page.ts';
import type { Page, Paging } from '../page.ts';
import { csv } from '../csv.ts';

export type UsageView = ReturnType<typeof usageView>;

/** A row of usage by account for programs. */
export function usageView(row: UsageRow, name: string) {
  const { account, month, plan, version, calls, overage, test } = row;
  const [line] = toInvoiceLines([row]);
  const money = {
    price: line?.price ?? null,
    currency: line?.currency ?? null,
    amount: line?.amount ?? null,
  };
  return { account, name, month, plan: plan || null, version, calls, overage, test, ...money };
}

/** The columns of usage by account, and by key. */
export const BY_ACCOUNT: (keyof UsageView)[] = [
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
export const BY_KEY: (keyof KeyUsage)[] = ['key', 'name', 'account', 'month', 'calls'];

/** Rows as cells, under the names of their columns. */
export const cellsOf = <R extends object>(
  columns: (keyof R & string)[],
  rows: readonly R[],
): (string | number)[][] => [
  columns,
  ...rows.map((row) => columns.map((column) => (row[column] ?? '') as string | number)),
];

/** The month and the account of a question; the present month where none is named. Errors: invalid_arguments. */
export const monthAsked = (
  { month, account }: { month?: string | undefined; account?: string | undefined },
  now: number,
): UsageQuery => ({ month: month === undefined ? monthOf(now) : parseMonth(month), account });

export type MonthAsked = { month?: string | undefined; account?: string | undefined } & Paging;

/** A page of what accounts called in a month, in the order of their ids. Errors: invalid_arguments, not_found. */
export function pageOfUsage(
  store: Store,
  { limit: most, cursor, ...asked }: MonthAsked,
  now: number,
): Page<UsageView> {
  const query = monthAsked(asked, now);
  const accounts = openAccounts(store);
  if (query.account !== undefined) accounts.get(query.account);
  const listing = { name: 'usage', filters: query, like: ['', '', 0] as [string, string, number] };
  const { limit, after } = sliceOf(listing, { limit: most, cursor });
  const rows = openUsage(store).page({ ...query, after, limit: limit + 1 });
  const at = ({ account, plan, version }: UsageRow): [string, string, number] => [account, plan, version];
  return pageOf(listing, { rows, limit, at, view: (row) => usageView(row, accounts.get(row.account).name) });
}

/** A page of what keys called in a month, whether of an account or alone, in the order of their ids. Errors: invalid_arguments. */
export function pageOfKeyUsage(
  store: Store,
  { limit: most, cursor, ...asked }: MonthAsked,
  now: number,
): Page<KeyUsage> {
  const query = monthAsked(asked, now);
  const listing = { name: 'usage of keys', filters: query, like: [''] as [string] };
  const { limit, after } = sliceOf(listing, { limit: most, cursor });
  const rows = openUsage(store).pageOfKeys({ ...query, after, limit: limit + 1 });
  return pageOf(listing, { rows, limit, at: ({ key }): [string] => [key], view: (row) => row });
}

/** The same as CSV. */
export const usageCsv = (rows: readonly UsageView[]): string => csv(cellsOf(BY_ACCOUNT, rows));
