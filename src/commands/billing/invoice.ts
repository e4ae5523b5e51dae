import type { Invoice, InvoiceLine } from '../../accounts/billing/invoice.ts';
import { noAccount } from '../../store/sqlite/billing/accounts.ts';
import { openInvoices } from '../../store/sqlite/billing/invoices.ts';
import { COMMON, defineCommand, print, table } from '../command.ts';
import { withStore } from '../with-store.ts';
import { csv } from './csv.ts';
import { invoicePage } from './invoice-page.ts';
import { MONTH, queryOf } from './month.ts';

export default defineCommand({
  meta: { name: 'invoice', description: 'Show what is billed for a month' },
  args: {
    ...MONTH,
    html: { type: 'boolean', description: 'Print a page for a browser, to be printed' },
    ...COMMON,
  },
  examples: ['invoice --month 2026-10', 'invoice --month 2026-10 --html > october.html'],
  run: ({ args }) =>
    withStore(
      args,
      (store) => showAll(args, openInvoices(store).of(queryOf(args))),
      () => {
        if (args.account !== undefined) noAccount(args.account);
        showAll(args, []);
      },
    ),
});

function showAll(
  args: Parameters<typeof queryOf>[0] &
    Omit<Parameters<typeof textOf>[1], 'month'> & { json?: boolean | undefined },
  invoices: Invoice[],
): void {
  print(args, invoices, textOf(invoices, { ...args, month: queryOf(args).month }));
}

function textOf(
  invoices: Invoice[],
  { csv: asCsv, html, month }: { csv?: boolean | undefined; html?: boolean | undefined; month: string },
): string {
  if (html) return invoicePage(invoices, month);
  if (asCsv) return csv([['account', 'name', 'month', ...COLUMNS], ...invoices.flatMap(csvRows)]);
  if (invoices.length === 0) return `Nothing is billed for ${month}.`;
  return invoices.map(card).join('\n\n');
}

const COLUMNS: (keyof InvoiceLine)[] = [
  'plan',
  'version',
  'calls',
  'included',
  'overage',
  'price',
  'currency',
  'amount',
];
const cellsOf = (line: InvoiceLine) => COLUMNS.map((column) => line[column]);

const csvRows = ({ account, name, month, lines }: Invoice) =>
  lines.map((line) => [account, name, month, ...cellsOf(line)]);

function card({ account, name, month, lines, totals }: Invoice): string {
  const rows = [COLUMNS, ...lines.map((line) => cellsOf(line).map(String))];
  const sums = totals.map(({ currency, amount }) => `Total ${amount} ${currency}`);
  return [`${name} (${account}), ${month}`, table(rows), ...sums].join('\n');
}
