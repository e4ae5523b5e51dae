// Commands `bonafide usage` and `bonafide invoice`: calls and amounts of one month.
import type { Invoice } from '../../accounts/billing/invoice.ts';
import {
  describeInvoiceStatus,
  INVOICE_LINE_COLUMNS,
  toInvoicesCsv,
  toInvoicesHtml,
} from '../../admin/invoices.ts';
import { toStoreOperationSettings } from '../../admin/store-operations.ts';
import {
  ACCOUNT_USAGE_COLUMNS,
  API_KEY_USAGE_COLUMNS,
  listUsageWithoutAccount,
  toTableRows,
  parseUsageQuery,
  toAccountUsageJson,
} from '../../admin/usage.ts';
import { toCsv } from '../../admin/wire.ts';
import { getAccount, listAccountsSortedByName } from '../../store/accounts.ts';
import type { Store } from '../../store/store.ts';
import {
  issueInvoices,
  listInvoices,
  listApiKeyUsage,
  listAccountUsage,
  type UsageQuery,
} from '../../store/usage.ts';
import { defineFlag, defineOption, defineOptionalArgument, createUsageError } from '../helpers/arguments.ts';
import { defineCommand, formatTable, loadSettings, printResult } from '../helpers/command.ts';
import { withStore } from '../helpers/open.ts';

const MONTH_OPTIONS = {
  month: defineOption('Month in UTC, such as 2026-10 (default the current month)', 'month'),
  account: defineOption('Only this account', 'acc_…'),
  csv: defineFlag('Print CSV'),
};

export const usageCommand = defineCommand('Show the number of calls in a month', {
  args: { ...MONTH_OPTIONS, keys: defineFlag('Number of calls by key, in place of by account') },
  examples: ['usage', 'usage --month 2026-10 --csv', 'usage --keys'],
  run: async (args) => {
    const query = parseUsageQuery(args, Date.now());
    const list = args.keys ? listUsageByKey : listUsageByAccount;
    const { data, cells } = await withStore(args, 'empty', (store) => list(store, query));
    if (args.csv) return printResult(args, data, toCsv(cells));
    const total = data.reduce((sum, { calls }) => sum + calls, 0);
    const table = `${formatTable(cells.map((row) => row.map(String)))}\nTotal ${total} ${total === 1 ? 'call' : 'calls'}`;
    printResult(args, data, data.length === 0 ? `No calls in ${query.month}.` : table);
  },
});

function listUsageByAccount(store: Store, query: UsageQuery) {
  if (query.account !== undefined) getAccount(store, query.account);
  const names = new Map(listAccountsSortedByName(store).map(({ id, name }) => [id, name]));
  const ofAccounts = listAccountUsage(store, query).map((row) =>
    toAccountUsageJson(row, names.get(row.account) ?? ''),
  );
  const data = [
    ...ofAccounts,
    ...(query.account === undefined ? listUsageWithoutAccount(store, query.month) : []),
  ];
  return { data, cells: toTableRows(ACCOUNT_USAGE_COLUMNS, data) };
}

function listUsageByKey(store: Store, query: UsageQuery) {
  if (query.account !== undefined) getAccount(store, query.account);
  const data = listApiKeyUsage(store, query);
  return { data, cells: toTableRows(API_KEY_USAGE_COLUMNS, data) };
}

export const invoiceCommand = defineCommand('Show the invoices of a month, or give them their numbers', {
  args: {
    issue: defineOptionalArgument(
      'Give the invoices of a finished month their numbers; they never change again',
      'issue',
    ),
    ...MONTH_OPTIONS,
    html: defineFlag('Print an HTML page, ready for printing'),
  },
  examples: [
    'invoice --month 2026-10',
    'invoice issue --month 2026-10',
    'invoice --month 2026-10 --html > october.html',
  ],
  run: async (args) => {
    const isIssuing = args.issue !== undefined;
    if (isIssuing && args.issue !== 'issue')
      throw createUsageError('The only argument of `bonafide invoice` is issue.');
    if (isIssuing && args.month === undefined)
      throw createUsageError('invoice issue needs --month, such as --month 2026-10.');
    const now = Date.now();
    const query = parseUsageQuery(args, now);
    const { invoiceTerms: terms } = toStoreOperationSettings(await loadSettings(args));
    const read = isIssuing ? issueInvoices : listInvoices;
    const invoices = await withStore(args, 'empty', (store) => read(store, query, { terms, now }));
    printResult(args, invoices, formatInvoices(invoices, { ...args, month: query.month }));
  },
});

function formatInvoices(
  invoices: Invoice[],
  form: { csv?: boolean | undefined; html?: boolean | undefined; month: string },
): string {
  if (form.html) return toInvoicesHtml(invoices, form.month);
  if (form.csv) return toInvoicesCsv(invoices);
  if (invoices.length === 0) return `Nothing is billed for ${form.month}.`;
  return invoices.map(formatInvoice).join('\n\n');
}

function formatInvoice(invoice: Invoice): string {
  const { account, name, month, lines, taxes, totals } = invoice;
  const rows = [
    INVOICE_LINE_COLUMNS,
    ...lines.map((line) => INVOICE_LINE_COLUMNS.map((column) => String(line[column]))),
  ];
  const sums = [
    ...taxes.map((tax) => `${tax.name} ${tax.rate} % ${tax.amount} ${tax.currency}`),
    ...totals.map(({ total, currency }) => `Total ${total} ${currency}`),
  ];
  return [
    `${name} (${account}), ${month}. ${describeInvoiceStatus(invoice)}`,
    formatTable(rows),
    ...sums,
  ].join('\n');
}
