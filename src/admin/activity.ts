// The call log as plots show it: calls by band, flags and times, a row for each step of time.
import type { Band } from '../model.ts';
import { invalidArgument } from '../errors.ts';
import { activityOf } from '../store/calls/activity.ts';
import type { ActivityRow } from '../store/calls/activity.ts';
import type { Store } from '../store/store.ts';

export interface ActivityAsked {
  /** How far back: milliseconds. */
  span: keyof typeof STEPS;
  account?: string | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How long a step of each span is. */
export const STEPS = {
  hour: MINUTE_MS,
  day: 30 * MINUTE_MS,
  week: 3 * HOUR_MS,
  month: 12 * HOUR_MS,
} as const;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;

/** A look of a second or so, in the desk's thread; who calls more has figures for Prometheus. */
const MOST = 500_000;

export interface Step {
  at: string;
  calls: number;
  bands: Record<Band, number>;
  catfish: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

/** Errors: invalid_arguments. */
export function activity(store: Store, { span, account }: ActivityAsked, now: number) {
  if (!Object.hasOwn(STEPS, span))
    throw invalidArgument('There is no such span.', 'span', 'There is no such span.');
  const step = STEPS[span];
  const until = Math.ceil((now + 1) / step) * step;
  const since = until - Math.ceil(SPANS[span] / step) * step;
  const rows = activityOf(store, { since, account, most: MOST });
  const times = rows.map(([, , , ms]) => ms);
  return {
    step_ms: step,
    since: new Date(since).toISOString(),
    whole: rows.length < MOST,
    steps: stepsOf(rows, { since, until, step }),
    all: {
      calls: rows.length,
      catfish: rows.reduce((sum, [, , catfish]) => sum + catfish, 0),
      ...percentiles(times),
    },
  };
}

function stepsOf(
  rows: ActivityRow[],
  { since, until, step }: { since: number; until: number; step: number },
): Step[] {
  const of = Map.groupBy(rows, ([time]) => Math.floor((time - since) / step));
  return Array.from({ length: Math.round((until - since) / step) }, (_, i) => {
    const within = of.get(i) ?? [];
    const bands: Record<Band, number> = { HIGH: 0, MEDIUM: 0, LOW: 0, VERY_LOW: 0 };
    let flags = 0;
    for (const [, band, catfish] of within) {
      bands[band]++;
      flags += catfish;
    }
    return {
      at: new Date(since + i * step).toISOString(),
      calls: within.length,
      bands,
      catfish: flags,
      ...percentiles(within.map(([, , , ms]) => ms)),
    };
  });
}

/** By nearest rank; null where there is nothing to rank. */
export function percentiles(times: number[]): Pick<Step, 'p50_ms' | 'p95_ms' | 'p99_ms'> {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) };
}
