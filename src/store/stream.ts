import { and, desc, eq, gte, lt } from 'drizzle-orm';
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

/** One account's own calls in a window of time, the oldest first; the newest `limit` of them. */
export function window(store: Store, account: string, { since, before, limit }: Window): CallRecord[] {
  return store.db
    .select()
    .from(calls)
    .where(and(eq(calls.keyId, account), gte(calls.time, since), lt(calls.time, before)))
    .orderBy(desc(calls.time))
    .limit(limit)
    .all()
    .reverse();
}

/** One call of one account, or undefined where there is none or it is somebody else's. */
export function callOf(store: Store, account: string, requestId: string): CallRecord | undefined {
  return store.db
    .select()
    .from(calls)
    .where(and(eq(calls.requestId, requestId), eq(calls.keyId, account)))
    .get();
}
