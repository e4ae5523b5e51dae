// Usage of accounts and keys by month, and invoices. A draft is computed from usage each time; an issued
// invoice is stored with its number and never changes. Errors of each function: those of `read` of the store.
import {
  computeInvoiceAmounts,
  hasAmountDue,
  isMonthFullyCounted,
  toCallerUsage,
  toIssuedInvoice,
} from '../accounts/billing/invoice.ts';
import type { CallerUsage, Invoice, InvoiceSettings, AccountUsageRow } from '../accounts/billing/invoice.ts';
import { toQuotaUsage } from '../accounts/billing/quota.ts';
import type { Caller, QuotaUsage } from '../accounts/model.ts';
import { getMonthOfTime } from '../accounts/time.ts';
import { invalidArgumentError } from '../errors.ts';
import { preparePerConnection } from '../platform/sqlite.ts';
import { getAccount } from './accounts.ts';
import { changeAtomically, recordAuditEntry } from './audit.ts';
import { and, eq } from './drizzle.ts';
import { usage } from './schema.ts';
import { getMonthUsage } from './serving/current-plan.ts';
import type { SqlConnection, Store } from './store.ts';

/** Selects the usage of a month (`2026-11`, UTC), for one account or for all. */
export interface UsageQuery {
  month: string;
  account?: string | undefined;
}

/** Selects one page of usage or invoices. `after` is the cursor: the sort key of the last row on the previous page. */
export interface UsagePageQuery<Cursor> extends UsageQuery {
  after?: Cursor | undefined;
  limit: number;
}

/** Fields of a caller that determine whose usage it sees: chain of API keys, account and plan. */
export type UsageOwner = Pick<Caller, 'keyId' | 'account' | 'plan'>;

export interface ApiKeyUsage {
  /** Id of the first key of a chain of API keys (a key and the keys that replaced it). */
  key: string;
  name: string;
  account: string | null;
  month: string;
  calls: number;
}

type AccountRow = Omit<AccountUsageRow, 'terms'> & { terms: string | null };

const OF_ACCOUNTS = `SELECT u.account, u.month, u.plan, u.version, v.terms, u.calls, u.overage, u.test
  FROM account_usage u JOIN accounts a ON a.id = u.account
  LEFT JOIN plan_versions v ON v.plan = u.plan AND v.version = u.version
  WHERE u.month = @month AND (u.account = @account OR @account IS NULL)`;

/** SQL for the number of live calls in a month whose API key had no account: all calls minus the calls of accounts. */
const WITHOUT_ACCOUNT = `SELECT (SELECT coalesce(sum(calls), 0) FROM usage WHERE month = @month)
  - (SELECT coalesce(sum(calls), 0) FROM account_usage WHERE month = @month)`;

const OF_KEYS = `SELECT u.key, coalesce(k.name, '') AS name, k.account, u.month, u.calls FROM usage u LEFT JOIN keys k ON k.id = u.key
  WHERE u.month = @month AND (k.account = @account OR @account IS NULL)`;

const statements = preparePerConnection((db: SqlConnection) => ({
  accounts: db.prepare<[object], AccountRow>(`${OF_ACCOUNTS} ORDER BY a.name, u.account, u.rowid`),
  accountsPage: db.prepare<[object], AccountRow>(
    `${OF_ACCOUNTS} AND (u.account, u.plan, u.version) > (@after, @plan, @version) ORDER BY u.account, u.plan, u.version LIMIT @limit`,
  ),
  withoutAccount: db.prepare<[object], number | null>(WITHOUT_ACCOUNT).pluck(),
  keys: db.prepare<[object], ApiKeyUsage>(`${OF_KEYS} ORDER BY k.created, u.key`),
  keysPage: db.prepare<[object], ApiKeyUsage>(`${OF_KEYS} AND u.key > @after ORDER BY u.key LIMIT @limit`),
}));

const toUsageRow = (row: AccountRow): AccountUsageRow => ({
  ...row,
  terms: row.terms === null ? null : JSON.parse(row.terms),
});

/** Returns the usage of accounts in a month, sorted by account name, and for each account by the first use of the plan's versions. */
export const listAccountUsage = (store: Store, { month, account }: UsageQuery): AccountUsageRow[] =>
  store.read(() => statements(store.raw).accounts.all({ month, account: account ?? null })).map(toUsageRow);

/** Returns the number of live calls in a month whose API key had no account. */
export const countCallsWithoutAccount = (store: Store, month: string): number =>
  Math.max(0, Number(store.read(() => statements(store.raw).withoutAccount.get({ month })) ?? 0));

export function listAccountUsagePage(
  { raw }: Store,
  query: UsagePageQuery<[account: string, plan: string, version: number]>,
): AccountUsageRow[] {
  const { month, account, after: [after, plan, version] = ['', '', 0], limit } = query;
  const values = { month, account: account ?? null, after, plan, version, limit };
  return statements(raw).accountsPage.all(values).map(toUsageRow);
}

/** Returns the number of live calls in a month for each chain of API keys, in the order in which the keys were created. */
export const listApiKeyUsage = (store: Store, { month, account }: UsageQuery): ApiKeyUsage[] =>
  store.read(() => statements(store.raw).keys.all({ month, account: account ?? null }));

