import { linesOf } from '../../accounts/billing/invoice.ts';
import type { UsageRow } from '../../accounts/billing/invoice.ts';
import { noAccount, openAccounts } from '../../store/sqlite/billing/accounts.ts';
import { openUsage } from '../../store/sqlite/billing/usage.ts';
import type { KeyUsage } from '../../store/sqlite/billing/usage.ts';
import { COMMON, defineCommand, print, table } from '../command.ts';
import { withStore } from '../with-store.ts';
import { csv } from './csv.ts';
import { MONTH, queryOf } from './month.ts';

export default defineCommand({
  meta: { name: 'usage', description: 'Show what was called in a month' },
  args: { ...MONTH, keys: { type: 'boolean', description: 'By key, in place of by account' }, ...COMMON },
  examples: ['usage', 'usage --month 2026-10 --csv', 'usage --keys'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const query = queryOf(args);
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
  args: Parameters<typeof queryOf>[0] & { csv?: boolean | undefined; json?: boolean | undefined },
  { head, rows, data }: Shown,
): void {
  const all = [head, ...rows];
  const text = args.csv ? csv(all) : table(all.map((row) => row.map(String)));
  const nothing = rows.length === 0 && !args.csv;
  print(args, data, nothing ? `Nothing was called in ${queryOf(args).month}.` : text);
}

interface Shown {
  head: string[];
  rows: (string | number)[][];
  data: object[];
}

function byAccount(usage: UsageRow[], names: Map<string, string>): Shown {
  const data = usage.map((row) => {
    const { account, month, plan, version, calls, overage, test } = row;
    const [line] = linesOf([row]);
    const money = {
      price: line?.price ?? null,
      currency: line?.currency ?? null,
      amount: line?.amount ?? null,
    };
    return {
      account,
      name: names.get(account) ?? '',
      month,
      plan: plan || null,
      version,
      calls,
      overage,
      test,
      ...money,
    };
  });
  const head = [
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
  return { head, rows: data.map((row) => Object.values(row).map((cell) => cell ?? '')), data };
}

function byKey(data: KeyUsage[]): Shown {
  const head = ['key', 'name', 'account', 'month', 'calls'];
  return { head, rows: data.map((row) => Object.values(row).map((cell) => cell ?? '')), data };
}
