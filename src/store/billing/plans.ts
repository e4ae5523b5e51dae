import { asc, eq, sql } from '../drizzle.ts';
import { readPlanId, readTerms } from '../../accounts/billing/terms.ts';
import { BonafideError, notFoundError, invalidArgument } from '../../errors.ts';
import { act } from '../audit.ts';
import { changing } from './change.ts';
import { ALL } from '../store.ts';
import type { Store } from '../store.ts';
import { plans, planVersions } from '../schema.ts';
import { carried, versionAt, versionsOf } from './versions.ts';
import type { PlanVersion } from './versions.ts';

export interface Plan {
  id: string;
  created: number;
  /** No account can be given it any more. */
  retired: number | null;
  /** The oldest first; never empty. */
  versions: PlanVersion[];
}

/** When a change applies: from `since` on, or at once; never from a time that is past. */
export interface From {
  since?: number | undefined;
}

/** How much of a list in the order of making is wanted: all where nothing is said. */
export interface Some {
  /** Those behind this one, by when it was made (milliseconds) and its id. */
  after?: readonly [created: number, id: string] | undefined;
  limit?: number | undefined;
}

export interface Plans {
  /** The oldest first. */
  list(some?: Some): Plan[];
  /** Errors: not_found. */
  get(id: string): Plan;
  /** Errors: invalid_arguments, already_there. */
  create(id: string, terms: unknown, now: number): Plan;
  /**
   * Adds a version with the terms that are named; the others stay. A version that begins later is followed by one that has them too,
   * save those that it named itself. Errors: not_found, invalid_arguments.
   */
  change(id: string, change: { terms: Record<string, unknown> } & From, now: number): Plan;
  /** Accounts that have it keep it. Errors: not_found. */
  retire(id: string, now: number): Plan;
}

/** The plans of a store. Errors, of each that changes something: those of `changing` as well. */
export function openPlans(store: Store): Plans {
  const { db } = store;
  const addVersion = (plan: string, { version, since, terms }: PlanVersion) =>
    db
      .insert(planVersions)
      .values({ plan, version, since, terms: JSON.stringify(terms) })
      .run();
  const get = (id: string): Plan => {
    const row = db.select().from(plans).where(eq(plans.id, id)).get();
    if (!row) return noPlan(id);
    return { ...row, versions: versionsOf(store, id) };
  };
  return {
    get,
    list: ({ after, limit = ALL } = {}) =>
      db
        .select()
        .from(plans)
        .where(after && sql`(${plans.created}, ${plans.id}) > (${after[0]}, ${after[1]})`)
        .orderBy(asc(plans.created), asc(plans.id))
        .limit(limit)
        .all()
        .map((row) => ({ ...row, versions: versionsOf(store, row.id) })),
    create: (wanted, terms, now) =>
      changing(store, () => {
        const id = readPlanId(wanted);
        if (db.select().from(plans).where(eq(plans.id, id)).get())
          throw new BonafideError(
            'already_there',
            `There is a plan ${id} already. Change it: bonafide plans change ${id}`,
            {
              issues: [
                { pointer: '/id', code: 'already_there', detail: 'There is a plan of this id already.' },
              ],
            },
          );
        db.insert(plans).values({ id, created: now, retired: null }).run();
        const read = readTerms(terms);
        addVersion(id, { version: 1, since: now, terms: read });
        act(store, { act: 'plans.create', target: id, detail: { terms: JSON.stringify(read) } }, now);
        return get(id);
      }),
    change: (id, { terms, since }, now) =>
      changing(store, () => {
        const from = fromOf(since, now);
        const { versions } = get(id);
        refuseNothing(terms);
        const { digits: _, ...before } = versionAt(versions, from).terms;
        const after = readTerms({ ...before, ...terms });
        const version = versions.length + 1;
        addVersion(id, { version, since: from, terms: after });
        const later = carried(store, { plan: id, versions, terms, from });
        for (const one of later) addVersion(id, one);
        const also = later.length > 0 && { carried: later.map((one) => String(one.version)) };
        const detail = { version, since: from, terms: JSON.stringify(terms), ...also };
        act(store, { act: 'plans.change', target: id, detail }, now);
        return get(id);
      }),
    retire: (id, now) =>
      changing(store, () => {
        const { retired } = get(id);
        if (retired !== null) return get(id);
        db.update(plans).set({ retired: now }).where(eq(plans.id, id)).run();
        act(store, { act: 'plans.retire', target: id, detail: {} }, now);
        return get(id);
      }),
  };
}

/** Errors: not_found. */
export function noPlan(id: string): never {
  throw notFoundError(`There is no plan ${id}. See: bonafide plans list`, 'plan');
}

/** From when on a change applies. Errors: invalid_arguments where that is past. */
export function fromOf(since: number | undefined, now: number): number {
  if (since === undefined) return now;
  if (since >= now) return since;
  const why = 'A change applies from now on or later: what was called is billed by what applied then.';
  throw invalidArgument(why, 'from', why);
}

function refuseNothing(terms: Record<string, unknown>): void {
  if (Object.keys(terms).length > 0) return;
  throw invalidArgument(
    'There is nothing to change: name a term, such as --price 0.03.',
    '',
    'There is nothing to change: name a term, such as `price`.',
  );
}
