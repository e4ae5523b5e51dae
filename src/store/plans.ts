// Plans of a store and the versions of their terms. Errors of each function that changes something: also
// those of `changeAtomically`.
import { parsePlanId, parsePlanTerms, type PlanTerms } from '../accounts/billing/terms.ts';
import { BonafideError, invalidArgumentError, notFoundError } from '../errors.ts';
import { changeAtomically, recordAuditEntry } from './audit.ts';
import { asc, eq, sql } from './drizzle.ts';
import { plans, planVersions } from './schema.ts';
import { NO_ITEM_LIMIT, type Store } from './store.ts';

/** Plan with all versions of its prices and limits. */
export interface Plan {
  id: string;
  created: number;
  /** Time from which the plan can no longer be assigned to accounts; null if it can. */
  retired: number | null;
  /** Versions in the order of their creation; never empty. */
  versions: PlanVersion[];
}

/** Terms of a plan from a time on, in milliseconds since 1970. */
export interface PlanVersion {
  version: number;
  since: number;
  terms: PlanTerms;
}

/** Time from which a change applies, in milliseconds since 1970. It must not be in the past. Undefined: the change applies at once. */
export interface EffectiveTime {
  since?: number | undefined;
}

/** Page of a list in the order of creation. An empty object selects the whole list. */
export interface CreationOrderPageQuery {
  /** Cursor: creation time (milliseconds since 1970) and id of the last item on the previous page. */
  after?: readonly [created: number, id: string] | undefined;
  limit?: number | undefined;
}

export function listPlans(
  store: Store,
  { after, limit = NO_ITEM_LIMIT }: CreationOrderPageQuery = {},
): Plan[] {
  const rows = store.db
    .select()
    .from(plans)
    .where(after && sql`(${plans.created}, ${plans.id}) > (${after[0]}, ${after[1]})`)
    .orderBy(asc(plans.created), asc(plans.id))
    .limit(limit)
    .all();
  return rows.map((row) => ({ ...row, versions: listVersions(store, row.id) }));
}

export function getPlan(store: Store, id: string): Plan {
  const row = store.db.select().from(plans).where(eq(plans.id, id)).get();
  if (!row) throw notFoundError(`There is no plan ${id}. See: bonafide plans list`, 'plan');
  return { ...row, versions: listVersions(store, id) };
}

/** Creates a plan with its first version. Errors: invalid_arguments, already_there. */
export function createPlan(store: Store, text: string, terms: unknown, now: number): Plan {
  return changeAtomically(store, () => {
    const id = parsePlanId(text);
    if (store.db.select().from(plans).where(eq(plans.id, id)).get()) throw planExistsError(id);
    store.db.insert(plans).values({ id, created: now, retired: null }).run();
    const parsed = parsePlanTerms(terms);
    insertVersion(store, id, { version: 1, since: now, terms: parsed });
    const detail = { terms: JSON.stringify(parsed) };
    recordAuditEntry(store, { act: 'plans.create', target: id, detail }, now);
    return getPlan(store, id);
  });
}

/**
 * Changes some terms of a plan from the time `since` on, by a new version. Existing versions that start later get a new version with the same
 * changes, except for terms that were set explicitly for a later time. Errors: not_found, invalid_arguments.
 */
export function addPlanVersion(
  store: Store,
  id: string,
  { terms, since }: { terms: Record<string, unknown> } & EffectiveTime,
  now: number,
): Plan {
  return changeAtomically(store, () => {
    const from = resolveEffectiveTimeMs(since, now);
    const { versions } = getPlan(store, id);
    requireTerms(terms);
    const version = versions.length + 1;
    insertVersion(store, id, { version, since: from, terms: withTerms(versions, from, terms) });
    const carried = carryForward(store, { plan: id, versions, terms, from });
    for (const later of carried) insertVersion(store, id, later);
    const also = carried.length > 0 && { carried: carried.map((later) => String(later.version)) };
    const detail = { version, since: from, terms: JSON.stringify(terms), ...also };
    recordAuditEntry(store, { act: 'plans.change', target: id, detail }, now);
    return getPlan(store, id);
  });
}

/** Retires a plan: it can no longer be assigned to an account. Accounts that have it keep it. Errors: not_found. */
export function retirePlan(store: Store, id: string, now: number): Plan {
  return changeAtomically(store, () => {
    const plan = getPlan(store, id);
    if (plan.retired !== null) return plan;
    store.db.update(plans).set({ retired: now }).where(eq(plans.id, id)).run();
    recordAuditEntry(store, { act: 'plans.retire', target: id, detail: {} }, now);
    return getPlan(store, id);
  });
}

