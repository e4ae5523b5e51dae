// How far a figure would move if other cases of the same sort had been drawn.
import { resamples, type Sample, type Tally, tallyOf } from './tally.ts';

/** A figure and the bounds that hold it in so many of a hundred resamples; null where the cases are too few to say it. */
export interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** Bounds of the figures' intervals, and those of the reliability band, which is drawn narrower by custom. */
export const FIGURES_LEVEL = 0.95;
export const BAND_LEVEL = 0.9;

/** The intervals of several figures at once, by percentiles of their values in the resamples. */
export function intervalsOf(
  sample: Sample,
  figures: (tally: Tally) => ArrayLike<number>,
  level = FIGURES_LEVEL,
): Interval[] {
  const values = Array.from(figures(tallyOf(sample)));
  const drawn = values.map((): number[] => []);
  for (const tally of resamples(sample)) {
    const again = figures(tally);
    for (const [i, list] of drawn.entries()) list.push(again[i] ?? Number.NaN);
  }
  return values.map((value, i) => around(value, drawn[i] ?? [], level));
}

/** The interval around a value, from what it was in each resample. */
export function around(value: number, drawn: number[], level = FIGURES_LEVEL): Interval {
  const known = Float64Array.from(drawn.filter((one) => !Number.isNaN(one))).sort();
  const at = (share: number) => known[Math.round(share * (known.length - 1))] ?? Number.NaN;
  return { value: tidy(value), low: tidy(at((1 - level) / 2)), high: tidy(at((1 + level) / 2)) };
}

/** Four digits, which is a hundredth of a percent. */
export const tidy = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toFixed(4)) : null;
