import { asc, eq, sql } from './drizzle.ts';
import { parsePlanId, parsePlanTerms } from '../accounts/billing/terms.ts';
import { BonafideError, notFoundError, invalidArgument } from '../errors.ts';
import { recordAuditEntry, changeAtomically } from './audit.ts';
import { NO_LIMIT, type Store } from './store.ts';
import { plans, planVersions } from './schema.ts';
import type { PlanTerms } from '../accounts/model.ts';

export interface Plan {
  id: string;
  created: number;
  /** No account can be given it any more. */
  retired: number | null;
  /** The oldest first; never empty. */
  versions: PlanVersion[];
}

/** When a change applies: from `since` on, or at once; never from a time that is past. */
export interface EffectiveTime {
  since?: number | undefined;
}

/** How much of a list in the order of making is wanted: all where nothing is said. */
export interface CreatedPage {
  /** Those behind this one, by when it was made (milliseconds) and its id. */
  after?: readonly [created: number, id: string] | undefined;
  limit?: number | undefined;
}

export interface Plans {
  /** The oldest first. */
  list(some?: CreatedPage): Plan[];
  /** Errors: not_found. */
  get(id: string): Plan;
  /** Errors: invalid_arguments, already_there. */
  create(id: string, terms: unknown, now: number): Plan;
  /**
   * Adds a version with the terms that are named; the others stay. A version that begins later is followed by one that has them too,
   * save those that it named itself. Errors: not_found, invalid_arguments.
   */
  change(id: string, change: { terms: Record<string, unknown> } & EffectiveTime, now: number): Plan;
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
    if (!row) return throwPlanNotFound(id);
    return { ...row, versions: versionsOf(store, id) };
  };
  return {
    get,
    list: ({ after, limit = NO_LIMIT } = {}) =>
      db
        .select()
        .from(plans)
        .where(after && sql`(${plans.created}, ${plans.id}) > (${after[0]}, ${after[1]})`)
        .orderBy(asc(plans.created), asc(plans.id))
        .limit(limit)
        .all()
        .map((row) => ({ ...row, versions: versionsOf(store, row.id) })),
    create: (wanted, terms, now) =>
      changeAtomically(store, () => {
        const id = parsePlanId(wanted);
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
        const read = parsePlanTerms(terms);
        addVersion(id, { version: 1, since: now, terms: read });
        recordAuditEntry(
          store,
          { act: 'plans.create', target: id, detail: { terms: JSON.stringify(read) } },
          now,
        );
        return get(id);
      }),
    change: (id, { terms, since }, now) =>
      changeAtomically(store, () => {
        const from = parseEffectiveTime(since, now);
        const { versions } = get(id);
        refuseNothing(terms);
        const { digits: _, ...before } = getVersionAt(versions, from).terms;
        const after = parsePlanTerms({ ...before, ...terms });
        const version = versions.length + 1;
        addVersion(id, { version, since: from, terms: after });
        const later = carried(store, { plan: id, versions, terms, from });
        for (const one of later) addVersion(id, one);
        const also = later.length > 0 && { carried: later.map((one) => String(one.version)) };
        const detail = { version, since: from, terms: JSON.stringify(terms), ...also };
        recordAuditEntry(store, { act: 'plans.change', target: id, detail }, now);
        return get(id);
      }),
    retire: (id, now) =>
      changeAtomically(store, () => {
        const { retired } = get(id);
        if (retired !== null) return get(id);
        db.update(plans).set({ retired: now }).where(eq(plans.id, id)).run();
        recordAuditEntry(store, { act: 'plans.retire', target: id, detail: {} }, now);
        return get(id);
      }),
  };
}

/** Errors: not_found. */
export function throwPlanNotFound(id: string): never {
  throw notFoundError(`There is no plan ${id}. See: bonafide plans list`, 'plan');
}

/** From when on a change applies. Errors: invalid_arguments where that is past. */
export function parseEffectiveTime(since: number | undefined, now: number): number {
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

/** What a plan says from a moment on (milliseconds). */
export interface PlanVersion {
  version: number;
  since: number;
  terms: PlanTerms;
}

/** The versions of a plan in the order in which they were made. */
function versionsOf({ db }: Store, plan: string): PlanVersion[] {
  const rows = db
    .select()
    .from(planVersions)
    .where(eq(planVersions.plan, plan))
    .orderBy(asc(planVersions.version))
    .all();
  return rows.map(({ version, since, terms }) => ({ version, since, terms: JSON.parse(terms) }));
}

/** The version that applies at a moment: of those that began, the last to begin, and of these the newest. */
export function getVersionAt(versions: readonly PlanVersion[], now: number): PlanVersion {
  const begun = versions.filter(({ since }) => since <= now);
  const found = begun.toSorted((a, b) => b.since - a.since || b.version - a.version)[0] ?? versions[0];
  if (!found) throw new Error('A plan has at least one version.');
  return found;
}

interface Change {
  plan: string;
  /** Those before the change. */
  versions: readonly PlanVersion[];
  /** The terms that the change names. */
  terms: Record<string, unknown>;
  /** From when on it applies, in milliseconds. */
  from: number;
}

/**
 * What a change makes of the versions that begin after it: for each moment at which one begins, another of the same moment with the terms
 * of the change, save those that were named for that moment, or for an earlier one after the change: they stay from there on. A version
 * that is kept is never altered, so these are new ones. Errors: invalid_arguments.
 */
function carried(store: Store, { plan, versions, terms, from }: Change): PlanVersion[] {
  const moments = new Set(versions.map(({ since }) => since).filter((since) => since > from));
  const named = namedTerms(store, plan);
  const added: PlanVersion[] = [];
  const taken = new Set<string>();
  for (const since of [...moments].toSorted((a, b) => a - b)) {
    for (const term of named.get(since) ?? []) taken.add(term);
    const fresh = Object.entries(terms).filter(([term]) => !taken.has(term));
    if (fresh.length === 0) continue;
    const { digits: _, ...before } = getVersionAt(versions, since).terms;
    const version = versions.length + 2 + added.length;
    added.push({ version, since, terms: parsePlanTerms({ ...before, ...Object.fromEntries(fresh) }) });
  }
  return added;
}

/** Which terms were named for which moment: a version holds all of its terms, and only the audit log tells these apart. */
function namedTerms({ raw }: Store, plan: string): Map<number, Set<string>> {
  const select = raw.prepare<[string], string>(
    "SELECT detail FROM audit WHERE act = 'plans.change' AND target = ? ORDER BY seq",
  );
  const named = new Map<number, Set<string>>();
  for (const text of select.pluck().all(plan)) {
    const detail = JSON.parse(text) as { since: number; terms: string };
    const terms = Object.keys(JSON.parse(detail.terms));
    named.set(detail.since, new Set([...(named.get(detail.since) ?? []), ...terms]));
  }
  return named;
}
