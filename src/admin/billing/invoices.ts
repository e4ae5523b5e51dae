// What is billed for a month, as an operator sees it, at the command line and over HTTP.
import type { Invoice, InvoiceLine } from '../../accounts/billing/invoice.ts';
import { openInvoices } from '../../store/usage.ts';
import type { Store } from '../../store/store.ts';
import { pageOf, sliceOf, type Page } from '../page.ts';
import { csv } from '../csv.ts';
import { monthAsked, type MonthAsked } from './usage.ts';

export const COLUMNS: (keyof InvoiceLine)[] = [
  'plan',
  'version',
  'calls',
  'included',
  'overage',
  'price',
  'currency',
  'amount',
];

/** Invoices as CSV, a row for each line. */
export const invoicesCsv = (invoices: readonly Invoice[]): string =>
  csv([['account', 'name', 'month', ...COLUMNS], ...invoices.flatMap(rowsOf)]);

const rowsOf = ({ account, name, month, lines }: Invoice) =>
  lines.map((line) => [account, name, month, ...COLUMNS.map((column) => line[column])]);

/** A page of the invoices of a month, in the order of their accounts' ids. Errors: invalid_arguments, not_found. */
export function pageOfInvoices(
  store: Store,
  { limit: most, cursor, ...asked }: MonthAsked,
  now: number,
): Page<Invoice> {
  const query = monthAsked(asked, now);
  const listing = { name: 'invoices', filters: query, like: [''] as [string] };
  const { limit, after } = sliceOf(listing, { limit: most, cursor });
  const rows = openInvoices(store).page({ ...query, after, limit: limit + 1 });
  return pageOf(listing, { rows, limit, at: ({ account }): [string] => [account], view: (row) => row });
}
