// Lists the invoices of a month, for the command line and for administrative routes.
import type { Invoice, InvoiceLine } from '../accounts/billing/invoice.ts';
import { listInvoicesById } from '../store/usage.ts';
import type { Store } from '../store/store.ts';
import { readPage, type Page } from './paging.ts';
import { toCsv } from './wire.ts';
import { parseUsageQuery, type MonthPageQuery } from './usage.ts';

/** Columns of an invoice line, in order. */
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

/** Returns invoices as CSV with one row for each invoice line. */
export const toInvoicesCsv = (invoices: readonly Invoice[]): string =>
  toCsv([['account', 'name', 'month', ...INVOICE_LINE_COLUMNS], ...invoices.flatMap(rowsOf)]);

const rowsOf = ({ account, name, month, lines }: Invoice) =>
  lines.map((line) => [account, name, month, ...INVOICE_LINE_COLUMNS.map((column) => line[column])]);

/** Returns one page of the invoices of a month, ordered by account id. Errors: invalid_arguments, not_found. */
export function listInvoicePage(
  store: Store,
  { limit, cursor, ...filters }: MonthPageQuery,
  now: number,
): Page<Invoice> {
  const query = parseUsageQuery(filters, now);
  return readPage(
    {
      name: 'invoices',
      filters: query,
      like: [''],
      read: (slice) => listInvoicesById(store, { ...query, ...slice }),
      at: ({ account }) => [account],
      view: (invoice) => invoice,
    },
    { limit, cursor },
  );
}

const escaped = (text: string | number): string =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns invoices as one HTML page that loads no other file. Each invoice is printed on its own sheet. */
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

const sheetOf = ({ account, name, month, lines, totals }: Invoice): string => `<section>
<h1>Invoice ${escaped(month)}</h1>
<p>${escaped(name)}<br>Account ${escaped(account)}<br>Calls of the calendar month ${escaped(month)}, UTC</p>
<table>
<thead><tr><th>Plan</th><th>Calls</th><th>Included</th><th>Overage</th><th>Price per call</th><th>Amount</th></tr></thead>
<tbody>${lines.map(rowOf).join('')}</tbody>
<tfoot>${totals.map(({ currency, amount }) => `<tr><td colspan="5">Total</td><td>${amount} ${escaped(currency)}</td></tr>`).join('')}</tfoot>
</table>
</section>`;

function rowOf({ plan, version, calls, included, overage, price, currency, amount }: InvoiceLine): string {
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
