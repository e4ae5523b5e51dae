// Whether what was noticed of a key looks like harvesting.
import { NONE } from './watch.ts';
import type { Probes } from './watch.ts';

/** `harvesting`: it learns who is on record. `look`: half as much of the same. */
export type Suspicion = 'quiet' | 'look' | 'harvesting';

/** What stands out, in words for an operator; nothing where it is quiet. */
export interface Judged {
  suspicion: Suspicion;
  why: string[];
}

/** From so many on, in a day; chosen on generated streams, see test/accounts/harvest. */
const LIMITS = {
  /** Different names or values. */
  fresh: 100,
  /** Numbers of hundreds that were asked for before. */
  runs: 30,
};

/** Judges the counts of a day. */
export function judge(day: Probes): Judged {
  const full = signs(day, 1);
  if (full.length > 0) return { suspicion: 'harvesting', why: full };
  const half = signs(day, 0.5);
  return half.length > 0 ? { suspicion: 'look', why: half } : { suspicion: 'quiet', why: [] };
}

function signs({ checks, nameOnly, oneValue, withoutRecord, fresh, runs }: Probes, share: number): string[] {
  const of = (count: number) => count / Math.max(1, checks);
  const many = fresh >= LIMITS.fresh * share;
  const found: string[] = [];
  if (runs >= LIMITS.runs * share && of(runs) >= 0.2) found.push('numbers one after another');
  if (many && of(nameOnly) >= 0.5) found.push('many names alone');
  if (many && of(oneValue) >= 0.5 && of(withoutRecord) >= 0.85)
    found.push('many single values that are nobody’s of the name');
  if (many && of(withoutRecord) >= 0.95) found.push('hardly a check that finds its person');
  return found;
}

/** Counts together. */
export function together(all: Iterable<Probes>): Probes {
  const sum: Probes = { ...NONE };
  for (const one of all) addTo(sum, one);
  return sum;
}

/** Adds counts to others, in place: it is on the way of every check. */
export function addTo(sum: Probes, one: Probes): void {
  sum.checks += one.checks;
  sum.nameOnly += one.nameOnly;
  sum.oneValue += one.oneValue;
  sum.withoutRecord += one.withoutRecord;
  sum.fresh += one.fresh;
  sum.runs += one.runs;
}
