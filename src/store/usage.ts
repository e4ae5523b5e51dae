// What accounts called, by month and by what their plans said.
import {
  type UsageRow,
  toCallerUsageOfAccount,
  toCallerUsageOfKey,
  type CallerUsage,
  toInvoiceLines,
  sumByCurrency,
  type Invoice,
} from '../accounts/billing/invoice.ts';
import { monthOf } from '../accounts/time.ts';
import { toQuotaUsage } from '../accounts/billing/quota.ts';
import type { Caller, QuotaUsage } from '../accounts/model.ts';
import type { Store } from './store.ts';
import { prepareMonthLookup } from './serving/current-plan.ts';
import { and, eq } from './drizzle.ts';
import { usage } from './schema.ts';
import { openAccounts } from './accounts.ts';

/** What is asked of usage: a month (`2026-11`), and one account or all. */
export interface UsageQuery {
  month: string;
  account?: string | undefined;
}

export interface Usage {
  /** Rows of a month by account, in the order of the accounts' names, then of when the versions of their plans were first called under. */
  list(query: UsageQuery): UsageRow[];
  /** The same rows in the order of the accounts' ids, plans and versions: so many of them, those behind `after`. */
  page(query: UsageQuery & Behind<[account: string, plan: string, version: number]>): UsageRow[];
  /** Live calls by chain of keys in the order of their ids: so many of them, those behind `after`. */
  pageOfKeys(query: UsageQuery & Behind<[key: string]>): KeyUsage[];
  /** Live calls of a month by chain of keys, whether of an account or alone. */
  keys(query: UsageQuery): KeyUsage[];
  /** What a caller called in a month; of the present one where none is named. */
  getCallerUsage(caller: UsageOwner, asked: { month: string | null; now: number }): CallerUsage;
  /** Where a caller's account stands; null without a plan. */
  getQuotaUsage(caller: Pick<UsageOwner, 'account' | 'plan'>, now: number): QuotaUsage | null;
}
interface Behind<P> {
  after?: P | undefined;
  limit: number;
}
/** Of whom usage is asked. */
export type UsageOwner = Pick<Caller, 'keyId' | 'account' | 'plan'>;

/** What a chain of keys called in a month. */
export interface KeyUsage {
  /** The first key of the chain. */
  key: string;
  name: string;
  account: string | null;
  month: string;
  calls: number;
}

const OF_KEYS = `SELECT u.key, coalesce(k.name, '') AS name, k.account, u.month, u.calls FROM usage u LEFT JOIN keys k ON k.id = u.key
  WHERE u.month = @month AND (k.account = @account OR @account IS NULL)`;
const KEYS = `${OF_KEYS} ORDER BY k.created, u.key`;
const KEYS_PAGE = `${OF_KEYS} AND u.key > @key ORDER BY u.key LIMIT @limit`;

const OF_ACCOUNTS = `SELECT u.account, u.month, u.plan, u.version, v.terms, u.calls, u.overage, u.test
  FROM account_usage u JOIN accounts a ON a.id = u.account
  LEFT JOIN plan_versions v ON v.plan = u.plan AND v.version = u.version
  WHERE u.month = @month AND (u.account = @account OR @account IS NULL)`;
const LIST = `${OF_ACCOUNTS} ORDER BY a.name, u.account, u.rowid`;
const LIST_PAGE = `${OF_ACCOUNTS} AND (u.account, u.plan, u.version) > (@after, @plan, @version)
  ORDER BY u.account, u.plan, u.version LIMIT @limit`;

type Row = Omit<UsageRow, 'terms'> & { terms: string | null };

const readRow = (row: Row): UsageRow => ({
  ...row,
  terms: row.terms === null ? null : JSON.parse(row.terms),
});

