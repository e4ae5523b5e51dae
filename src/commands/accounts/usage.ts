import type { UsageRow, Invoice } from '../../accounts/billing/invoice.ts';
import { throwAccountNotFound, openAccounts } from '../../store/accounts.ts';
import { openUsage, type KeyUsage, openInvoices } from '../../store/usage.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { withStore } from '../shared/open.ts';
import { toCsv } from '../../admin/wire.ts';
import {
  ACCOUNT_USAGE_COLUMNS,
  KEY_USAGE_COLUMNS,
  toCells,
  parseUsageQuery,
  toUsageJson,
} from '../../admin/usage.ts';
import { toInvoicesHtml, INVOICE_LINE_COLUMNS, toInvoicesCsv } from '../../admin/invoices.ts';
import type { ArgsDef } from 'citty';

/** What the commands about a month are asked for. */
const MONTH = {
  month: {
    type: 'string',
    description: 'The month, such as 2026-10, by UTC (default this one)',
    valueHint: 'month',
  },
  account: { type: 'string', description: 'One account alone', valueHint: 'acc_…' },
  csv: { type: 'boolean', description: 'Print CSV' },
} as const satisfies ArgsDef;

export const usageCommand = defineCommand({
  meta: { name: 'usage', description: 'Show what was called in a month' },
  args: {
    ...MONTH,
    keys: { type: 'boolean', description: 'By key, in place of by account' },
    ...COMMON_OPTIONS,
  },
  examples: ['usage', 'usage --month 2026-10 --csv', 'usage --keys'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => {
        const query = parseUsageQuery(args, Date.now());
        const accounts = openAccounts(store);
        if (query.account !== undefined) accounts.get(query.account);
        const usage = openUsage(store);
        const names = new Map(accounts.list().map(({ id, name }) => [id, name]));
        printUsage(args, args.keys ? byKey(usage.keys(query)) : byAccount(usage.list(query), names));
      },
      () => {
        if (args.account !== undefined) throwAccountNotFound(args.account);
        printUsage(args, args.keys ? byKey([]) : byAccount([], new Map()));
      },
    ),
});

function printUsage(
  args: Parameters<typeof parseUsageQuery>[0] & { csv?: boolean | undefined; json?: boolean | undefined },
  { cells, data }: Shown,
): void {
  const text = args.csv ? toCsv(cells) : formatTable(cells.map((row) => row.map(String)));
  const nothing = data.length === 0 && !args.csv;
  print(args, data, nothing ? `Nothing was called in ${parseUsageQuery(args, Date.now()).month}.` : text);
}

interface Shown {
  /** With the names of the columns. */
  cells: (string | number)[][];
  data: object[];
}

const byAccount = (usage: UsageRow[], names: Map<string, string>): Shown => {
  const data = usage.map((row) => toUsageJson(row, names.get(row.account) ?? ''));
  return { cells: toCells(ACCOUNT_USAGE_COLUMNS, data), data };
};

const byKey = (data: KeyUsage[]): Shown => ({ cells: toCells(KEY_USAGE_COLUMNS, data), data });

export const invoiceCommand = defineCommand({
  meta: { name: 'invoice', description: 'Show what is billed for a month' },
  args: {
    ...MONTH,
    html: { type: 'boolean', description: 'Print a page for a browser, to be printed' },
    ...COMMON_OPTIONS,
  },
  examples: ['invoice --month 2026-10', 'invoice --month 2026-10 --html > october.html'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => printInvoices(args, openInvoices(store).of(parseUsageQuery(args, Date.now()))),
      () => {
        if (args.account !== undefined) throwAccountNotFound(args.account);
        printInvoices(args, []);
      },
    ),
});

function printInvoices(
  args: Parameters<typeof parseUsageQuery>[0] &
    Omit<Parameters<typeof textOf>[1], 'month'> & { json?: boolean | undefined },
  invoices: Invoice[],
): void {
  print(args, invoices, textOf(invoices, { ...args, month: parseUsageQuery(args, Date.now()).month }));
}

function textOf(
  invoices: Invoice[],
  { csv: asCsv, html, month }: { csv?: boolean | undefined; html?: boolean | undefined; month: string },
): string {
  if (html) return toInvoicesHtml(invoices, month);
  if (asCsv) return toInvoicesCsv(invoices);
  if (invoices.length === 0) return `Nothing is billed for ${month}.`;
  return invoices.map(invoiceText).join('\n\n');
}

function invoiceText({ account, name, month, lines, totals }: Invoice): string {
  const rows = [
    INVOICE_LINE_COLUMNS,
    ...lines.map((line) => INVOICE_LINE_COLUMNS.map((column) => String(line[column]))),
  ];
  const sums = totals.map(({ currency, amount }) => `Total ${amount} ${currency}`);
  return [`${name} (${account}), ${month}`, formatTable(rows), ...sums].join('\n');
}
