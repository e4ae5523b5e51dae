// Months, times and windows of time, and the earlier calls of a key in such windows. Times are milliseconds since 1970; months are texts
// such as `2026-11`, in UTC.
import { invalidArgumentError } from '../errors.ts';
import type { Awaitable } from '../model.ts';

const DAY_MS = 86_400_000;

export const getMonthOfTime = (time: number): string => new Date(time).toISOString().slice(0, 7);

export const getMonthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

export const getMonthEnd = (month: string): number => getMonthStart(getNextMonth(month));

export const getNextMonth = (month: string): string => getMonthOfTime(getMonthStart(month) + 31 * DAY_MS);

export const isMonthText = (text: string): boolean => /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

export function parseMonth(text: string): string {
  if (isMonthText(text)) return text;
  throw invalidArgumentError(
    'The month must be a year and a month, such as 2026-11.',
    'month',
    'Write the month like `2026-11`.',
  );
}

/**
 * Returns the month (`YYYY-MM`) in which a call at the time `now` is counted. `latest` is the last month with calls of the account: it stays the
 * current month if the clock steps back into the month before by less than a day.
 */
export function getBillingMonthOfCall(now: number, latest: string | null): string {
  const month = getMonthOfTime(now);
  const isSteppedBack = latest !== null && latest > month && getMonthStart(latest) - now < DAY_MS;
  return isSteppedBack ? latest : month;
}

/** Matches a day, or an ISO timestamp up to its hour. Does not match the hour 24, which belongs to the next day. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:$|[T ](?!24)\d\d:)/;

/**
 * Converts a day (its start in UTC) or an ISO timestamp with zone to milliseconds since 1970. Returns null for any other text, and for days that
 * do not exist, such as 30 February.
 */
