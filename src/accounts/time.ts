// Months, times and windows of time, and the earlier calls of a key in such windows. Times are milliseconds since 1970; months are texts
// such as `2026-11`, in UTC.
import { invalidArgument } from '../errors.ts';
import type { Awaitable } from '../model.ts';

const DAY_MS = 86_400_000;

export const getMonthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

export const getMonthStart = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

export const getMonthEnd = (month: string): number => getMonthStart(getNextMonth(month));

export const getNextMonth = (month: string): string => getMonthOf(getMonthStart(month) + 31 * DAY_MS);

export const isMonth = (text: string): boolean => /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

export function parseMonth(text: string): string {
  if (isMonth(text)) return text;
  throw invalidArgument(
    'The month must be a year and a month, such as 2026-11.',
    'month',
    'Write the month like `2026-11`.',
  );
}

/**
 * Returns the month that a call counts in if it is committed at `now`. `latest` is the last month in which the account was billed: if the
 * clock steps back by less than a day, over the start of that month, the month before is not opened again. A clock that was more than a day
 * ahead is ignored.
 */
export function getBilledMonth(now: number, latest: string | null): string {
  const month = getMonthOf(now);
  const isSteppedBack = latest !== null && latest > month && getMonthStart(latest) - now < DAY_MS;
  return isSteppedBack ? latest : month;
}

/** Pattern of a day, or of the beginning of an ISO timestamp. 24:00 is refused, because it is a time of the next day. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:$|[T ](?!24)\d\d:)/;

/**
 * Parses a time that an operator gives: a day (its first instant, UTC), or an ISO timestamp with its zone. Returns null for any other text
 * and for a day that does not exist: `Date.parse` alone would read 30 February as 2 March.
 */
export function parseOperatorTime(text: string): number | null {
  const [, day = ''] = DAY.exec(text) ?? [];
  const start = Date.parse(day);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Time range of the earlier calls with which a call is compared. */
export interface ComparedCallsWindow {
  since: number;
  before: number;
  /** Maximum number of calls; the newest are used. */
  limit: number;
}

const WINDOW_MS = 24 * 3_600_000;
const MAX_WINDOW_CALLS = 1000;

/** Returns the time range of earlier calls with which a call that arrives at `now` is compared. */
export const getComparedCallsWindow = (now: number): ComparedCallsWindow => ({
  since: now - WINDOW_MS,
  before: now,
  limit: MAX_WINDOW_CALLS,
});

/** Consecutive time spans of equal length, in each of which calls are counted. */
export interface CallRatePeriods {
  /** First time after the newest of the spans. */
  before: number;
  width: number;
  spans: number;
  /** Maximum count of a span: counting of a span stops at this number of calls. */
  most: number;
}

/** Spans that show the call rate of a key: the last second, minute and hour in full, and further spans that show the usual rate. */
export const CALL_RATE_PERIODS = {
  second: { width: 1_000, spans: 1, most: 1_000 },
  minute: { width: 60_000, spans: 1, most: 2_000 },
  hour: { width: 3_600_000, spans: 1, most: 10_000 },
  minutes: { width: 60_000, spans: 60, most: 100 },
  ten_minutes: { width: 600_000, spans: 144, most: 100 },
} as const satisfies Record<string, Omit<CallRatePeriods, 'before'>>;

/** Number of calls in each span, the newest span first, by the names of `CALL_RATE_PERIODS`. */
export type CallRates = Record<keyof typeof CALL_RATE_PERIODS, number[]>;

/** Earlier call of a chain of keys: its time in milliseconds since 1970, and whether it had the flag `possible_catfish`. */
interface EarlierCall {
  time: number;
  catfish: boolean;
}

/** Reads the earlier calls of chains of keys from the call log. */
export interface EarlierCallReader {
  /** Returns the newest calls of a window, the oldest first. */
  within(keyId: string, window: ComparedCallsWindow): Awaitable<EarlierCall[]>;
  /** Returns the number of calls in each span, the newest span first. */
  counts(keyId: string, periods: CallRatePeriods): Awaitable<number[]>;
}

/** Earlier calls that a call is compared with, and the call rate of the key. */
export interface EarlierCalls {
  records: EarlierCall[];
  pace: CallRates;
}

/** Time in milliseconds for which earlier calls that were read are used for the next calls of the same key. */
const REUSE_MS = 1_000;
/** A call is written to the log some milliseconds after its time, so the newest milliseconds are read again. */
const OVERLAP_MS = 100;
const MAX_KEYS = 64;

/** Earlier calls of one key that were read a moment ago. Times in milliseconds since 1970. */
interface ReadCalls {
  /** Time of the call for which all earlier calls were read. */
  readAt: number;
  /** End of the time range that `records` covers. */
  until: number;
  records: EarlierCall[];
  /** Call rates of the time that `records` does not cover; null if no such rate was needed. */
  rates: Partial<CallRates>;
}

/**
 * Returns a function that finds the earlier calls of a chain of keys at a time. Calls of busy keys are read once a second, and then only
 * what is new: the rates of a key with more than 1,000 calls a minute are at most one second old.
 */
export function createEarlierCallFinder(
  reader: EarlierCallReader,
): (keyId: string, now: number) => Promise<EarlierCalls> {
  const readCalls = new Map<string, ReadCalls>();

  async function readAll(keyId: string, now: number): Promise<ReadCalls> {
    const records = await reader.within(keyId, getComparedCallsWindow(now));
    return { readAt: now, until: now, records, rates: {} };
  }
  async function readNew(keyId: string, now: number, known: ReadCalls): Promise<ReadCalls> {
    const { since, limit } = getComparedCallsWindow(now);
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

/** Returns the number of calls in each period, the newest first; null if older calls than the records are needed for that. */
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
