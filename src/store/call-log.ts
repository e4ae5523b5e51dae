// The call log: one row for each accepted call, with counts and outcomes only. Refused calls have a separate
// log.
import type { SQL } from 'drizzle-orm';
import type { EarlierCall, LoggedCall, Refusal } from '../accounts/model.ts';
import {
  getMonthEnd,
  getMonthStart,
  type ComparedCallsWindow,
  type CallRatePeriods,
} from '../accounts/time.ts';
import type { Band, VerdictWord } from '../model.ts';
import { toLowestRequestId } from '../platform/request-id.ts';
import { preparePerConnection } from '../platform/sqlite.ts';
import { and, desc, eq, gt, gte, isNotNull, lt, sql } from './drizzle.ts';
import { calls, refusals } from './schema.ts';
import type { SqlConnection, Store } from './store.ts';

/** Filter of the call log; every call passes an empty filter. Times are milliseconds since 1970. */
export interface CallLogQuery {
  /** Id of the first key in a chain of rotated keys. */
  chain?: string | undefined;
  account?: string | undefined;
  endpoint?: LoggedCall['endpoint'] | undefined;
  status?: LoggedCall['band'] | undefined;
  verdict?: VerdictWord | undefined;
  test?: boolean | undefined;
  since?: number | undefined;
  before?: number | undefined;
  /** Cursor: time and id of the last call of the previous page. */
  after?: readonly [time: number, id: string] | undefined;
  limit: number;
}

/** Maximum number of calls that one query reads, so that a filter with few matches does not read the whole log. */
const MAX_SCANNED = 20_000;

/**
 * Returns the calls that pass a filter, the newest first, among the next 20,000 calls of the log. `reached` is the last of the 20,000 calls,
 * which is the cursor of the next query; null at the end of the log.
 */
export function listCalls(
  { db }: Store,
  query: CallLogQuery,
): { calls: EarlierCall[]; reached: [number, string] | null } {
  const { account, endpoint, status, verdict, test, since, before, limit } = query;
  const { conditions, order } = query.chain === undefined ? scanById(query) : scanByTime(query, query.chain);
  const scanned = db
    .select()
    .from(calls)
    .where(and(...conditions))
    .orderBy(...order)
    .limit(MAX_SCANNED)
    .as('scanned');
  const passing = db
    .select()
    .from(scanned)
    .where(
      and(
        account === undefined ? undefined : eq(scanned.account, account),
        endpoint && eq(scanned.endpoint, endpoint),
        verdict && hasVerdict(scanned, verdict),
        status && eq(scanned.band, status),
        test === undefined ? undefined : eq(scanned.test, test),
        since === undefined ? undefined : gte(scanned.time, since),
        before === undefined ? undefined : lt(scanned.time, before),
      ),
    )
    .limit(limit)
    .all();
  const last = db
    .select({ time: calls.time, id: calls.requestId })
    .from(calls)
    .where(and(...conditions))
    .orderBy(...order)
    .limit(1)
    .offset(MAX_SCANNED - 1)
    .get();
  return { calls: passing, reached: last ? [last.time, last.id] : null };
}

/** Columns from which the verdict word of a call is computed. */
type VerdictColumns = Record<
  'verdict' | 'band' | 'emails' | 'phones' | 'addresses' | 'unverified',
  Parameters<typeof eq>[0]
>;

/**
 * Returns the SQL condition that a call has a verdict word. For a call of an older version, the condition computes the word as `toVerdictWord`
 * does.
 */
const hasVerdict = (row: VerdictColumns, word: VerdictWord): SQL => sql`CASE
  WHEN ${row.verdict} IS NOT NULL THEN ${row.verdict}
  WHEN ${row.emails} + ${row.phones} + ${row.addresses} = 0 THEN 'name-only'
  WHEN ${row.emails} + ${row.phones} + ${row.addresses} = ${row.unverified} THEN 'no-record'
  ELSE CASE ${row.band} WHEN 'HIGH' THEN 'verified' WHEN 'MEDIUM' THEN 'likely-real' WHEN 'LOW' THEN 'suspicious' ELSE 'high-risk' END
  END = ${word}`;

