import { linesOf, totalsOf } from '../../accounts/billing/invoice.ts';
import type { Invoice } from '../../accounts/billing/invoice.ts';
import type { Store } from '../store.ts';
import { openAccounts } from './accounts.ts';
import { openUsage } from './usage.ts';
import type { UsageQuery } from './usage.ts';

export interface Invoices {
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
      return { account, name, month, lines: linesOf(rows), totals: totalsOf(rows) };
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
