// Operations on the store that run in its worker thread. Each has a name and takes one value that can be sent to a thread.
import type { AuditAction } from '../accounts/audit.ts';
import type { Invoice, InvoiceTerms } from '../accounts/billing/invoice.ts';
import type { ApiKeyState } from '../accounts/keys.ts';
import type { Config } from '../config/settings.ts';
import { parseDuration } from '../config/values.ts';
import { invalidArgumentError } from '../errors.ts';
import { getWatchRecheckHours } from '../graph/engines.ts';
import { createFileOwnerMark, getOwnerProcessState } from '../platform/temporary-files.ts';
import { recordAuditEntry } from '../store/audit.ts';
import {
  type BillingDetails,
  addKeyToAccount,
  changeBillingDetails,
  closeAccount,
  createAccount,
  getAccount,
  renameAccount,
  reopenAccount,
  type Account,
} from '../store/accounts.ts';
import { changeAtomically } from '../store/audit.ts';
import {
  createJob,
  deleteJob,
  findJob,
  type JobProgress,
  listJobs,
  type NewJob,
  readJobResults,
  releaseJobsOfEndedServers,
  renewJobLease,
  saveJobProgress,
  takeJob,
} from '../store/serving/jobs.ts';
import { issueInvoices } from '../store/usage.ts';
import { createPlan, getPlan, retirePlan } from '../store/plans.ts';
import {
  addTestWebhookMessage,
  findWebhookMessage,
  resendWebhookMessage,
} from '../store/serving/messages.ts';
import type { Store } from '../store/store.ts';
import {
  changePlan,
  readAccountPage,
  readPlanPage,
  setAccountPlan,
  toAccountJson,
  toPlanJson,
} from './accounts.ts';
import { readInvoicePage, toInvoicesCsv, toInvoicesHtml } from './invoices.ts';
import {
  createApiKey,
  findLeakedApiKeys,
  getApiKey,
  type NewApiKeyRequest,
  readApiKeyPage,
  listHarvestingAssessments,
  parseNewApiKey,
  revokeApiKey,
  rotateApiKey,
  toHarvestingAssessmentJson,
} from './keys.ts';
import {
  addWebhookEndpoint,
  readWebhookEndpointPage,
  readEventPage,
  readWebhookMessagePage,
  readWatchPage,
  markAllWatchesForRecheck,
  removeWebhookEndpoint,
  removeWatchOfAnyOwner,
  requireExistingWatch,
  rotateWebhookEndpointSecret,
  toWebhookMessageJson,
  toWatchWithOwnerJson,
  type WatchListQuery,
  type WatchSettings,
} from './events.ts';
import {
  type CallsOverTimeQuery,
  type CallLogQuery,
  getLoggedCall,
  getRefusedCall,
  readAuditLogPage,
  readCallLogPage,
  readRefusedCallPage,
  type RefusalPageQuery,
  summarizeCallsOverTime,
  verifyAuditLogWithHead,
} from './logs.ts';
import { type ListPage, type PageRequest, readListPage } from './paging.ts';
import {
  readApiKeyUsagePage,
  readAccountUsagePage,
  parseUsageQuery,
  toAccountUsageCsv,
  type MonthPageQuery,
} from './usage.ts';

export interface StoreOperationSettings {
  invoiceTerms: InvoiceTerms;
  hasWebhook: boolean;
  watches: WatchSettings;
}

/** Invoice settings if the setting `invoice` is missing. Without an issuer, no invoice can be issued. */
const NO_INVOICE: NonNullable<Config['invoice']> = { tax: [], dueDays: 0, numberPrefix: '' };

export function toStoreOperationSettings({
  invoice,
  webhook,
  watches,
  ...graphSettings
}: Pick<Config, 'invoice' | 'webhook' | 'watches' | 'graph' | 'recheckEveryHours'>): StoreOperationSettings {
  const { issuer, tax, dueDays, numberPrefix } = invoice ?? NO_INVOICE;
  const party = issuer && { name: issuer.name, address: issuer.address, tax_id: issuer.taxId ?? null };
  return {
    invoiceTerms: { issuer: party ?? null, taxes: tax, dueDays, numberPrefix },
    hasWebhook: webhook !== undefined,
    watches: { isOn: watches, recheckEveryHours: getWatchRecheckHours(graphSettings) },
  };
}

/** Throws if the server sends no webhook messages. Errors: invalid_arguments. */
function requireWebhook({ hasWebhook }: StoreOperationSettings): void {
  const text = 'The setting webhook is missing, so nothing is sent. Set webhook.url and webhook.secretFile.';
  if (!hasWebhook) throw invalidArgumentError(text, '', text);
}

