import type Database from 'better-sqlite3';
import { and, eq } from 'drizzle-orm';
import type { Window } from '../../accounts/window.ts';
import type { LoggedCall } from '../../model.ts';
import type { Store } from './open.ts';
import { calls } from './schema.ts';

/** What is told of an earlier call: when it was and how it ended. */
type RecentCall = Pick<
  LoggedCall,
  'time' | 'emails' | 'phones' | 'addresses' | 'score' | 'catfish' | 'different' | 'unverified'
>;
type RecentRow = [
  time: number,
  emails: number,
  phones: number,
  addresses: number,
  score: number,
  catfish: number,
  different: number,
  unverified: number,
];
const RECENT = `SELECT time, emails, phones, addresses, score, catfish, different, unverified FROM calls
  WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;
const RECENT_OF = new WeakMap<Store, Database.Statement<unknown[], RecentRow>>();

/**
 * One account's own calls in a window of time, the oldest first; the newest `limit` of them. Prepared by hand: it is on
 * the path of every enhanced check, and a thousand rows through the query builder take three times as long.
 */
export function callsWithin(store: Store, account: string, { since, before, limit }: Window): RecentCall[] {
  let statement = RECENT_OF.get(store);
  if (!statement) RECENT_OF.set(store, (statement = store.raw.prepare<unknown[], RecentRow>(RECENT).raw()));
  const prepared = statement;
  return store
    .read(() => prepared.all(account, since, before, limit))
    .reverse()
    .map(recentCall);
}

function recentCall([
  time,
  emails,
  phones,
  addresses,
  score,
  catfish,
  different,
  unverified,
]: RecentRow): RecentCall {
  return { time, emails, phones, addresses, score, catfish: catfish === 1, different, unverified };
}

/** One call of one account, or undefined where there is none or it is somebody else's. */
export function callOf(store: Store, account: string, requestId: string): LoggedCall | undefined {
  const own = and(eq(calls.requestId, requestId), eq(calls.keyId, account));
  return store.read(() => store.db.select().from(calls).where(own).get());
}
