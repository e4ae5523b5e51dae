// The call log: one row for each accepted call, with counts and outcomes only. Refused calls have a separate
// log.
import type { SQL } from 'drizzle-orm';
import type { EarlierCall, LoggedCall, Refusal } from '../accounts/model.ts';
import {
  getMonthEnd,
  getMonthStart,
  type EarlierCallsWindow,
  type CallRatePeriods,
} from '../accounts/time.ts';
import type { ScoreBand, VerdictWord } from '../model.ts';
import { toLowestRequestId } from '../platform/request-id.ts';
import { preparePerConnection } from '../platform/sqlite.ts';
import { and, desc, eq, gt, gte, isNotNull, lt, sql } from './drizzle.ts';
import { calls, refusals } from './schema.ts';
import type { SqlConnection, Store } from './store.ts';

/** Filter of the call log. An absent field selects all calls. Times are milliseconds since 1970; `since` is inclusive, `before` exclusive. */
export interface CallLogQuery {
  /** Id of the first API key of a chain (a key and the keys that replaced it). */
  chain?: string | undefined;
  account?: string | undefined;
  endpoint?: LoggedCall['endpoint'] | undefined;
  status?: LoggedCall['band'] | undefined;
  verdict?: VerdictWord | undefined;
  test?: boolean | undefined;
  since?: number | undefined;
  before?: number | undefined;
  /** Cursor: time and id of the last call on the previous page. */
  after?: readonly [time: number, id: string] | undefined;
  limit: number;
}

/** Maximum number of calls that one query reads. With a filter that few calls match, a query would otherwise read the whole log. */
const MAX_SCANNED = 20_000;

/**
 * Returns the calls that match a filter, newest first. Reads at most 20,000 calls. `reached` is the cursor for the next query (the last call that was
 * read); null at the end of the log.
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

/** Columns of the call log from which the verdict of a call is computed. */
type VerdictColumns = Record<
  'verdict' | 'band' | 'emails' | 'phones' | 'addresses' | 'unverified',
  Parameters<typeof eq>[0]
>;

/**
 * Returns the SQL condition for calls with the verdict `word`. Calls of older versions have no stored verdict; for them, the condition computes it as
 * `toVerdictWord` does.
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

/** Reads the calls of all API keys in the order of their request ids, which is the order of time. */
const scanById = ({ since, before, after }: CallLogQuery): Scan => ({
  conditions: [
    after && lt(calls.requestId, after[1]),
    since === undefined ? undefined : gte(calls.requestId, toLowestRequestId(since)),
    before === undefined ? undefined : lt(calls.requestId, toLowestRequestId(before)),
  ],
  order: [desc(calls.requestId)],
});

/** Reads the calls of one chain of API keys by the database index on API key and time. */
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

/** Returns the call with this request id if an API key of the chain made it; otherwise undefined. `keyId` is the id of the chain's first key. */
export function findCallOfApiKeyChain(
  store: Store,
  keyId: string,
  requestId: string,
): EarlierCall | undefined {
  const call = store.read(() => findCall(store, requestId));
  return call?.keyId === keyId ? call : undefined;
}

