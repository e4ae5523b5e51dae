// Lists and changes accounts and plans, for the command line and for administrative routes.
import { getMonthEnd, getMonthOfTime, parseDayOrTimestamp } from '../accounts/time.ts';
import { invalidArgumentError } from '../errors.ts';
import { changeAccountPlan, listAccounts, getAccountPlanAt, type Account } from '../store/accounts.ts';
import { addPlanVersion, listPlans, type Plan } from '../store/plans.ts';
import type { Store } from '../store/store.ts';
import { readListPage, type ListPage, type PageRequest } from './paging.ts';
import { toSnakeCaseJson } from './wire.ts';

export type AccountJson = ReturnType<typeof toAccountJson>;

export const toAccountJson = (account: Account, now: number) => ({
  ...toSnakeCaseJson(account, 'created', 'closed'),
  plan: getAccountPlanAt(account, now),
  plans: account.plans.map((plan) => toSnakeCaseJson(plan, 'since')),
});

/** Returns one page of the accounts, oldest first. Errors: invalid_arguments. */
export const readAccountPage = (store: Store, paging: PageRequest, now: number): ListPage<AccountJson> =>
  readListPage(paging, {
    name: 'accounts',
    filters: {},
    like: [0, ''],
    read: (slice) => listAccounts(store, slice),
    at: ({ created, id }) => [created, id],
    view: (account) => toAccountJson(account, now),
  });

/** Sets the plan of an account from a given time on; null removes the plan. Errors: invalid_arguments, and those of the store's `setPlan`. */
export function setAccountPlan(
  store: Store,
  { id, plan, from }: { id: string; plan: string | null; from?: string | undefined },
  now: number,
): Account {
  return changeAccountPlan(store, id, { plan, since: parseStart(from, now) }, now);
}

export const toPlanJson = ({ versions, ...plan }: Plan) => ({
  ...toSnakeCaseJson(plan, 'created', 'retired'),
  versions: versions.map(({ terms, ...version }) => ({ ...toSnakeCaseJson(version, 'since'), ...terms })),
});

export const readPlanPage = (store: Store, paging: PageRequest): ListPage<ReturnType<typeof toPlanJson>> =>
  readListPage(paging, {
    name: 'plans',
    filters: {},
    like: [0, ''],
    read: (slice) => listPlans(store, slice),
    at: ({ created, id }) => [created, id],
    view: toPlanJson,
  });

/** Adds a version with the changed terms to a plan, valid from a given time on. Errors: invalid_arguments, and those of the store's `change`. */
export function changePlan(
  store: Store,
  { id, terms, from }: { id: string; terms: Record<string, unknown>; from?: string | undefined },
  now: number,
): Plan {
  return addPlanVersion(store, id, { terms, since: parseStart(from, now) }, now);
}

/** Parses the start of a change (a date, a time, or `next-month`) to milliseconds since 1970. Undefined (start at once) without a text. */
function parseStart(from: string | undefined, now: number): number | undefined {
  if (from === undefined || from === 'now') return undefined;
  if (from === 'next-month') return getMonthEnd(getMonthOfTime(now));
  const isWellFormed = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(from);
  const time = isWellFormed ? parseDayOrTimestamp(from) : null;
  if (time !== null) return time;
  const missing = isWellFormed ? 'There is no such day or time. ' : '';
  const rule = 'must be a day such as 2026-12-01, a time such as 2026-12-01T09:00:00Z, or next-month.';
  throw invalidArgumentError(`${missing}--from ${rule}`, 'from', `${missing}It ${rule}`);
}