/** Usage as a store holds it. Errors, of each: those of `read` of the store. */
export function openUsage(store: Store): Usage {
  const { raw } = store;
  const list = raw.prepare<[{ month: string; account: string | null }], Row>(LIST);
  const keys = raw.prepare<[{ month: string; account: string | null }], KeyUsage>(KEYS);
  const monthSoFar = prepareMonthLookup(raw);
  const listed = ({ month, account }: UsageQuery) =>
    list.all({ month, account: account ?? null }).map(readRow);
  const ofCaller: Usage['getCallerUsage'] = (caller, { month: asked, now }) => {
    const { keyId, account, plan } = caller;
    if (account === null) {
      const month = asked ?? monthOf(now);
      return toCallerUsageOfKey(month, countCallsOfKey(store, keyId, month));
    }
    const soFar = monthSoFar(account, now);
    const month = asked ?? soFar.month;
    const quotaUsage = plan && month === soFar.month ? toQuotaUsage(plan, soFar) : null;
    return toCallerUsageOfAccount(listed({ month, account }), { month, plan, quotaUsage });
  };
  return {
    keys: ({ month, account }) => store.read(() => keys.all({ month, account: account ?? null })),
    list: (query) => store.read(() => listed(query)),
    page({ month, account = null, after: [after, plan, version] = ['', '', 0], limit }) {
      const asked = { month, account, after, plan, version, limit };
      return raw.prepare<[typeof asked], Row>(LIST_PAGE).all(asked).map(readRow);
    },
    pageOfKeys({ month, account = null, after: [key] = [''], limit }) {
      const asked = { month, account, key, limit };
      return raw.prepare<[typeof asked], KeyUsage>(KEYS_PAGE).all(asked);
    },
    getCallerUsage: (caller, asked) => store.read(() => ofCaller(caller, asked)),
    getQuotaUsage: ({ account, plan }, now) =>
      account === null || !plan ? null : store.read(() => toQuotaUsage(plan, monthSoFar(account, now))),
  };
}

/** How many accepted live calls a chain of keys has made in a month (`2026-11`); 0 where none. */
export function countCallsOfKey(store: Store, keyId: string, month: string): number {
  const own = and(eq(usage.key, keyId), eq(usage.month, month));
  const row = store.read(() => store.db.select({ calls: usage.calls }).from(usage).where(own).get());
  return row?.calls ?? 0;
}

interface Invoices {
  /** The invoices of a month, of every account that called under a plan, or of one. Errors: not_found. */
  of(query: UsageQuery): Invoice[];
  /** The same in the order of their accounts' ids: so many of them, those behind the account `after`. Errors: not_found. */
  page(query: UsageQuery & { after?: [account: string] | undefined; limit: number }): Invoice[];
}

const BILLED = `SELECT DISTINCT account FROM account_usage WHERE month = @month AND (account = @account OR @account IS NULL)
  AND account > @after AND plan <> '' AND calls > 0 ORDER BY account LIMIT @limit`;

/** Invoices are made of usage each time they are asked for, and are the same each time once their month is over. */
export function openInvoices(store: Store): Invoices {
  const accounts = openAccounts(store);
  const usage = openUsage(store);
  const of: Invoices['of'] = (query) => {
    if (query.account !== undefined) accounts.get(query.account);
    const { month } = query;
    const byAccount = Map.groupBy(usage.list(query), ({ account }) => account);
    const invoices = Array.from(byAccount, ([account, rows]): Invoice => {
      const { name } = accounts.get(account);
      return { account, name, month, lines: toInvoiceLines(rows), totals: sumByCurrency(rows) };
    });
    return invoices.filter(({ lines }) => lines.length > 0);
  };
  return {
    of,
    page({ month, account = null, after: [after] = [''], limit }) {
      if (account !== null) accounts.get(account);
      const asked = { month, account, after, limit };
      const billed = store.raw.prepare<[typeof asked], string>(BILLED).pluck().all(asked);
      return billed.flatMap((one) => of({ month, account: one }));
    },
  };
}
