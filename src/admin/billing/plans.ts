// Plans as an operator has them, at the command line and over HTTP.
import { openPlans } from '../../store/plans.ts';
import type { Plan } from '../../store/plans.ts';
import type { Store } from '../../store/store.ts';
import { pageOf, sliceOf } from '../page.ts';
import type { Page, Paging } from '../page.ts';
import { toWire } from '../wire.ts';
import { momentOf } from './from.ts';

export type PlanView = ReturnType<typeof planView>;

/** A plan for programs; times are ISO 8601. */
export const planView = ({ versions, ...plan }: Plan) => ({
  ...toWire(plan, 'created', 'retired'),
  versions: versions.map(({ terms, ...version }) => ({ ...toWire(version, 'since'), ...terms })),
});

/** A page of the plans, the oldest first. Errors: invalid_arguments. */
export function pageOfPlans(store: Store, paging: Paging): Page<PlanView> {
  const listing = { name: 'plans', filters: {}, like: [0, ''] as [number, string] };
  const { limit, after } = sliceOf(listing, paging);
  const rows = openPlans(store).list({ after, limit: limit + 1 });
  return pageOf(listing, { rows, limit, at: ({ created, id }) => [created, id], view: planView });
}

/** Adds a version of a plan with the terms that are named, from a day, a time or `next-month` on. Errors: those of `change` of the plans. */
export function changePlan(
  store: Store,
  { id, terms, from }: { id: string; terms: Record<string, unknown>; from?: string | undefined },
  now: number,
): Plan {
  return openPlans(store).change(id, { terms, since: momentOf(from, now) }, now);
}
