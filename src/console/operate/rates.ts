import { codeToWords, formatCompact } from '../components/format.ts';

/** Returns the sum of a counter over all its labels. */
export const sumCounters = (counters: Record<string, number>): number =>
  Object.values(counters).reduce((sum, count) => sum + count, 0);

/** Describes the errors since the start of the server, most frequent first: all of them, so that the counts add up. */
export function describeErrorCounts(problems: Record<string, number>): string {
  const counts = Object.entries(problems)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => `${formatCompact(count)} ${codeToWords(code)}`);
  const kinds = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
  return `Errors since start: ${formatCompact(sumCounters(problems))}${kinds}.`;
}

interface CounterEvent {
  time: string;
  problems: Record<string, number>;
}

/** Returns the increase per second of a counter (the sum over its labels) from one event to the next; 0 if the server was restarted between them. */
export function getRatePerSecond<E extends { time: string }>(
  before: E,
  now: E,
  countersOf: (event: E) => Record<string, number>,
): number {
  const seconds = Math.max(1, (Date.parse(now.time) - Date.parse(before.time)) / 1000);
  return Math.max(0, sumCounters(countersOf(now)) - sumCounters(countersOf(before))) / seconds;
}

/** Returns the errors per second between consecutive events. `at` is the time of the later event (seconds since 1970). */
export const listErrorRates = (events: CounterEvent[]): { at: number; rate: number }[] =>
  events.slice(1).map((now, i) => ({
    at: Date.parse(now.time) / 1000,
    rate: getRatePerSecond(events[i] ?? now, now, ({ problems }) => problems),
  }));

/** Returns the indexes of single numbers whose neighbours are both missing. Plots draw them as points, because no line reaches them. */
export const findIsolatedPointIndexes = (values: readonly (number | null | undefined)[]): number[] =>
  values.flatMap((value, i) =>
    typeof value === 'number' && typeof values[i - 1] !== 'number' && typeof values[i + 1] !== 'number'
      ? [i]
      : [],
  );

/** Returns the last number of a series; null if there is none. */
export function findLastNumber(values: ArrayLike<number | null | undefined>): number | null {
  for (let i = values.length - 1; i >= 0; i--) {
    const value = values[i];
    if (typeof value === 'number') return value;
  }
  return null;
}
