import { and, eq } from 'drizzle-orm';
import { calls } from './schema.js';
const RECENT = `SELECT time, emails, phones, addresses, score, catfish, different, unverified FROM calls
  WHERE key = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?`;
const recent = new WeakMap();
/**
 * One account's own calls in a window of time, the oldest first; the newest `limit` of them. Prepared by hand: it is on
 * the path of every enhanced check, and a thousand rows through the query builder take three times as long.
 */
export function window(store, account, { since, before, limit }) {
    let statement = recent.get(store);
    if (!statement)
        recent.set(store, (statement = store.raw.prepare(RECENT).raw()));
    return statement.all(account, since, before, limit).reverse().map(recentCall);
}
function recentCall([time, emails, phones, addresses, score, catfish, different, unverified,]) {
    return { time, emails, phones, addresses, score, catfish: catfish === 1, different, unverified };
}
/** One call of one account, or undefined where there is none or it is somebody else's. */
export function callOf(store, account, requestId) {
    return store.db
        .select()
        .from(calls)
        .where(and(eq(calls.requestId, requestId), eq(calls.keyId, account)))
        .get();
}