interface Scan {
  conditions: (SQL | undefined)[];
  order: SQL[];
}

/** Reads the calls of all keys in the order of their ids, which is the order of time. */
const scanById = ({ since, before, after }: CallLogQuery): Scan => ({
  conditions: [
    after && lt(calls.requestId, after[1]),
    since === undefined ? undefined : gte(calls.requestId, toLowestRequestId(since)),
    before === undefined ? undefined : lt(calls.requestId, toLowestRequestId(before)),
  ],
  order: [desc(calls.requestId)],
});

/** Reads the calls of one chain of keys by the index on key and time. */
const scanByTime = ({ since, before, after }: CallLogQuery, chain: string): Scan => ({
  conditions: [
    eq(calls.keyId, chain),
    after && sql`(${calls.time}, ${calls.requestId}) < (${after[0]}, ${after[1]})`,
    since === undefined ? undefined : gte(calls.time, since),
    before === undefined ? undefined : lt(calls.time, before),
  ],
  order: [desc(calls.time), desc(calls.requestId)],
});

export const findCall = ({ db }: Store, requestId: string): EarlierCall | undefined =>
  db.select().from(calls).where(eq(calls.requestId, requestId)).get();

/**
 * Returns the call with a request id, if a key of the chain made it; otherwise undefined. A chain is a key with its predecessors and successors
 * by rotation; `keyId` is the id of its first key.
 */
export function findCallOfKey(store: Store, keyId: string, requestId: string): EarlierCall | undefined {
  const call = store.read(() => findCall(store, requestId));
  return call?.keyId === keyId ? call : undefined;
}

/** Returns the calls with live keys whose outcome was reported, the oldest first; optionally of one month or account only. */
export function listCallsWithOutcome(
  { db }: Store,
  { month, account }: { month?: string; account?: string },
): EarlierCall[] {
  const inMonth =
    month === undefined ? [] : [gte(calls.time, getMonthStart(month)), lt(calls.time, getMonthEnd(month))];
  const ofAccount = account === undefined ? [] : [eq(calls.account, account)];
  return db
    .select()
    .from(calls)
    .where(and(isNotNull(calls.outcome), eq(calls.test, false), ...inMonth, ...ofAccount))
    .orderBy(calls.requestId)
    .all();
}

/** Call as one point of a chart. `verdict` is null for calls of older versions. */
export type CallActivityRow = [
  time: number,
  band: Band,
  verdict: VerdictWord | null,
  contacts: number,
  unverified: number,
  catfish: number,
  latencyMs: number,
];

export interface CallActivityQuery {
  since: number;
  account?: string | undefined;
  /** Maximum number of calls; the newest are returned. */
  most: number;
}

/** Returns the live calls since a time, the newest first. */
export function listCallActivity(
  { raw }: Store,
  { since, account, most }: CallActivityQuery,
): CallActivityRow[] {
  const ofAccount = account === undefined ? '' : 'AND account = @account';
  // Request ids sort by time, so the primary key finds the newest calls.
  return raw
    .prepare<[object], CallActivityRow>(
      `SELECT time, band, verdict, emails + phones + addresses, unverified, catfish, latency_ms FROM calls WHERE request_id >= @from AND time >= @since AND test = 0 ${ofAccount} ORDER BY request_id DESC LIMIT @most`,
    )
    .raw()
    .all({ from: toLowestRequestId(since), since, most, ...(account === undefined ? {} : { account }) });
}

/** Earlier call of a key, in the form that AI features receive. */
export type RecentCall = Pick<LoggedCall, 'time' | 'catfish'>;
export type RecentCallRow = [time: number, catfish: number];

