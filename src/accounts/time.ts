// Months as bills know them: `2026-11`, by UTC. All times are milliseconds since 1970.
import { invalidArgument } from '../errors.ts';

const DAY_MS = 86_400_000;

/** The month of a moment. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** When a month begins. */
export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

/** The month after one. */
export const monthAfter = (month: string): string => monthOf(startOfMonth(month) + 31 * DAY_MS);

/** When a month has ended. */
export const endOfMonth = (month: string): number => startOfMonth(monthAfter(month));

/** Whether a text is a month as it is written, `2026-11`. */
export const isMonth = (text: string): boolean => /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

/** Reads a month. Errors: invalid_arguments. */
export function parseMonth(text: string): string {
  if (isMonth(text)) return text;
  throw invalidArgument('A month is written like 2026-11.', 'month', 'A month is written like `2026-11`.');
}

/**
 * The month that a call counts in which is committed now. `latest` is the last month in which its account was billed: a clock that steps
 * back over the month's edge by less than a day does not open the month before again. A clock that was far ahead is not followed.
 */
export function getCommitMonth(now: number, latest: string | null): string {
  const month = monthOf(now);
  const steppedBack = latest !== null && latest > month && startOfMonth(latest) - now < DAY_MS;
  return steppedBack ? latest : month;
}

/** A day, and perhaps a time of it: 24:00 is a time of the next one. */
const FORM = /^(\d{4}-\d\d-\d\d)(?:$|[T ](?!24)\d\d:)/;

/**
 * Reads the times that an operator names: a day (its first instant, UTC), or an ISO timestamp with its zone.
 *
 * @returns milliseconds since 1970, or null for what has another form and for a day that does not exist: `Date.parse` makes 2 March of
 *   30 February.
 */
export function parseTime(text: string): number | null {
  const [, day = ''] = FORM.exec(text) ?? [];
  const start = Date.parse(day);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** The part of an account's earlier calls that one call is compared with. Times are milliseconds since 1970. */
export interface CallWindow {
  /** Calls at or after this. */
  since: number;
  /** Calls before this. */
  before: number;
  /** The newest so many of them. */
  limit: number;
}

const HOURS = 24;
const MOST_CALLS = 1000;

/** The window of a call that arrives now. */
export function getCallWindow(now: number): CallWindow {
  return { since: now - HOURS * 3_600_000, before: now, limit: MOST_CALLS };
}

/** Spans of one length, one before the other, in which an account's calls are counted. */
export interface TimeSpans {
  /** Calls before this. */
  before: number;
  /** Milliseconds. */
  width: number;
  /** How many spans. */
  spans: number;
  /** No span is counted further than this. */
  most: number;
}

/** By these an account's pace is told: the newest second, minute and hour in full, and spans that show its habit. */
export const CALL_RATE_SPANS = {
  second: { width: 1_000, spans: 1, most: 1_000 },
  minute: { width: 60_000, spans: 1, most: 2_000 },
  hour: { width: 3_600_000, spans: 1, most: 10_000 },
  minutes: { width: 60_000, spans: 60, most: 100 },
  ten_minutes: { width: 600_000, spans: 144, most: 100 },
} as const satisfies Record<string, Omit<TimeSpans, 'before'>>;
export type CallRates = Record<keyof typeof CALL_RATE_SPANS, number[]>;
