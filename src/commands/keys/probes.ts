import { judge } from '../../accounts/harvest/judge.ts';
import type { Judged } from '../../accounts/harvest/judge.ts';
import type { Probes } from '../../accounts/harvest/watch.ts';
import { probesSince } from '../../store/sqlite/probes/rows.ts';
import type { Store } from '../../store/sqlite/open.ts';
import { table } from '../command.ts';

const DAY_MS = 86_400_000;
const RANK = { harvesting: 0, look: 1, quiet: 2 };

export type Watched = { key: string } & Probes & Judged;

/** How each key asked in the last day, what stands out first. */
export function watched(store: Store, now: number): Watched[] {
  return probesSince(store.raw, now - DAY_MS)
    .map((probes) => ({ ...probes, ...judge(probes) }))
    .toSorted((a, b) => RANK[a.suspicion] - RANK[b.suspicion] || b.checks - a.checks);
}

/** The same as a table for people. */
export function watchedText(all: Watched[]): string {
  if (all.length === 0) return 'No key asked anything in the last day.';
  const head = ['key', 'checks', 'name only', 'one value', 'without record', 'different', 'in runs', ''];
  const rows = all.map((one) => [
    one.key,
    ...[one.checks, one.nameOnly, one.oneValue, one.withoutRecord, one.fresh, one.runs].map(String),
    one.suspicion === 'quiet' ? '' : `${one.suspicion}: ${one.why.join(', ')}`,
  ]);
  return table([head, ...rows]);
}

/** For scripts. */
export const watchedView = ({ nameOnly, oneValue, withoutRecord, ...one }: Watched) => ({
  ...one,
  name_only: nameOnly,
  one_value: oneValue,
  without_record: withoutRecord,
});
