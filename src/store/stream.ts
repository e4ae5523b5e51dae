import { and, eq } from 'drizzle-orm';
import type { CallRecord } from '../model.ts';
import type { Store } from './open.ts';
import { calls } from './schema.ts';

export interface Window {
  /** Milliseconds; calls at or after this. */
  since: number;
  /** Milliseconds; calls before this. */
  before: number;
  limit: number;
}

type WindowRow = Omit<CallRecord, 'catfish'> & { catfish: number };
const WINDOW = `SELECT request_id AS requestId, key AS keyId, time, endpoint, response_version AS responseVersion, emails,
    phones, addresses, score, band, confidence, catfish, different, unverified, latency_ms AS latencyMs
  FROM calls WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;
const windows = new WeakMap<Store, Database.Statement<unknown[], WindowRow>>();

/**
 * One account's own calls in a window of time, the oldest first; the newest `limit` of them. Prepared by hand: it is on
 * the path of every enhanced check, and a thousand rows through the query builder cost three times as much.
 */
export function window(store: Store, account: string, { since, before, limit }: Window): CallRecord[] {
  let statement = windows.get(store);
  if (!statement) windows.set(store, (statement = store.raw.prepare<unknown[], WindowRow>(WINDOW)));
  const rows = statement.all(account, since, before, limit);
  return rows.reverse().map((row) => ({ ...row, catfish: row.catfish === 1 }));
}

/** One call of one account, or undefined where there is none or it is somebody else's. */
export function callOf(store: Store, account: string, requestId: string): CallRecord | undefined {
  return store.db
    .select()
    .from(calls)
    .where(and(eq(calls.requestId, requestId), eq(calls.keyId, account)))
    .get();
}
