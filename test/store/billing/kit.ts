// A store with a plan and an account, and calls that are committed to it at moments of a test's choice.
import type { ChosenTerms } from '../../../src/accounts/billing/terms.ts';
import { openAccounts } from '../../../src/store/billing/accounts.ts';
import { openInvoices } from '../../../src/store/billing/invoices.ts';
import { openPlans } from '../../../src/store/billing/plans.ts';
import { openUsage } from '../../../src/store/billing/usage.ts';
import { toRow } from '../../../src/store/write.ts';
import { sampleCall } from '../../kit/call.ts';
import { commitsTo, freshStore } from '../engines.ts';

export const NOVEMBER = Date.UTC(2026, 10, 1);
export const DAY = 86_400_000;

/** A store with the plan `starter` and an account that has it. */
export function billed(terms: Partial<ChosenTerms> = {}) {
  const store = freshStore();
  const [plans, accounts] = [openPlans(store), openAccounts(store)];
  plans.create('starter', terms, NOVEMBER);
  const account = accounts.create({ name: 'Shop', plan: 'starter' }, NOVEMBER).id;
  const commit = commitsTo(store);
  /** Commits a batch of calls of the account; answers what became of each. */
  const call = (now: number, count = 1, over: Parameters<typeof sampleCall>[0] = {}) => {
    const rows = Array.from({ length: count }, () => toRow(sampleCall({ account, ...over })));
    const outcomes = commit({ rows, spends: [] }, () => now);
    return rows.map((_, place) => outcomes?.get(place));
  };
  return { store, plans, accounts, account, call, usage: openUsage(store), invoices: openInvoices(store) };
}
