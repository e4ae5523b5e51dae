// Months, times and windows of time. Times are milliseconds since 1970; months are texts such as `2026-11`, in UTC.
import { invalidArgument } from '../errors.ts';

const DAY_MS = 86_400_000;

/** Returns the month of a time. */
export const getMonthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** Returns the first instant of a month. */
export const getMonthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

/** Returns the first instant after a month. */
export const getMonthEnd = (month: string): number => getMonthStart(getNextMonth(month));

/** Returns the next month. */
export const getNextMonth = (month: string): string => getMonthOf(getMonthStart(month) + 31 * DAY_MS);

/** Returns true for a month such as `2026-11`. */
export const isMonth = (text: string): boolean => /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

/** Parses a month. Errors: invalid_arguments. */
export function parseMonth(text: string): string {
  if (isMonth(text)) return text;
  throw invalidArgument('Write the month like 2026-11.', 'month', 'Write the month like `2026-11`.');
}

/**
 * Returns the month that a call counts in if it is committed at `now`. `latest` is the last month in which the account was billed: if the
 * clock steps back by less than a day, over the start of that month, the month before is not opened again. A clock that was more than a
 * day ahead is ignored.
 */
export function getBilledMonth(now: number, latest: string | null): string {
  const month = getMonthOf(now);
  const isSteppedBack = latest !== null && latest > month && getMonthStart(latest) - now < DAY_MS;
  return isSteppedBack ? latest : month;
}

/** Day, or the beginning of an ISO timestamp. 24:00 is refused: it is a time of the next day. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:$|[T ](?!24)\d\d:)/;

/**
 * Parses a time that an operator gives: a day (its first instant, UTC), or an ISO timestamp with its zone. Returns null for any other text
 * and for a day that does not exist: `Date.parse` alone would read 30 February as 2 March.
 */
export function parseTime(text: string): number | null {
  const [, day = ''] = DAY.exec(text) ?? [];
  const start = Date.parse(day);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Window of earlier calls that a call is compared with. */
export interface ComparedCallsWindow {
  /** First time that is in the window. */
  since: number;
  /** First time after the window. */
  before: number;
  /** Maximum number of calls; the newest are used. */
  limit: number;
}

const WINDOW_MS = 24 * 3_600_000;
const MAX_WINDOW_CALLS = 1000;

/** Returns the window of earlier calls for a call that arrives at `now`. */
export const getComparedCallsWindow = (now: number): ComparedCallsWindow => ({
  since: now - WINDOW_MS,
  before: now,
  limit: MAX_WINDOW_CALLS,
});

/** Consecutive spans of time of equal length in which calls are counted. */
export interface CallRatePeriods {
  /** First time after the newest of the spans. */
  before: number;
  /** Length of a span in milliseconds. */
  width: number;
  /** Number of consecutive spans. */
  spans: number;
  /** Maximum count of a span: counting a span stops at this number of calls. */
  most: number;
}

/** Spans that show the call rate of a key: the last second, minute and hour in full, and spans that show its usual rate. */
export const CALL_RATE_PERIODS = {
  second: { width: 1_000, spans: 1, most: 1_000 },
  minute: { width: 60_000, spans: 1, most: 2_000 },
  hour: { width: 3_600_000, spans: 1, most: 10_000 },
  minutes: { width: 60_000, spans: 60, most: 100 },
  ten_minutes: { width: 600_000, spans: 144, most: 100 },
} as const satisfies Record<string, Omit<CallRatePeriods, 'before'>>;

/** Number of calls in each span, the newest span first, by the names of `CALL_RATE_PERIODS`. */
export type CallRates = Record<keyof typeof CALL_RATE_PERIODS, number[]>;