export function parseDayOrTimestamp(text: string): number | null {
  const [, day = ''] = DAY.exec(text) ?? [];
  const start = Date.parse(day);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Time range and number of the earlier calls that a new call is compared with, for finding patterns of fraud. */
export interface EarlierCallsWindow {
  since: number;
  before: number;
  /** Maximum number of calls; the newest ones count. */
  limit: number;
}

const WINDOW_MS = 24 * 3_600_000;
const MAX_WINDOW_CALLS = 1000;

/** Returns the range of the earlier calls that a call at the time `now` is compared with. */
export const getTimeRangeOfEarlierCalls = (now: number): EarlierCallsWindow => ({
  since: now - WINDOW_MS,
  before: now,
  limit: MAX_WINDOW_CALLS,
});

/** Consecutive time spans of equal length in which the calls of an API key are counted. */
export interface CallRatePeriods {
  /** End of the newest span, in milliseconds since 1970. A call at this time is not counted. */
  before: number;
  width: number;
  spans: number;
  /** Maximum count of a span. Further calls of the span are not read. */
  most: number;
}

/** Time spans for the rates of an API key's calls: `minutes` and `ten_minutes` show its usual rate, the others its present rate. */
export const CALL_RATE_PERIODS = {
  second: { width: 1_000, spans: 1, most: 1_000 },
  minute: { width: 60_000, spans: 1, most: 2_000 },
  hour: { width: 3_600_000, spans: 1, most: 10_000 },
  minutes: { width: 60_000, spans: 60, most: 100 },
  ten_minutes: { width: 600_000, spans: 144, most: 100 },
} as const satisfies Record<string, Omit<CallRatePeriods, 'before'>>;

/** Number of calls in each span, the newest first, by the names of `CALL_RATE_PERIODS`. */
type CallRates = Record<keyof typeof CALL_RATE_PERIODS, number[]>;

/** Earlier call of an API key: its time in milliseconds since 1970, and whether it got the flag `possible_catfish`. */
interface EarlierCall {
  time: number;
  catfish: boolean;
}

/** Reads the calls of API keys from the call log. */
export interface CallHistoryReader {
  /** Returns the newest calls of a range, oldest first. */
  within(keyId: string, window: EarlierCallsWindow): Awaitable<EarlierCall[]>;
  /** Returns the number of calls in each span, the newest span first. */
  counts(keyId: string, periods: CallRatePeriods): Awaitable<number[]>;
}

/** Earlier calls that a new call is compared with, and the rates of the API key's calls (`pace`). */
export interface EarlierCallsWithRates {
  records: EarlierCall[];
  pace: CallRates;
}

/** Time (ms) for which a full read of an API key's calls is reused. In this time, only newer calls are read. */
const REUSE_MS = 1_000;
/** Overlap (ms) of a read of newer calls with the read before it, because calls are written to the log with a delay. */
const OVERLAP_MS = 100;
const MAX_KEYS = 64;

/** Calls of one API key in the cache. Times are milliseconds since 1970. */
interface ReadCalls {
  /** Time of the last full read. Later reads added only newer calls. */
  readAt: number;
  /** End of the time range whose calls are in `records`. */
  until: number;
  records: EarlierCall[];
  /** Numbers of calls that cannot be counted in `records`, because older calls are needed. */
  rates: Partial<CallRates>;
}

/**
 * Creates a function that returns the calls of an API key in the range `getTimeRangeOfEarlierCalls(now)`. The function caches them for a second and
 * reads only newer calls in this time.
 */
export function createApiKeyRecentCallsFinder(
  reader: CallHistoryReader,
): (keyId: string, now: number) => Promise<EarlierCallsWithRates> {
  const readCalls = new Map<string, ReadCalls>();

  async function readAll(keyId: string, now: number): Promise<ReadCalls> {
    const records = await reader.within(keyId, getTimeRangeOfEarlierCalls(now));
    return { readAt: now, until: now, records, rates: {} };
  }
  async function readNew(keyId: string, now: number, known: ReadCalls): Promise<ReadCalls> {
    const { since, limit } = getTimeRangeOfEarlierCalls(now);
    const readFrom = known.until - OVERLAP_MS;
    const added = await reader.within(keyId, { since: readFrom, before: now, limit });
    const kept = known.records.filter(({ time }) => time >= since && time < readFrom);
    return { ...known, until: now, records: [...kept, ...added].slice(-limit) };
  }
  async function countPeriod(keyId: string, name: keyof CallRates, now: number, calls: ReadCalls) {
    const periods = { ...CALL_RATE_PERIODS[name], before: now };
    const counts = countInRecords(calls.records, periods) ?? calls.rates[name];
    if (counts !== undefined) return counts;
    return (calls.rates[name] = await reader.counts(keyId, periods));
  }

  return async (keyId, now) => {
    const known = readCalls.get(keyId);
    const isUsable = known !== undefined && now >= known.until && now - known.readAt < REUSE_MS;
    const calls = await (isUsable ? readNew(keyId, now, known) : readAll(keyId, now));
    readCalls.delete(keyId);
    readCalls.set(keyId, calls);
    if (readCalls.size > MAX_KEYS) readCalls.delete(readCalls.keys().next().value!);
    const names = Object.keys(CALL_RATE_PERIODS) as (keyof CallRates)[];
    const counts = names.map(async (name) => [name, await countPeriod(keyId, name, now, calls)] as const);
    return { records: calls.records, pace: Object.fromEntries(await Promise.all(counts)) as CallRates };
  };
}

/** Counts the calls in each span, the newest span first; null if `records` do not reach back far enough. */
function countInRecords(
  records: readonly EarlierCall[],
  { before, width, spans, most }: CallRatePeriods,
): number[] | null {
  const start = before - width * spans;
  const isComplete = records.length < MAX_WINDOW_CALLS || records[0]!.time < start;
  if (!isComplete) return null;
  const counts = Array.from({ length: spans }, () => 0);
  for (let i = records.length - 1; i >= 0 && records[i]!.time >= start; i--) {
    const span = Math.ceil((before - records[i]!.time) / width) - 1;
    counts[span] = Math.min(most, counts[span]! + 1);
  }
  return counts;
}