const planExistsError = (id: string) =>
  new BonafideError(
    'already_there',
    `There is a plan ${id} already. Change it: bonafide plans change ${id}`,
    { issues: [{ pointer: '/id', code: 'already_there', detail: 'There is already a plan with this id.' }] },
  );

/** Returns the time from which a change applies: `since`, or `now` if undefined. Errors: invalid_arguments if it is in the past. */
export function resolveEffectiveTimeMs(since: number | undefined, now: number): number {
  if (since === undefined) return now;
  if (since >= now) return since;
  const why =
    'A change cannot apply in the past: past calls are billed by the terms that applied then. Leave the time out to change it now, or name a later one.';
  throw invalidArgumentError(why, 'from', why);
}

function requireTerms(terms: Record<string, unknown>): void {
  if (Object.keys(terms).length > 0) return;
  throw invalidArgumentError(
    'No term is given. Give at least one, such as --price 0.03.',
    '',
    'No term is given. Give at least one, such as `price`.',
  );
}

function listVersions({ db }: Store, plan: string): PlanVersion[] {
  const rows = db
    .select()
    .from(planVersions)
    .where(eq(planVersions.plan, plan))
    .orderBy(asc(planVersions.version))
    .all();
  return rows.map(({ version, since, terms }) => ({ version, since, terms: JSON.parse(terms) }));
}

const insertVersion = ({ db }: Store, plan: string, { version, since, terms }: PlanVersion) =>
  db
    .insert(planVersions)
    .values({ plan, version, since, terms: JSON.stringify(terms) })
    .run();

/** Returns the version of a plan that applies at the time `now`. If two versions have the same start, the newer one applies. */
export function getPlanVersionAt(versions: readonly PlanVersion[], now: number): PlanVersion {
  const begun = versions.filter(({ since }) => since <= now);
  const current = begun.toSorted((a, b) => b.since - a.since || b.version - a.version)[0] ?? versions[0];
  if (!current) throw new Error('A plan has at least one version.');
  return current;
}

/** Returns the terms that apply at a time, with the changes in `terms`. Errors: invalid_arguments. */
function withTerms(
  versions: readonly PlanVersion[],
  time: number,
  terms: Record<string, unknown>,
): PlanTerms {
  const { digits: _, ...before } = getPlanVersionAt(versions, time).terms;
  return parsePlanTerms({ ...before, ...terms });
}

interface PlanChange {
  plan: string;
  versions: readonly PlanVersion[];
  /** Terms to change; all other terms stay the same. */
  terms: Record<string, unknown>;
  /** Time from which the change applies, in milliseconds since 1970. */
  from: number;
}

/**
 * Continues a change in the versions that start after it: returns a new version for each of their start times. A term that was set explicitly for one
 * of these times keeps its value from then on. Errors: invalid_arguments.
 */
function carryForward(store: Store, { plan, versions, terms, from }: PlanChange): PlanVersion[] {
  const times = new Set(versions.map(({ since }) => since).filter((since) => since > from));
  const givenTermsByTime = listGivenTerms(store, plan);
  const carried: PlanVersion[] = [];
  const overridden = new Set<string>();
  for (const since of [...times].toSorted((a, b) => a - b)) {
    for (const term of givenTermsByTime.get(since) ?? []) overridden.add(term);
    const inheritedTerms = Object.entries(terms).filter(([term]) => !overridden.has(term));
    if (inheritedTerms.length === 0) continue;
    const version = versions.length + 2 + carried.length;
    carried.push({ version, since, terms: withTerms(versions, since, Object.fromEntries(inheritedTerms)) });
  }
  return carried;
}

/**
 * Returns the names of the terms that earlier changes of the plan set, by the time from which each change applies. Reads them from the audit log,
 * because a version contains all terms.
 */
function listGivenTerms({ raw }: Store, plan: string): Map<number, Set<string>> {
  const details = raw
    .prepare<[string], string>(
      "SELECT detail FROM audit WHERE act = 'plans.change' AND target = ? ORDER BY seq",
    )
    .pluck()
    .all(plan);
  const givenTermsByTime = new Map<number, Set<string>>();
  for (const detail of details) {
    const { since, terms } = JSON.parse(detail) as { since: number; terms: string };
    givenTermsByTime.set(
      since,
      new Set([...(givenTermsByTime.get(since) ?? []), ...Object.keys(JSON.parse(terms))]),
    );
  }
  return givenTermsByTime;
}