export const listApiKeyUsagePage = (
  { raw }: Store,
  { month, account, after: [after] = [''], limit }: UsagePageQuery<[key: string]>,
): ApiKeyUsage[] => statements(raw).keysPage.all({ month, account: account ?? null, after, limit });

/** Returns the number of live calls in a month (`2026-11`, UTC) of the chain of API keys that begins with `keyId`. */
export function countCallsOfApiKeyChain(store: Store, keyId: string, month: string): number {
  const condition = and(eq(usage.key, keyId), eq(usage.month, month));
  const row = store.read(() => store.db.select({ calls: usage.calls }).from(usage).where(condition).get());
  return row?.calls ?? 0;
}

/** Returns the usage of a caller in a month; a null month is the current month. */
export function getCallerUsage(
  store: Store,
  { keyId, account, plan }: UsageOwner,
  { month: requested, now }: { month: string | null; now: number },
): CallerUsage {
  if (account === null) {
    const month = requested ?? getMonthOfTime(now);
    const calls = countCallsOfApiKeyChain(store, keyId, month);
    return toCallerUsage({ month, calls, plan: null, quotaUsage: null }, []);
  }
  const current = store.read(() => getMonthUsage(store.raw, account, now));
  const month = requested ?? current.month;
  const quotaUsage = plan && month === current.month ? toQuotaUsage(plan, current) : null;
  const rows = listAccountUsage(store, { month, account });
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return toCallerUsage({ month, calls, plan, quotaUsage }, rows);
}

/** Returns the quota usage of a caller's account; null for an account without a plan. `now` is milliseconds since 1970. */
export const getQuotaUsage = (
  store: Store,
  { account, plan }: Pick<UsageOwner, 'account' | 'plan'>,
  now: number,
): QuotaUsage | null =>
  account === null || !plan
    ? null
    : store.read(() => toQuotaUsage(plan, getMonthUsage(store.raw, account, now)));

/** Setting `invoice`, and the present time in milliseconds since 1970, for computing drafts of invoices. */
interface InvoiceContext {
  terms: InvoiceSettings;
  now: number;
}

const invoiceStatements = preparePerConnection((db: SqlConnection) => ({
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

/**
 * Returns the invoices of a month, of one account or of all accounts with calls under a plan, sorted by account name. Computes a draft for an invoice
 * that was not issued. Errors: not_found.
 */
export function listInvoices(
  store: Store,
  { month, account }: UsageQuery,
  context: InvoiceContext,
): Invoice[] {
  if (account !== undefined) getAccount(store, account);
  const texts = invoiceStatements(store.raw).issued.all({ month, account: account ?? null });
  const issued = texts.map((text): Invoice => JSON.parse(text));
  const issuedByAccount = new Map(issued.map((invoice) => [invoice.account, invoice]));
  const rowsByAccount = Map.groupBy(listAccountUsage(store, { month, account }), (row) => row.account);
  const invoices = Array.from(
    rowsByAccount,
    ([id, rows]) => issuedByAccount.get(id) ?? createDraft(store, { account: id, month, rows }, context),
  );
  return invoices.filter(({ lines }) => lines.length > 0);
}

function createDraft(
  store: Store,
  { account: id, month, rows }: { account: string; month: string; rows: AccountUsageRow[] },
  { terms, now }: InvoiceContext,
): Invoice {
  const { name, billingName, billingAddress, taxId } = getAccount(store, id);
  return {
    account: id,
    name,
    month,
    status: 'draft',
    complete: isMonthFullyCounted(month, now),
    number: null,
    date: null,
    due_date: null,
    issuer: terms.issuer,
    customer: { name: billingName ?? name, address: billingAddress, tax_id: taxId },
    ...computeInvoiceAmounts(rows, terms.taxes),
  };
}

export function listInvoicesPage(
  store: Store,
  { month, account, after: [after] = [''], limit }: UsagePageQuery<[account: string]>,
  context: InvoiceContext,
): Invoice[] {
  if (account !== undefined) getAccount(store, account);
  const ids = invoiceStatements(store.raw).accounts.all({ month, account: account ?? null, after, limit });
  return ids.flatMap((id) => listInvoices(store, { month, account: id }, context));
}

/**
 * Issues the invoices of a finished month that have an amount to pay. Returns them together with those that were issued before, which stay unchanged.
 * Numbers of invoices have no gaps. Errors: invalid_arguments if the month is not over or no issuer is configured; not_found; those of
 * `changeAtomically`.
 */
export function issueInvoices(store: Store, query: UsageQuery, context: InvoiceContext): Invoice[] {
  const { terms, now } = context;
  const { issuer } = terms;
  if (!issuer) throw invalidArgumentError(`${NO_ISSUER}.`, '', `${NO_ISSUER}.`);
  if (!isMonthFullyCounted(query.month, now)) {
    const detail = `${query.month} is not over. Issue its invoices from ten minutes after its end (UTC) on.`;
    throw invalidArgumentError(detail, 'month', detail);
  }
  return changeAtomically(store, () => {
    const { last, insert } = invoiceStatements(store.raw);
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
