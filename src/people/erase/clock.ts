import { BonafideError } from '../../errors.ts';

/** What forgetting by age finds. */
export interface Found {
  names: { length: number };
  /** Records that carry a date. */
  dated: number;
  /** When somebody on record was seen last, milliseconds since 1970; null where no record says. */
  newest: number | null;
}

const YEAR_MS = 365.25 * 86_400_000;

/** Whether it is by a clock that may be years ahead: for a year, by it, nobody was seen, and more than half of the records with a date would go. */
export const isClockDoubtful = ({ names, dated, newest }: Found, now: number): boolean =>
  newest !== null && now - newest > YEAR_MS && names.length * 2 > dated;

/** Refuses to forget most of a graph by a clock that may be years ahead. Errors: `doubtful_clock`. */
export function refuseDoubtfulClock(found: Found, now: number): void {
  if (!isClockDoubtful(found, now)) return;
  const { names, dated, newest } = found;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  throw new BonafideError(
    'doubtful_clock',
    `By this machine's clock it is ${day(now)}, but nobody on record was seen after ${day(newest ?? 0)}, and ${names.length} of the ${dated} records with a date would be forgotten. Set the clock if it is ahead; if it is right, run graph forget with --clock-is-right.`,
  );
}
