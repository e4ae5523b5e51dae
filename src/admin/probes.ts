import { judge } from '../accounts/harvest/judge.ts';
import type { Judged } from '../accounts/harvest/judge.ts';
import type { Probes } from '../accounts/harvest/watch.ts';
import type { Store } from '../store/sqlite/open.ts';
import { probesSince } from '../store/sqlite/probes/rows.ts';

const DAY_MS = 86_400_000;
const RANK = { harvesting: 0, look: 1, quiet: 2 };

export type Watched = { key: string } & Probes & Judged;

/** How each key asked in the last day, what stands out first. `now` is milliseconds since 1970. */
export function watched(store: Store, now: number): Watched[] {
  return probesSince(store.raw, now - DAY_MS)
    .map((probes) => ({ ...probes, ...judge(probes) }))
    .toSorted((a, b) => RANK[a.suspicion] - RANK[b.suspicion] || b.checks - a.checks);
}

/** The same for programs. */
export const watchedView = ({ nameOnly, oneValue, withoutRecord, ...one }: Watched) => ({
  ...one,
  name_only: nameOnly,
  one_value: oneValue,
  without_record: withoutRecord,
});
