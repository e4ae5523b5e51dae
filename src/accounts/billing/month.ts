// Months as bills know them: `2026-11`, by UTC. All times are milliseconds since 1970.
import { invalidArgument } from '../../errors.ts';

const DAY_MS = 86_400_000;

/** The month of a moment. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** When a month begins. */
export const startOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

/** The month after one. */
export const nextMonth = (month: string): string => monthOf(startOf(month) + 31 * DAY_MS);

/** When a month has ended. */
export const endOf = (month: string): number => startOf(nextMonth(month));

/** Whether a text is a month as it is written, `2026-11`. */
export const isMonth = (text: string): boolean => /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

/** Reads a month. Errors: invalid_arguments. */
export function readMonth(text: string): string {
  if (isMonth(text)) return text;
  throw invalidArgument('A month is written like 2026-11.', 'month', 'A month is written like `2026-11`.');
}

/**
 * The month that a call counts in which is committed now. `latest` is the last month in which its account was billed: a clock that steps
 * back over the month's edge by less than a day does not open the month before again. A clock that was far ahead is not followed.
 */
export function monthOfCommit(now: number, latest: string | null): string {
  const month = monthOf(now);
  const steppedBack = latest !== null && latest > month && startOf(latest) - now < DAY_MS;
  return steppedBack ? latest : month;
}
