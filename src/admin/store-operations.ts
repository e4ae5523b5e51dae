// Operations on the store that run in its worker thread. Each has a name and takes one value that can be sent to a thread.
import type { Invoice, InvoiceSettings } from '../accounts/billing/invoice.ts';
import type { Config } from '../config/settings.ts';
import { parseDuration } from '../config/values.ts';
import { invalidArgumentError } from '../errors.ts';
import { getWatchRecheckIntervalHours } from '../graph/engines.ts';
import { createFileOwnerMark, getOwnerProcessState } from '../platform/temporary-files.ts';
import * as accounts from '../store/accounts.ts';
import { changeAtomically, recordAuditEntry } from '../store/audit.ts';
import * as jobs from '../store/serving/jobs.ts';
import { issueInvoices } from '../store/usage.ts';
import { createPlan, getPlan, type Plan, retirePlan } from '../store/plans.ts';
import * as messages from '../store/serving/messages.ts';
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
import * as keys from './keys.ts';
import * as events from './events.ts';
import * as logs from './logs.ts';
import { type ListPage, type PageRequest, readListPage } from './paging.ts';
import {
  type PagedMonthQuery,
  parseUsageQuery,
  readAccountUsagePage,
  readApiKeyUsagePage,
  toAccountUsageCsv,
} from './usage.ts';

export interface StoreOperationSettings {
  invoiceTerms: InvoiceSettings;
  hasWebhook: boolean;
  watches: events.WatchSettings;
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
    watches: { isOn: watches, recheckEveryHours: getWatchRecheckIntervalHours(graphSettings) },
  };
}

/** Throws if the server sends no webhook messages. Errors: invalid_arguments. */
function requireWebhook({ hasWebhook }: StoreOperationSettings): void {
  const text = 'The setting webhook is missing, so nothing is sent. Set webhook.url and webhook.secretFile.';
  if (!hasWebhook) throw invalidArgumentError(text, '', text);
}

/** Creates a store operation on an account, which returns the account as JSON. */
const onAccount =
  <Input>(change: (store: Store, input: Input, now: number) => accounts.Account) =>
  (store: Store, input: Input, now: number) =>
    toAccountJson(change(store, input, now), now);

/** Creates a store operation on a plan, which returns the plan as JSON. */
const onPlan =
  <Input>(change: (store: Store, input: Input, now: number) => Plan) =>
  (store: Store, input: Input, now: number) =>
    toPlanJson(change(store, input, now));

