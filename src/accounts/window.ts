/** The part of an account's earlier calls that one call is compared with. Times are milliseconds since 1970. */
export interface Window {
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
export function windowBefore(now: number): Window {
  return { since: now - HOURS * 3_600_000, before: now, limit: MOST_CALLS };
}

/** Spans of one length, one before the other, in which an account's calls are counted. */
export interface Spans {
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
export const PACE = {
  second: { width: 1_000, spans: 1, most: 1_000 },
  minute: { width: 60_000, spans: 1, most: 2_000 },
  hour: { width: 3_600_000, spans: 1, most: 10_000 },
  minutes: { width: 60_000, spans: 60, most: 100 },
  ten_minutes: { width: 600_000, spans: 144, most: 100 },
} as const satisfies Record<string, Omit<Spans, 'before'>>;
export type Pace = Record<keyof typeof PACE, number[]>;
