import type Database from 'better-sqlite3';
import { and, eq, gte, isNotNull, lt } from './drizzle.ts';
import { endOf, startOf } from '../accounts/billing/month.ts';
import type { Spans, Window } from '../accounts/window.ts';
import type { EarlierCall, LoggedCall } from '../accounts/model.ts';
import type { Store } from './store.ts';
import { calls } from './schema.ts';

/** What is told of an earlier call: when it was, and whether it carried the flag. */
export type RecentCall = Pick<LoggedCall, 'time' | 'catfish'>;
export type RecentRow = [time: number, catfish: number];
export const RECENT = `SELECT time, catfish FROM calls WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;
// Each span is counted by itself and no further than "most", so that what is read is bounded however busy the caller is.
export const SPANS = `WITH RECURSIVE span (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM span WHERE n + 1 < @spans)
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
    recent: store.raw.prepare<unknown[], RecentRow>(RECENT).raw(),
    spans: store.raw.prepare<unknown[], number>(SPANS).pluck(),
  };
  STATEMENTS.set(store, made);
  return made;
}

/** One caller's own calls in a window of time, the oldest first; the newest `limit` of them. */
export function callsWithin(store: Store, keyId: string, { since, before, limit }: Window): RecentCall[] {
  return recentOf(statementsOf(store).recent.all(keyId, since, before, limit));
}

/** Rows of `RECENT`, which come with the newest first. */
export const recentOf = (rows: readonly RecentRow[]): RecentCall[] =>
  rows.toReversed().map(([time, catfish]) => ({ time, catfish: catfish === 1 }));

/** How many calls a caller made in each of the spans of time before a moment, the newest first. */
export function countsOf(store: Store, keyId: string, { before, width, spans, most }: Spans): number[] {
  return statementsOf(store).spans.all({ keyId, before, width, spans, most });
}

/** A caller's own earlier calls. */
export const earlierCallsOf = (store: Store) => ({
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
export function toldCalls(
  store: Store,
  { month, account }: { month?: string; account?: string },
): EarlierCall[] {
  const inMonth = month === undefined ? [] : [gte(calls.time, startOf(month)), lt(calls.time, endOf(month))];
  const ofAccount = account === undefined ? [] : [eq(calls.account, account)];
  return store.db
    .select()
    .from(calls)
    .where(and(isNotNull(calls.outcome), eq(calls.test, false), ...inMonth, ...ofAccount))
    .orderBy(calls.requestId)
    .all();
}
