import { assessHarvesting, type HarvestAssessment, type ProbeCounts } from '../accounts/harvesting.ts';
import { toWire } from './wire.ts';
import type { Store } from '../store/store.ts';
import { sumProbesSince } from '../store/serving/writer-statements.ts';

const DAY_MS = 86_400_000;
const RANK = { harvesting: 0, look: 1, quiet: 2 };

export type Watched = { key: string } & ProbeCounts & HarvestAssessment;

/** How each key asked in the last day, what stands out first. `now` is milliseconds since 1970. */
export const watched = (store: Store, now: number): Watched[] =>
  judged(sumProbesSince(store.raw, watchedSince(now)));

/** From when on counts are looked at. */
export const watchedSince = (now: number): number => now - DAY_MS;

/** Counts with what they look like, what stands out first. */
export function judged(counts: readonly ({ key: string } & ProbeCounts)[]): Watched[] {
  return counts
    .map((probes) => ({ ...probes, ...assessHarvesting(probes) }))
    .toSorted((a, b) => RANK[a.suspicion] - RANK[b.suspicion] || b.checks - a.checks);
}

/** The same for programs. */
export const watchedView = (watched: Watched) => toWire(watched);