/** Query for one page of a list, with the format of the answer: `json`, `csv` or `html`. */
type FormattedQuery = PagedMonthQuery & { format: string };

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
  'keys.list': keys.readApiKeyPage,
  'keys.create': (store: Store, request: keys.NewApiKeyRequest, now: number) =>
    keys.createApiKey(store, keys.parseApiKeySettings(request, now), now),
  'keys.show': keys.getApiKey,
  'keys.rotate': (store: Store, { id, grace }: { id: string; grace: string }, now: number) =>
    keys.rotateApiKey(store, { id, graceMs: parseDuration(grace) ?? 0 }, now),
  'keys.revoke': keys.revokeApiKey,
  'keys.verify': keys.findLeakedApiKeys,
  'keys.probes': (store: Store, _: null, now: number) => ({
    items: keys.listHarvestingAssessments(store, now).map(keys.toHarvestingAssessmentJson),
  }),

  'plans.list': readPlanPage,
  'plans.show': onPlan(getPlan),
  'plans.create': onPlan((store, { id, ...terms }: { id: string } & Record<string, unknown>, now) =>
    createPlan(store, id, terms, now),
  ),
  'plans.change': onPlan(changePlan),
  'plans.retire': onPlan(retirePlan),

  'accounts.list': readAccountPage,
  'accounts.show': onAccount(accounts.getAccount),
  'accounts.create': onAccount(accounts.createAccount),
  'accounts.rename': onAccount((store, { id, name }: { id: string; name: string }) =>
    accounts.renameAccount(store, id, name),
  ),
  'accounts.change': onAccount(
    (
      store,
      { id, name, ...details }: { id: string; name?: string | undefined } & accounts.BillingDetailsChange,
    ) =>
      changeAtomically(store, () => {
        if (name !== undefined) accounts.renameAccount(store, id, name);
        const isChanged = Object.values(details).some((value) => value !== undefined);
        return isChanged ? accounts.changeBillingDetails(store, id, details) : accounts.getAccount(store, id);
      }),
  ),
  'accounts.plan': onAccount(setAccountPlan),
  'accounts.join': onAccount((store, { id, key }: { id: string; key: string }) =>
    accounts.addKeyChainToAccount(store, id, key),
  ),
  'accounts.close': onAccount(accounts.closeAccount),
  'accounts.reopen': onAccount(accounts.reopenAccount),

  'usage.list': (store: Store, { format, ...query }: FormattedQuery, now: number) =>
    formatPage(readAccountUsagePage(store, query, now), format, toAccountUsageCsv),
  'usage.keys': readApiKeyUsagePage,
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

  'audit.list': logs.readAuditLogPage,
  'audit.verify': logs.verifyAuditLogWithHead,
  activity: logs.summarizeCallsOverTime,
  'requests.list': logs.readCallLogPage,
  'requests.show': logs.getLoggedCall,
  'refusals.list': logs.readRefusedCallPage,
  'refusals.show': logs.getRefusedCallDetails,

  'watches.list': (
    store: Store,
    query: events.WatchListQuery,
    _: number,
    { watches }: StoreOperationSettings,
  ) => events.readWatchPage(store, query, watches),
  'watches.show': (store: Store, id: string, _: number, { watches }: StoreOperationSettings) =>
    events.toWatchWithOwnerJson(events.requireExistingWatch(store, id), watches.recheckEveryHours),
  'watches.delete': events.removeWatchOfAnyOwner,
  'watches.recheck': (store: Store, _: null, now: number) => events.markAllWatchesForRecheck(store, now),
  'events.list': events.readWatchEventPage,
  'endpoints.list': events.readWebhookEndpointPage,
  'endpoints.add': events.addWebhookEndpoint,
  'endpoints.rotate': events.replaceWebhookEndpointSecret,
  'endpoints.remove': events.removeWebhookEndpoint,
  'webhooks.list': events.readWebhookMessagePage,
  'webhooks.send': (store: Store, id: string, now: number, settings: StoreOperationSettings) => {
    if ((messages.findWebhookMessage(store, id)?.endpoint ?? null) === null) requireWebhook(settings);
    return events.toWebhookMessageJson(messages.resendWebhookMessage(store, id, now));
  },
  'webhooks.test': (store: Store, _: null, now: number, settings: StoreOperationSettings) => {
    requireWebhook(settings);
    return events.toWebhookMessageJson(messages.addOperatorTestWebhookMessage(store, now));
  },

  'jobs.create': jobs.createJob,
  'jobs.list': (store: Store, { owner, ...paging }: { owner: string } & PageRequest, now: number) =>
    readListPage(paging, {
      name: 'jobs',
      filters: { owner },
      like: [0, ''],
      read: (slice) => jobs.listJobs(store, { owner, ...slice }, now),
      at: ({ created, id }) => [created, id],
      view: (job) => job,
    }),
  'jobs.show': jobs.findJob,
  'jobs.results': jobs.readJobResults,
  'jobs.delete': jobs.deleteJob,
  'jobs.take': jobs.leaseNextJob,
  'jobs.renew': jobs.renewJobLease,
  'jobs.save': jobs.saveJobProgress,
  /** Releases the jobs of ended servers on this machine, so that another server continues them. */
  'jobs.release': (store: Store, _: null, now: number) =>
    jobs.releaseJobsOfEndedServers(store, hasLeaseEnded, now),

  /** Adds an action that did not change the store, such as an import, to the audit log. */
  note: recordAuditEntry,
};

export type StoreOperationName = keyof typeof STORE_OPERATIONS;
export type StoreOperationInput<Name extends StoreOperationName> = Parameters<
  (typeof STORE_OPERATIONS)[Name]
>[1];
export type StoreOperationResult<Name extends StoreOperationName> = ReturnType<
  (typeof STORE_OPERATIONS)[Name]
>;
