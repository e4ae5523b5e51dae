import type { Distribution } from './text.ts';

export interface DistributionCounter {
  add(seconds: number): void;
  read(): Distribution;
}

/**
 * Returns a counter of durations by bucket. A linear search over the few bounds costs a call almost nothing.
 */
export function createDistributionCounter(bounds: readonly number[]): DistributionCounter {
  const counts = new Float64Array(bounds.length);
  let beyond = 0;
  let sum = 0;
  return {
    add(seconds) {
      sum += seconds;
      for (let i = 0; i < bounds.length; i++) {
        if (seconds > (bounds[i] ?? 0)) continue;
        counts[i] = (counts[i] ?? 0) + 1;
        return;
      }
      beyond++;
    },
    read: () => ({ bounds, counts: counts.slice(), beyond, sum }),
  };
}
