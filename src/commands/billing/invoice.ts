import type { Invoice } from '../../accounts/billing/invoice.ts';
import { invoicePage } from '../../admin/billing/invoice-page.ts';
import { COLUMNS, invoicesCsv } from '../../admin/billing/invoices.ts';
import { monthAsked } from '../../admin/billing/usage.ts';
import { noAccount } from '../../store/billing/accounts.ts';
import { openInvoices } from '../../store/billing/invoices.ts';
import { COMMON, defineCommand, print, table } from '../command.ts';
import { withStore } from '../with-store.ts';
import { MONTH } from './month.ts';

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
      (store) => showAll(args, openInvoices(store).of(monthAsked(args, Date.now()))),
      () => {
        if (args.account !== undefined) noAccount(args.account);
        showAll(args, []);
      },
    ),
});

function showAll(
  args: Parameters<typeof monthAsked>[0] &
    Omit<Parameters<typeof textOf>[1], 'month'> & { json?: boolean | undefined },
  invoices: Invoice[],
): void {
  print(args, invoices, textOf(invoices, { ...args, month: monthAsked(args, Date.now()).month }));
}

function textOf(
  invoices: Invoice[],
  { csv: asCsv, html, month }: { csv?: boolean | undefined; html?: boolean | undefined; month: string },
): string {
  if (html) return invoicePage(invoices, month);
  if (asCsv) return invoicesCsv(invoices);
  if (invoices.length === 0) return `Nothing is billed for ${month}.`;
  return invoices.map(card).join('\n\n');
}

function card({ account, name, month, lines, totals }: Invoice): string {
  const rows = [COLUMNS, ...lines.map((line) => COLUMNS.map((column) => String(line[column])))];
  const sums = totals.map(({ currency, amount }) => `Total ${amount} ${currency}`);
  return [`${name} (${account}), ${month}`, table(rows), ...sums].join('\n');
}
