// The call log as an operator reads it.
import { and, desc, eq, gte, lt, sql, isNotNull } from './drizzle.ts';
import type { SQL } from 'drizzle-orm';
import type { EarlierCall, LoggedCall } from '../accounts/model.ts';
import { firstIdAt } from '../platform/request-id.ts';
import type { Store } from './store.ts';
import { calls } from './schema.ts';
import type { Band } from '../model.ts';
import type Database from 'better-sqlite3';
import { endOfMonth, startOfMonth, type TimeSpans, type CallWindow } from '../accounts/time.ts';

/** Which calls are wanted: all where nothing is said. Times are milliseconds since 1970. */
export interface CallQuery {
  /** Of one chain of keys. */
  chain?: string | undefined;
  account?: string | undefined;
  status?: LoggedCall['band'] | undefined;
  test?: boolean | undefined;
  since?: number | undefined;
  before?: number | undefined;
  after?: readonly [time: number, id: string] | undefined;
  limit: number;
}

/** So many calls are looked at for one answer: a filter that few pass must not read the whole log. */
const SCANNED = 20_000;

/**
 * Calls that a filter lets pass, the newest first, of the first 20,000 there are. `reached` is where these ended, null where the log did:
 * what follows is asked for from there on.
 */
export function listCalls(
  store: Store,
  wanted: CallQuery,
): { calls: EarlierCall[]; reached: [number, string] | null } {
  const { account, status, test, since, before, limit } = wanted;
  const { within, order } = wanted.chain === undefined ? byId(wanted) : byTime(wanted, wanted.chain);
  const scanned = store.db
    .select()
    .from(calls)
    .where(and(...within))
    .orderBy(...order)
    .limit(SCANNED)
    .as('scanned');
  const passing = store.db
    .select()
    .from(scanned)
    .where(
      and(
        account === undefined ? undefined : eq(scanned.account, account),
        status && eq(scanned.band, status),
        test === undefined ? undefined : eq(scanned.test, test),
        since === undefined ? undefined : gte(scanned.time, since),
        before === undefined ? undefined : lt(scanned.time, before),
      ),
    )
    .limit(limit)
    .all();
  const last = store.db
    .select({ time: calls.time, id: calls.requestId })
    .from(calls)
    .where(and(...within))
    .orderBy(...order)
    .limit(1)
    .offset(SCANNED - 1)
    .get();
  return { calls: passing, reached: last ? [last.time, last.id] : null };
}

type Scan = { within: (SQL | undefined)[]; order: SQL[] };

/** All keys' calls, by their ids, which sort by time. */
const byId = ({ since, before, after }: CallQuery): Scan => ({
  within: [
    after && lt(calls.requestId, after[1]),
    since === undefined ? undefined : gte(calls.requestId, firstIdAt(since)),
    before === undefined ? undefined : lt(calls.requestId, firstIdAt(before)),
  ],
  order: [desc(calls.requestId)],
});

/** Those of one chain of keys, by the index that its request stream has. */
const byTime = ({ since, before, after }: CallQuery, chain: string): Scan => ({
  within: [
    eq(calls.keyId, chain),
    after && sql`(${calls.time}, ${calls.requestId}) < (${after[0]}, ${after[1]})`,
    since === undefined ? undefined : gte(calls.time, since),
    before === undefined ? undefined : lt(calls.time, before),
  ],
  order: [desc(calls.time), desc(calls.requestId)],
});

/** A call by its id, whoever made it. */
export const findCall = (store: Store, requestId: string): EarlierCall | undefined =>
  store.db.select().from(calls).where(eq(calls.requestId, requestId)).get();

// Accepted calls for plots: few columns of many rows.
/** One call: what a plot needs of it. */
export type ActivityRow = [time: number, band: Band, catfish: number, latencyMs: number];

interface ActivityQuery {
  /** Milliseconds since 1970. */
  since: number;
  account?: string | undefined;
  /** So many at most, the newest. */
  most: number;
}