/** Creates a store operation that changes an account and returns the changed account as JSON. */
const onAccount =
  <Input>(change: (store: Store, input: Input, now: number) => Account) =>
  (store: Store, input: Input, now: number) =>
    toAccountJson(change(store, input, now), now);

/** Query for one page of a list, with the format of the answer: `json`, `csv` or `html`. */
type FormattedQuery = MonthPageQuery & { format: string };

/** Formats a page of a list as JSON; in other formats, only its rows. */
const formatPage = <T>(page: ListPage<T>, format: string, toText: (items: T[]) => string) => ({
  text: format === 'json' ? JSON.stringify(page) : toText(page.items),
  next: page.next,
});

/** Returns true if the server that holds a lease has ended. Must be called before this process takes a lease. */
const hasLeaseEnded = (lease: string): boolean => {
  const [mark] = lease.split('.');
  return mark === createFileOwnerMark() || getOwnerProcessState(mark, '') === 'gone';
};

/** Store operations by name. `now` is in milliseconds since 1970. */
export const STORE_OPERATIONS = {
  'keys.list': (
    store: Store,
    query: { account?: string | undefined; state?: ApiKeyState | undefined } & PageRequest,
    now: number,
  ) => readApiKeyPage(store, query, now),
  'keys.create': (store: Store, request: NewApiKeyRequest, now: number) =>
    createApiKey(store, parseNewApiKey(request, now), now),
  'keys.show': (store: Store, id: string) => getApiKey(store, id),
  'keys.rotate': (store: Store, { id, grace }: { id: string; grace: string }, now: number) =>
    rotateApiKey(store, { id, graceMs: parseDuration(grace) ?? 0 }, now),
  'keys.revoke': (store: Store, id: string, now: number) => revokeApiKey(store, id, now),
  'keys.verify': (store: Store, text: string, now: number) => findLeakedApiKeys(store, text, now),
  'keys.probes': (store: Store, _: null, now: number) => ({
    items: listHarvestingAssessments(store, now).map(toHarvestingAssessmentJson),
  }),
  'plans.list': (store: Store, paging: PageRequest) => readPlanPage(store, paging),
  'plans.show': (store: Store, id: string) => toPlanJson(getPlan(store, id)),
  'plans.create': (store: Store, { id, ...terms }: { id: string } & Record<string, unknown>, now: number) =>
    toPlanJson(createPlan(store, id, terms, now)),
  'plans.change': (store: Store, change: Parameters<typeof changePlan>[1], now: number) =>
    toPlanJson(changePlan(store, change, now)),
  'plans.retire': (store: Store, id: string, now: number) => toPlanJson(retirePlan(store, id, now)),
  'accounts.list': (store: Store, paging: PageRequest, now: number) => readAccountPage(store, paging, now),
  'accounts.show': onAccount((store, id: string) => getAccount(store, id)),
  'accounts.create': onAccount((store, request: { name: string; plan?: string | null | undefined }, now) =>
    createAccount(store, request, now),
  ),
  'accounts.rename': onAccount((store, { id, name }: { id: string; name: string }) =>
    renameAccount(store, id, name),
  ),
  'accounts.change': onAccount(
    (store, { id, name, ...details }: { id: string; name?: string | undefined } & BillingDetails) =>
      changeAtomically(store, () => {
        if (name !== undefined) renameAccount(store, id, name);
        const isChanged = Object.values(details).some((value) => value !== undefined);
        return isChanged ? changeBillingDetails(store, id, details) : getAccount(store, id);
      }),
  ),
  'accounts.plan': onAccount(setAccountPlan),
  'accounts.join': onAccount((store, { id, key }: { id: string; key: string }) =>
    addKeyToAccount(store, id, key),
  ),
  'accounts.close': onAccount((store, id: string, now) => closeAccount(store, id, now)),
  'accounts.reopen': onAccount((store, id: string) => reopenAccount(store, id)),
  'usage.list': (store: Store, { format, ...query }: FormattedQuery, now: number) =>
    formatPage(readAccountUsagePage(store, query, now), format, toAccountUsageCsv),
  'usage.keys': (store: Store, query: MonthPageQuery, now: number) => readApiKeyUsagePage(store, query, now),
  'invoices.list': (
    store: Store,
    { format, ...query }: FormattedQuery,
    now: number,
    { invoiceTerms: terms }: StoreOperationSettings,
  ) => {
    const { month } = parseUsageQuery(query, now);
    const toHtml = (invoices: Invoice[]) => toInvoicesHtml(invoices, month);
    const page = readInvoicePage(store, query, { terms, now });
    return formatPage(page, format, format === 'csv' ? toInvoicesCsv : toHtml);
  },
  'invoices.issue': (
    store: Store,
    query: { month: string; account?: string | undefined },
    now: number,
    { invoiceTerms: terms }: StoreOperationSettings,
  ) => ({ items: issueInvoices(store, parseUsageQuery(query, now), { terms, now }) }),
  'audit.list': (store: Store, query: Parameters<typeof readAuditLogPage>[1]) =>
    readAuditLogPage(store, query),
  'audit.verify': (store: Store, head: string | undefined) => verifyAuditLogWithHead(store, head),
  activity: (store: Store, query: CallsOverTimeQuery, now: number) =>
    summarizeCallsOverTime(store, query, now),
  'requests.list': (store: Store, query: CallLogQuery) => readCallLogPage(store, query),
  'requests.show': (store: Store, id: string) => getLoggedCall(store, id),
  'refusals.list': (store: Store, query: RefusalPageQuery) => readRefusedCallPage(store, query),
  'refusals.show': (store: Store, id: string) => getRefusedCall(store, id),
  'watches.list': (store: Store, query: WatchListQuery, _: number, { watches }: StoreOperationSettings) =>
    readWatchPage(store, query, watches),
  'watches.show': (store: Store, id: string, _: number, { watches }: StoreOperationSettings) =>
    toWatchWithOwnerJson(requireExistingWatch(store, id), watches.recheckEveryHours),
  'watches.delete': (store: Store, id: string, now: number) => removeWatchOfAnyOwner(store, id, now),
  'watches.recheck': (store: Store, _: null, now: number) => markAllWatchesForRecheck(store, now),
  'events.list': (store: Store, query: Parameters<typeof readEventPage>[1]) => readEventPage(store, query),
  'endpoints.list': (store: Store, query: Parameters<typeof readWebhookEndpointPage>[1]) =>
    readWebhookEndpointPage(store, query),
  'endpoints.add': (store: Store, endpoint: Parameters<typeof addWebhookEndpoint>[1], now: number) =>
    addWebhookEndpoint(store, endpoint, now),
  'endpoints.rotate': (store: Store, change: { id: string; secret: Uint8Array }, now: number) =>
    rotateWebhookEndpointSecret(store, change, now),
  'endpoints.remove': (store: Store, id: string, now: number) => removeWebhookEndpoint(store, id, now),
  'webhooks.list': (store: Store, query: Parameters<typeof readWebhookMessagePage>[1]) =>
    readWebhookMessagePage(store, query),
  'webhooks.send': (store: Store, id: string, now: number, settings: StoreOperationSettings) => {
    if ((findWebhookMessage(store, id)?.endpoint ?? null) === null) requireWebhook(settings);
    return toWebhookMessageJson(resendWebhookMessage(store, id, now));
  },
  'webhooks.test': (store: Store, _: null, now: number, settings: StoreOperationSettings) => {
    requireWebhook(settings);
    return toWebhookMessageJson(addTestWebhookMessage(store, now));
  },
  'jobs.create': (store: Store, job: NewJob, now: number) => createJob(store, job, now),
  'jobs.list': (store: Store, { owner, ...paging }: { owner: string } & PageRequest, now: number) =>
    readListPage(
      {
        name: 'jobs',
        filters: { owner },
        like: [0, ''],
        read: (slice) => listJobs(store, { owner, ...slice }, now),
        at: ({ created, id }) => [created, id],
        view: (job) => job,
      },
      paging,
    ),
  'jobs.show': (store: Store, job: { id: string; owner: string }, now: number) => findJob(store, job, now),
  'jobs.results': (store: Store, from: { id: string; from: number }) => readJobResults(store, from),
  'jobs.delete': (store: Store, job: { id: string; owner: string }, now: number) =>
    deleteJob(store, job, now),
  'jobs.take': (store: Store, lease: { lease: string; leaseMs: number }, now: number) =>
    takeJob(store, lease, now),
  'jobs.renew': (store: Store, lease: Parameters<typeof renewJobLease>[1], now: number) =>
    renewJobLease(store, lease, now),
  'jobs.save': (store: Store, progress: JobProgress, now: number) => saveJobProgress(store, progress, now),
  /** Releases the jobs of ended servers on this machine, so that another server continues them. */
  'jobs.release': (store: Store, _: null, now: number) =>
    releaseJobsOfEndedServers(store, hasLeaseEnded, now),
  /** Adds an action outside the store to the audit log. */
  note: (store: Store, done: Omit<AuditAction, 'actor'>, now: number) => recordAuditEntry(store, done, now),
};

export type StoreOperation = keyof typeof STORE_OPERATIONS;
export type StoreOperationInput<Name extends StoreOperation> = Parameters<(typeof STORE_OPERATIONS)[Name]>[1];
export type StoreOperationResult<Name extends StoreOperation> = ReturnType<(typeof STORE_OPERATIONS)[Name]>;
