// Accounts as an operator has them, at the command line and over HTTP.
import { openAccounts, getPlanAt } from '../../store/accounts.ts';
import type { Account } from '../../store/accounts.ts';
import type { Store } from '../../store/store.ts';
import { pageOf, sliceOf } from '../page.ts';
import type { Page, Paging } from '../page.ts';
import { toWire } from '../wire.ts';
import { momentOf } from './from.ts';

export type AccountView = ReturnType<typeof accountView>;

/** An account for programs, with the plan that it has at `now`; times are ISO 8601. */
export const accountView = (account: Account, now: number) => ({
  ...toWire(account, 'created', 'closed'),
  plan: getPlanAt(account, now),
  plans: account.plans.map((plan) => toWire(plan, 'since')),
});

/** A page of the accounts, the oldest first. Errors: invalid_arguments. */
export function pageOfAccounts(store: Store, paging: Paging, now: number): Page<AccountView> {
  const listing = { name: 'accounts', filters: {}, like: [0, ''] as [number, string] };
  const { limit, after } = sliceOf(listing, paging);
  const rows = openAccounts(store).page({ after, limit: limit + 1 });
  const view = (account: Account) => accountView(account, now);
  return pageOf(listing, { rows, limit, at: ({ created, id }) => [created, id], view });
}

/** Gives an account a plan, or none where it is null, from a day, a time or `next-month` on. Errors: those of `setPlan` of the accounts. */
export function givePlan(
  store: Store,
  { id, plan, from }: { id: string; plan: string | null; from?: string | undefined },
  now: number,
): Account {
  return openAccounts(store).setPlan(id, { plan, since: momentOf(from, now) }, now);
}
