// Invoices of a month. A draft is made of usage each time; an issued invoice is stored with its number, and never changes.
import {
  computeInvoice,
  hasAmountDue,
  isMonthComplete,
  toIssuedInvoice,
} from '../accounts/billing/invoice.ts';
import type { Invoice, InvoiceTerms, UsageRow } from '../accounts/billing/invoice.ts';
import { invalidArgument } from '../errors.ts';
import { preparePerConnection } from '../platform/sqlite.ts';
import { getAccount } from './accounts.ts';
import { changeAtomically, recordAuditEntry } from './audit.ts';
import type { SqlConnection, Store } from './store.ts';
import { listUsage, type UsagePageQuery, type UsageQuery } from './usage.ts';

/** Terms and time by which drafts are made. `now` is milliseconds since 1970. */
interface InvoiceContext {
  terms: InvoiceTerms;
  now: number;
}

const statements = preparePerConnection((db: SqlConnection) => ({
  accounts: db
    .prepare<[object], string>(
      `SELECT DISTINCT account FROM account_usage WHERE month = @month AND (account = @account OR @account IS NULL)
         AND account > @after AND plan <> '' AND calls > 0 ORDER BY account LIMIT @limit`,
    )
    .pluck(),
  issued: db
    .prepare<[object], string>(
      'SELECT invoice FROM invoices WHERE month = @month AND (account = @account OR @account IS NULL)',
    )
    .pluck(),
  last: db.prepare<[string], number | null>('SELECT max(seq) FROM invoices WHERE issuer = ?').pluck(),
  insert: db.prepare(
    'INSERT INTO invoices (issuer, seq, account, month, issued, invoice) VALUES (?, ?, ?, ?, ?, ?)',
  ),
}));

/** Returns the invoices of a month, of one account or of all accounts that called under a plan, ordered by account name. Errors: not_found. */
export function listInvoices(
  store: Store,
  { month, account }: UsageQuery,
  context: InvoiceContext,
): Invoice[] {
  if (account !== undefined) getAccount(store, account);
  const texts = statements(store.raw).issued.all({ month, account: account ?? null });
  const issued = texts.map((text): Invoice => JSON.parse(text));
  const issuedByAccount = new Map(issued.map((invoice) => [invoice.account, invoice]));
  const rowsByAccount = Map.groupBy(listUsage(store, { month, account }), (row) => row.account);
  const invoices = Array.from(
    rowsByAccount,
    ([id, rows]) => issuedByAccount.get(id) ?? createDraft(store, { account: id, month, rows }, context),
  );
  return invoices.filter(({ lines }) => lines.length > 0);
}

function createDraft(
  store: Store,
  { account: id, month, rows }: { account: string; month: string; rows: UsageRow[] },
  { terms, now }: InvoiceContext,
): Invoice {
  const { name, billingName, billingAddress, taxId } = getAccount(store, id);
  return {
    account: id,
    name,
    month,
    status: 'draft',
    complete: isMonthComplete(month, now),
    number: null,
    date: null,
    due_date: null,
    issuer: terms.issuer,
    customer: { name: billingName ?? name, address: billingAddress, tax_id: taxId },
    ...computeInvoice(rows, terms.taxes),
  };
}

/** Returns one page of the invoices of a month, ordered by account id. Errors: not_found. */
export function listInvoicesById(
  store: Store,
  { month, account, after: [after] = [''], limit }: UsagePageQuery<[account: string]>,
  context: InvoiceContext,
): Invoice[] {
  if (account !== undefined) getAccount(store, account);
  const ids = statements(store.raw).accounts.all({ month, account: account ?? null, after, limit });
  return ids.flatMap((id) => listInvoices(store, { month, account: id }, context));
}

/**
 * Issues the invoices of a finished month: each that has an amount due gets the next number of its issuer. Returns them with those that
 * were issued before, which stay as they are. Writers run one after another, so that the numbers of an issuer have no gap.
 *
 * Errors: invalid_arguments if the month is not over, or without an issuer; not_found; those of `changeAtomically`.
 */
export function issueInvoices(store: Store, query: UsageQuery, context: InvoiceContext): Invoice[] {
  const { terms, now } = context;
  const { issuer } = terms;
  if (!issuer) throw invalidArgument(`${NO_ISSUER}.`, '', `${NO_ISSUER}.`);
  if (!isMonthComplete(query.month, now)) {
    const detail = `${query.month} is not over. Issue its invoices from ten minutes after its end (UTC) on.`;
    throw invalidArgument(detail, 'month', detail);
  }
  return changeAtomically(store, () => {
    const { last, insert } = statements(store.raw);
    const first = (last.get(issuer.name) ?? 0) + 1;
    let seq = first;
    const invoices = listInvoices(store, query, context).filter(hasAmountDue);
    const issued = invoices.map((invoice) => {
      if (invoice.status === 'issued') return invoice;
      const next = toIssuedInvoice(invoice, terms, { seq, now });
      insert.run(issuer.name, seq++, next.account, next.month, now, JSON.stringify(next));
      return next;
    });
    const detail = { issuer: issuer.name, first, count: seq - first };
    if (seq > first) recordAuditEntry(store, { act: 'invoices.issue', target: query.month, detail }, now);
    return issued;
  });
}

const NO_ISSUER = 'The setting invoice.issuer is missing: invoices need the name of their issuer';