/** Live calls since a time, the newest first: by their ids, which sort by time. */
export function listActivity(store: Store, { since, account, most }: ActivityQuery): ActivityRow[] {
  const of = account === undefined ? '' : 'AND account = @account';
  return store.raw
    .prepare<[object], ActivityRow>(
      `SELECT time, band, catfish, latency_ms FROM calls WHERE request_id >= @from AND time >= @since AND test = 0 ${of} ORDER BY request_id DESC LIMIT @most`,
    )
    .raw()
    .all({ from: firstIdAt(since), since, most, ...(account === undefined ? {} : { account }) });
}

/** What is told of an earlier call: when it was, and whether it carried the flag. */
export type RecentCall = Pick<LoggedCall, 'time' | 'catfish'>;
export type RecentRow = [time: number, catfish: number];
export const RECENT_CALLS_SQL = `SELECT time, catfish FROM calls WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;
// Each span is counted by itself and no further than "most", so that what is read is bounded however busy the caller is.
export const SPAN_COUNTS_SQL = `WITH RECURSIVE span (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM span WHERE n + 1 < @spans)
  SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM calls
    WHERE key = @keyId AND time >= CAST(@before AS BIGINT) - (n + 1) * CAST(@width AS BIGINT)
      AND time < CAST(@before AS BIGINT) - n * CAST(@width AS BIGINT) LIMIT @most) AS own) FROM span`;

interface Statements {
  recent: Database.Statement<unknown[], RecentRow>;
  spans: Database.Statement<unknown[], number>;
}
const STATEMENTS = new WeakMap<Store, Statements>();

/** Prepared by hand: they are on the path of every enhanced check, and the query builder takes three times as long. */
function statementsOf(store: Store): Statements {
  const known = STATEMENTS.get(store);
  if (known) return known;
  const made = {
    recent: store.raw.prepare<unknown[], RecentRow>(RECENT_CALLS_SQL).raw(),
    spans: store.raw.prepare<unknown[], number>(SPAN_COUNTS_SQL).pluck(),
  };
  STATEMENTS.set(store, made);
  return made;
}

/** One caller's own calls in a window of time, the oldest first; the newest `limit` of them. */
export function listRecentCalls(
  store: Store,
  keyId: string,
  { since, before, limit }: CallWindow,
): RecentCall[] {
  return toRecentCalls(statementsOf(store).recent.all(keyId, since, before, limit));
}

/** Rows of `RECENT`, which come with the newest first. */
export const toRecentCalls = (rows: readonly RecentRow[]): RecentCall[] =>
  rows.toReversed().map(([time, catfish]) => ({ time, catfish: catfish === 1 }));

/** How many calls a caller made in each of the spans of time before a moment, the newest first. */
export function countCallsBySpan(
  store: Store,
  keyId: string,
  { before, width, spans, most }: TimeSpans,
): number[] {
  return statementsOf(store).spans.all({ keyId, before, width, spans, most });
}

/** A caller's own earlier calls. */
export const openEarlierCalls = (store: Store) => ({
  /** One call of one chain of keys, or undefined where there is none or it is somebody else's. */
  callOf: (keyId: string, requestId: string): EarlierCall | undefined =>
    store.read(() =>
      store.db
        .select()
        .from(calls)
        .where(and(eq(calls.requestId, requestId), eq(calls.keyId, keyId)))
        .get(),
    ),
});

/** Every call with a live key of which its caller told how it turned out, the oldest first; of one month or account where it is named. */
export function listCallsWithOutcome(
  store: Store,
  { month, account }: { month?: string; account?: string },
): EarlierCall[] {
  const inMonth =
    month === undefined ? [] : [gte(calls.time, startOfMonth(month)), lt(calls.time, endOfMonth(month))];
  const ofAccount = account === undefined ? [] : [eq(calls.account, account)];
  return store.db
    .select()
    .from(calls)
    .where(and(isNotNull(calls.outcome), eq(calls.test, false), ...inMonth, ...ofAccount))
    .orderBy(calls.requestId)
    .all();
}
