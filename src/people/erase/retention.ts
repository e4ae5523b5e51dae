import { BonafideError } from '../../errors.ts';

/** What forgetting by age finds. */
export interface DatedRecords {
  names: { length: number };
  /** Records that carry a date. */
  dated: number;
  /** When somebody on record was seen last, milliseconds since 1970; null where no record says. */
  newest: number | null;
}

const YEAR_MS = 365.25 * 86_400_000;

/** Whether it is by a clock that may be years ahead: for a year, by it, nobody was seen, and more than half of the records with a date would go. */
export const isClockDoubtful = ({ names, dated, newest }: DatedRecords, now: number): boolean =>
  newest !== null && now - newest > YEAR_MS && names.length * 2 > dated;

/** Refuses to forget most of a graph by a clock that may be years ahead. Errors: `doubtful_clock`. */
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

/** `5y`, `18m`, `90d` as milliseconds. Errors: `invalid_arguments`. */
export function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([dwmy])$/.exec(text) ?? [];
  const days = DAYS[unit];
  if (days !== undefined && Number(count) > 0) return Number(count) * days * DAY_MS;
  throw new BonafideError('invalid_arguments', 'An age is written such as 5y, 18m (months), 8w or 90d.');
}
