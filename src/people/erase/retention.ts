import { BonafideError } from '../../errors.ts';

/** Names and dates of the records that forgetting by age finds. */
export interface DatedRecords {
  names: { length: number };
  /** Number of records with a date. */
  dated: number;
  /** Latest date on which any record was seen, in milliseconds since 1970; null if no record has a date. */
  newest: number | null;
}

const YEAR_MS = 365.25 * 86_400_000;

/**
 * True if the clock may be years ahead: by it, no record was seen for a year, and more than half of the dated
 * records would be erased.
 */
export const isClockDoubtful = ({ names, dated, newest }: DatedRecords, now: number): boolean =>
  newest !== null && now - newest > YEAR_MS && names.length * 2 > dated;

/** Refuses to forget most of a graph if the clock may be years ahead. Errors: `doubtful_clock`. */
export function refuseDoubtfulClock(found: DatedRecords, now: number): void {
  if (!isClockDoubtful(found, now)) return;
  const { names, dated, newest } = found;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  throw new BonafideError(
    'doubtful_clock',
    `By this machine's clock it is ${day(now)}, but nobody on record was seen after ${day(newest ?? 0)}, and ${names.length} of the ${dated} records with a date would be forgotten. Set the clock if it is ahead; if it is right, run graph forget with --clock-is-right.`,
  );
}

const DAY_MS = 86_400_000;
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30.4375, y: 365.25 };

/** Parses an age such as `5y`, `18m` or `90d` to milliseconds. Errors: `invalid_arguments`. */
export function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([dwmy])$/.exec(text) ?? [];
  const days = DAYS[unit];
  if (days !== undefined && Number(count) > 0) return Number(count) * days * DAY_MS;
  throw new BonafideError('invalid_arguments', 'An age is written such as 5y, 18m (months), 8w or 90d.');
}
