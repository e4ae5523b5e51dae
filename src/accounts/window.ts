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