/** Returns the calls of live API keys whose outcome (genuine or not) was reported, oldest first. The query can select one month or one account. */
export function listCallsWithReportedOutcome(
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

/** Call as a row for the charts of the console. `verdict` is null for calls of older versions. */
export type CallChartRow = [
  time: number,
  band: ScoreBand,
  verdict: VerdictWord | null,
  contacts: number,
  unverified: number,
  catfish: number,
  latencyMs: number,
];

export interface CallChartQuery {
  since: number;
  account?: string | undefined;
  /** Maximum number of calls; the newest ones are returned. */
  most: number;
}

/** Returns the calls of live API keys since a time (milliseconds since 1970), newest first. */
export function listCallsForChart({ raw }: Store, { since, account, most }: CallChartQuery): CallChartRow[] {
  const ofAccount = account === undefined ? '' : 'AND account = @account';
  // Request ids sort by time, so the primary key finds the newest calls.
  return raw
    .prepare<[object], CallChartRow>(
      `SELECT time, band, verdict, emails + phones + addresses, unverified, catfish, latency_ms FROM calls WHERE request_id >= @from AND time >= @since AND test = 0 ${ofAccount} ORDER BY request_id DESC LIMIT @most`,
    )
    .raw()
    .all({ from: toLowestRequestId(since), since, most, ...(account === undefined ? {} : { account }) });
}

/** Recent call of an API key, with the fields that AI features receive. */
export type RecentCall = Pick<LoggedCall, 'time' | 'catfish'>;
export type RecentCallRow = [time: number, catfish: number];

/** SQL statement that lists the newest calls of a chain of API keys. Parameters: id of the chain's first key, start time, end time, limit. */
export const RECENT_CALLS_SQL = `SELECT time, catfish FROM calls WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;

/**
 * SQL statement that counts the calls of a chain of API keys in each of several time spans. It stops counting a span at `most`, which limits the rows
 * to read.
 */
export const CALL_SPAN_COUNTS_SQL = `WITH RECURSIVE span (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM span WHERE n + 1 < @spans)
  SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM calls
    WHERE key = @keyId AND time >= CAST(@before AS BIGINT) - (n + 1) * CAST(@width AS BIGINT)
      AND time < CAST(@before AS BIGINT) - n * CAST(@width AS BIGINT) LIMIT @most) AS own) FROM span`;

/** Statements of every enhanced check call. They are prepared without the query builder, which takes three times as long. */
const statements = preparePerConnection((db: SqlConnection) => ({
  recent: db.prepare<unknown[], RecentCallRow>(RECENT_CALLS_SQL).raw(),
  spans: db.prepare<unknown[], number>(CALL_SPAN_COUNTS_SQL).pluck(),
}));

/** Returns the newest `limit` calls of a chain of API keys (a key and the keys that replaced it) in a time range, oldest first. */
export const listRecentCallsOfKeyChain = (
  { raw }: Store,
  keyId: string,
  { since, before, limit }: EarlierCallsWindow,
): RecentCall[] => toRecentCalls(statements(raw).recent.all(keyId, since, before, limit));

/** Converts rows of `RECENT_CALLS_SQL` to calls, oldest first. */
export const toRecentCalls = (rows: readonly RecentCallRow[]): RecentCall[] =>
  rows.toReversed().map(([time, catfish]) => ({ time, catfish: catfish === 1 }));

/** Returns the number of calls of a chain of API keys in each time span, the newest span first. */
export const countKeyChainCallsBySpan = (
  { raw }: Store,
  keyId: string,
  { before, width, spans, most }: CallRatePeriods,
): number[] => statements(raw).spans.all({ keyId, before, width, spans, most });

// Refused calls of a store. This file reads them; src/store/serving/writer-statements.ts writes them.
/** Filter of the log of refused calls, with the fields of `CallLogQuery`. */
export interface RefusalQuery {
  chain?: string | undefined;
  account?: string | undefined;
  endpoint?: string | undefined;
  status?: number | undefined;
  since?: number | undefined;
  before?: number | undefined;
  /** Cursor: id of the last refused call on the previous page. */
  after?: readonly [id: string] | undefined;
  limit: number;
}

/** Returns the refused calls that match the query, newest first. */
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

/** Returns the row of a refused call; undefined if the call has none, because the row of another refused call counts it. */
export function findRefusedCall({ db }: Store, requestId: string): Refusal | undefined {
  const row = db.select().from(refusals).where(eq(refusals.requestId, requestId)).get();
  return row && toRefusal(row);
}

const MINUTE_MS = 60_000;

/** Returns those rows of refused calls in the minute of `time` (milliseconds since 1970) that also count further refused calls. */
export function listMergedRefusalsOfMinute({ db }: Store, time: number): Refusal[] {
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