/** Statement that lists the newest calls of a chain of keys: key, since, before, limit. */
export const RECENT_CALLS_SQL = `SELECT time, catfish FROM calls WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;

/**
 * Statement that counts the calls of a chain of keys in each span of time. It counts at most `most` calls per span, so that it reads a bounded
 * number of rows, however many calls a key makes.
 */
export const CALL_SPAN_COUNTS_SQL = `WITH RECURSIVE span (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM span WHERE n + 1 < @spans)
  SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM calls
    WHERE key = @keyId AND time >= CAST(@before AS BIGINT) - (n + 1) * CAST(@width AS BIGINT)
      AND time < CAST(@before AS BIGINT) - n * CAST(@width AS BIGINT) LIMIT @most) AS own) FROM span`;

/** These statements are prepared without the query builder, which takes three times as long: they run in every enhanced check. */
const statements = preparePerConnection((db: SqlConnection) => ({
  recent: db.prepare<unknown[], RecentCallRow>(RECENT_CALLS_SQL).raw(),
  spans: db.prepare<unknown[], number>(CALL_SPAN_COUNTS_SQL).pluck(),
}));

/** Returns the calls of a chain of keys in a window of time: the newest `limit` calls, in the order of time. */
export const listRecentCalls = (
  { raw }: Store,
  keyId: string,
  { since, before, limit }: ComparedCallsWindow,
): RecentCall[] => toRecentCalls(statements(raw).recent.all(keyId, since, before, limit));

/** Returns the rows of `RECENT_CALLS_SQL` as calls, the oldest first. */
export const toRecentCalls = (rows: readonly RecentCallRow[]): RecentCall[] =>
  rows.toReversed().map(([time, catfish]) => ({ time, catfish: catfish === 1 }));

/** Returns the number of calls of a chain of keys in each span before a time, the newest span first. */
export const countCallsBySpan = (
  { raw }: Store,
  keyId: string,
  { before, width, spans, most }: CallRatePeriods,
): number[] => statements(raw).spans.all({ keyId, before, width, spans, most });

// Refused calls of a store. This file reads them; src/store/serving/writer-statements.ts writes them.
interface RefusalQuery {
  chain?: string | undefined;
  account?: string | undefined;
  endpoint?: string | undefined;
  status?: number | undefined;
  since?: number | undefined;
  before?: number | undefined;
  /** Cursor: id of the last refusal of the previous page. */
  after?: readonly [id: string] | undefined;
  limit: number;
}

/** Returns the refused calls that pass a filter, the newest first. */
export function listRefusedCalls({ db }: Store, query: RefusalQuery): Refusal[] {
  const { chain, account, endpoint, status, since, before, after, limit } = query;
  return db
    .select()
    .from(refusals)
    .where(
      and(
        chain === undefined ? undefined : eq(refusals.key, chain),
        account === undefined ? undefined : eq(refusals.account, account),
        endpoint === undefined ? undefined : eq(refusals.endpoint, endpoint),
        status === undefined ? undefined : eq(refusals.status, status),
        since === undefined ? undefined : gte(refusals.requestId, toLowestRequestId(since)),
        before === undefined ? undefined : lt(refusals.requestId, toLowestRequestId(before)),
        after && lt(refusals.requestId, after[0]),
      ),
    )
    .orderBy(desc(refusals.requestId))
    .limit(limit)
    .all()
    .map(toRefusal);
}

/** Returns a refused call by its request id; undefined if the log has no separate row for the call. */
export function findRefusedCall({ db }: Store, requestId: string): Refusal | undefined {
  const row = db.select().from(refusals).where(eq(refusals.requestId, requestId)).get();
  return row && toRefusal(row);
}

const MINUTE_MS = 60_000;

/** Returns the rows in the minute of a time (milliseconds since 1970) that also count refused calls without a separate row. */
export function listRefusalsOfMinute({ db }: Store, time: number): Refusal[] {
  const from = time - (time % MINUTE_MS);
  return db
    .select()
    .from(refusals)
    .where(
      and(
        gt(refusals.more, 0),
        gte(refusals.requestId, toLowestRequestId(from)),
        lt(refusals.requestId, toLowestRequestId(from + MINUTE_MS)),
      ),
    )
    .orderBy(refusals.requestId)
    .all()
    .map(toRefusal);
}

const toRefusal = ({ code, ...row }: typeof refusals.$inferSelect): Refusal => ({
  ...row,
  code: code as Refusal['code'],
});
