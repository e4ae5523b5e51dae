// A store with a plan and an account, to which tests commit calls at any time.
import type { PlanTermsInput } from '../../src/accounts/billing/terms.ts';
import { createAccount } from '../../src/store/accounts.ts';
import type { Store } from '../../src/store/store.ts';
import { listInvoices, type UsageQuery } from '../../src/store/usage.ts';
import { createPlan } from '../../src/store/plans.ts';
import { toCallLogRow } from '../../src/store/serving/writer-statements.ts';
import { sampleCall } from '../kit/call.ts';
import { prepareCommitTo, freshStore } from './engines.ts';

export const NOVEMBER = Date.UTC(2026, 10, 1);
export const DAY = 86_400_000;

/** Terms of invoices for an operator without the setting `invoice`. */
const PLAIN_TERMS = { issuer: null, taxes: [], dueDays: 30, numberPrefix: '' };

/** Returns the invoices of a month, without taxes. */
export const listDrafts = (store: Store, query: UsageQuery) =>
  listInvoices(store, query, { terms: PLAIN_TERMS, now: Date.now() });

/** Returns a store with the plan `starter` and an account that has the plan. */
export function createBilledStore(terms: Partial<PlanTermsInput> = {}) {
  const store = freshStore();
  createPlan(store, 'starter', terms, NOVEMBER);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, NOVEMBER).id;
  const commit = prepareCommitTo(store);
  /** Commits a batch of calls of the account; returns the outcome of each call. */
  const call = (now: number, count = 1, over: Parameters<typeof sampleCall>[0] = {}) => {
    const rows = Array.from({ length: count }, () => toCallLogRow(sampleCall({ account, ...over })));
    const outcomes = commit({ rows, keys: [] }, () => now);
    return rows.map((_, place) => outcomes?.get(place));
  };
  return { store, account, call };
}
