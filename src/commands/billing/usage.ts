import type { UsageRow } from '../../accounts/billing/invoice.ts';
import { csv } from '../../admin/csv.ts';
import { BY_ACCOUNT, BY_KEY, cellsOf, monthAsked, usageView } from '../../admin/billing/usage.ts';
import { noAccount, openAccounts } from '../../store/billing/accounts.ts';
import { openUsage } from '../../store/billing/usage.ts';
import type { KeyUsage } from '../../store/billing/usage.ts';
import { COMMON, defineCommand, print, table } from '../command.ts';
import { withStore } from '../with-store.ts';
import { MONTH } from './month.ts';

export default defineCommand({
  meta: { name: 'usage', description: 'Show what was called in a month' },
  args: { ...MONTH, keys: { type: 'boolean', description: 'By key, in place of by account' }, ...COMMON },
  examples: ['usage', 'usage --month 2026-10 --csv', 'usage --keys'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const query = monthAsked(args, Date.now());
        const accounts = openAccounts(store);
        if (query.account !== undefined) accounts.get(query.account);
        const usage = openUsage(store);
        const names = new Map(accounts.list().map(({ id, name }) => [id, name]));
        showAll(args, args.keys ? byKey(usage.keys(query)) : byAccount(usage.list(query), names));
      },
      () => {
        if (args.account !== undefined) noAccount(args.account);
        showAll(args, args.keys ? byKey([]) : byAccount([], new Map()));
      },
    ),
});

function showAll(
  args: Parameters<typeof monthAsked>[0] & { csv?: boolean | undefined; json?: boolean | undefined },
  { cells, data }: Shown,
): void {
  const text = args.csv ? csv(cells) : table(cells.map((row) => row.map(String)));
  const nothing = data.length === 0 && !args.csv;
  print(args, data, nothing ? `Nothing was called in ${monthAsked(args, Date.now()).month}.` : text);
}

interface Shown {
  /** With the names of the columns. */
  cells: (string | number)[][];
  data: object[];
}

const byAccount = (usage: UsageRow[], names: Map<string, string>): Shown => {
  const data = usage.map((row) => usageView(row, names.get(row.account) ?? ''));
  return { cells: cellsOf(BY_ACCOUNT, data), data };
};

const byKey = (data: KeyUsage[]): Shown => ({ cells: cellsOf(BY_KEY, data), data });
