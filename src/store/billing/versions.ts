import { asc, eq } from '../drizzle.ts';
import { readTerms } from '../../accounts/billing/terms.ts';
import type { PlanTerms } from '../../accounts/model.ts';
import type { Store } from '../store.ts';
import { planVersions } from '../schema.ts';

/** What a plan says from a moment on (milliseconds). */
export interface PlanVersion {
  version: number;
  since: number;
  terms: PlanTerms;
}

/** The versions of a plan in the order in which they were made. */
export function versionsOf({ db }: Store, plan: string): PlanVersion[] {
  const rows = db
    .select()
    .from(planVersions)
    .where(eq(planVersions.plan, plan))
    .orderBy(asc(planVersions.version))
    .all();
  return rows.map(({ version, since, terms }) => ({ version, since, terms: JSON.parse(terms) }));
}

/** The version that applies at a moment: of those that began, the last to begin, and of these the newest. */
export function versionAt(versions: readonly PlanVersion[], now: number): PlanVersion {
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
export function carried(store: Store, { plan, versions, terms, from }: Change): PlanVersion[] {
  const moments = new Set(versions.map(({ since }) => since).filter((since) => since > from));
  const named = namedTerms(store, plan);
  const added: PlanVersion[] = [];
  const taken = new Set<string>();
  for (const since of [...moments].toSorted((a, b) => a - b)) {
    for (const term of named.get(since) ?? []) taken.add(term);
    const fresh = Object.entries(terms).filter(([term]) => !taken.has(term));
    if (fresh.length === 0) continue;
    const { digits: _, ...before } = versionAt(versions, since).terms;
    const version = versions.length + 2 + added.length;
    added.push({ version, since, terms: readTerms({ ...before, ...Object.fromEntries(fresh) }) });
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
