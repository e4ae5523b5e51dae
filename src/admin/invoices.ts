import type { Invoice, InvoiceLine, InvoiceParty, TaxedInvoiceLine } from '../accounts/billing/invoice.ts';
import { listInvoicesPage } from '../store/usage.ts';
import type { Store } from '../store/store.ts';
import { readListPage, type ListPage } from './paging.ts';
import { toCsv } from './wire.ts';
import { parseUsageQuery, type PagedMonthQuery } from './usage.ts';

export const INVOICE_LINE_COLUMNS: (keyof InvoiceLine)[] = [
  'plan',
  'version',
  'calls',
  'included',
  'overage',
  'price',
  'currency',
  'amount',
];

const TAX_COLUMNS = ['tax', 'total'] as const;
const STATUS_COLUMNS = ['status', 'complete', 'number', 'date', 'due_date'] as const;

export const toInvoicesCsv = (invoices: readonly Invoice[]): string => {
  const columns = ['account', 'name', 'month', ...INVOICE_LINE_COLUMNS, ...TAX_COLUMNS, ...STATUS_COLUMNS];
  return toCsv([columns, ...invoices.flatMap(rowsOf)]);
};

const rowsOf = ({ account, name, month, lines, ...invoice }: Invoice) => {
  const status = STATUS_COLUMNS.map((column) => String(invoice[column] ?? ''));
  return lines.map((line) => {
    const amounts = [...INVOICE_LINE_COLUMNS, ...TAX_COLUMNS].map((column) => line[column]);
    return [account, name, month, ...amounts, ...status];
  });
};

/** Describes the number, date and due date of an invoice. For a draft, says so, and whether its month is over. */
export function describeInvoiceStatus({ number, date, due_date: due, complete }: Invoice): string {
  if (number !== null) return `Invoice ${number} of ${date}, due ${due}`;
  return complete ? 'Draft' : 'Draft: the month is not over';
}

/** Returns one page of the invoices of a month, ordered by account id. Errors: invalid_arguments, not_found. */
export function readInvoicePage(
  store: Store,
  { limit, cursor, ...filters }: PagedMonthQuery,
  context: Parameters<typeof listInvoicesPage>[2],
): ListPage<Invoice> {
  const query = parseUsageQuery(filters, context.now);
  return readListPage(
    { limit, cursor },
    {
      name: 'invoices',
      filters: query,
      like: [''],
      read: (slice) => listInvoicesPage(store, { ...query, ...slice }, context),
      at: ({ account }) => [account],
      view: (invoice) => invoice,
    },
  );
}

const escaped = (text: string | number): string =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Formats invoices as one HTML page that loads no other file. Each invoice is printed on its own sheet. */
export function toInvoicesHtml(invoices: readonly Invoice[], month: string): string {
  const sheets = invoices.map(sheetOf).join('\n') || `<p>No invoices for ${escaped(month)}.</p>`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Invoices ${escaped(month)}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#111}
section{padding:1rem 0;break-after:page}section:last-child{break-after:auto}
h1{font-size:1.4rem;margin:0}p{margin:.2rem 0 1rem}
table{border-collapse:collapse;width:100%}th,td{padding:.35rem .5rem;border-bottom:1px solid #ccc;text-align:right}
th:first-child,td:first-child{text-align:left}tfoot td{font-weight:600;border:0}
</style>
${sheets}
</html>`;
}

function sheetOf(invoice: Invoice): string {
  const { account, month, issuer, customer, lines, taxes, totals } = invoice;
  const sums = [
    ...(taxes.length > 0 ? totals.map(({ amount, currency }) => ['Net', `${amount} ${currency}`]) : []),
    ...taxes.map(({ name, rate, amount, currency }) => [`${name} ${rate} %`, `${amount} ${currency}`]),
    ...totals.map(({ total, currency }) => ['Total', `${total} ${currency}`]),
  ];
  const foot = sums.map(
    ([name = '', sum = '']) => `<tr><td colspan="5">${escaped(name)}</td><td>${escaped(sum)}</td></tr>`,
  );
  return `<section>
<h1>Invoice ${escaped(month)}</h1>
<p><strong>${escaped(describeInvoiceStatus(invoice))}</strong></p>
${issuer ? `<p>From: ${partyOf(issuer)}</p>` : ''}
<p>To: ${partyOf(customer)}<br>Account ${escaped(account)}<br>Calls of the calendar month ${escaped(month)}, UTC</p>
<table>
<thead><tr><th>Plan</th><th>Calls</th><th>Covered by plan</th><th>Overage</th><th>Price per call</th><th>Amount</th></tr></thead>
<tbody>${lines.map(rowOf).join('')}</tbody>
<tfoot>${foot.join('')}</tfoot>
</table>
</section>`;
}

const partyOf = ({ name, address, tax_id: taxId }: InvoiceParty): string =>
  [name, ...address, ...(taxId === null ? [] : [`Tax number ${taxId}`])].map(escaped).join('<br>');

function rowOf({
  plan,
  version,
  calls,
  included,
  overage,
  price,
  currency,
  amount,
}: TaxedInvoiceLine): string {
  const cells = [
    `${plan}, version ${version}`,
    calls,
    included,
    overage,
    `${price} ${currency}`,
    `${amount} ${currency}`,
  ];
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
}
