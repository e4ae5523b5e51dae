import type Database from 'better-sqlite3';
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

/** A call as the writer thread gets it: its columns in order, which crosses threads cheaper than an object does. */
export type Row = (string | number)[];

export function toRow(call: CallRecord): Row {
  return [
    call.requestId,
    call.keyId,
    call.time,
    call.endpoint,
    call.responseVersion,
    call.emails,
    call.phones,
    call.addresses,
    call.score,
    call.band,
    call.confidence,
    call.catfish ? 1 : 0,
    call.different,
    call.unverified,
    call.latencyMs,
  ];
}

export const KEY_COLUMN = 1;
export const TIME_COLUMN = 2;

/** Prepares the writer's statement: appends one call. Runs inside the writer's transaction. */
export function appender(raw: Database.Database): (row: Row) => void {
  const add = raw.prepare(
    `INSERT INTO calls (request_id, key, time, endpoint, response_version, emails, phones, addresses, score, band,
       confidence, catfish, different, unverified, latency_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row) => void add.run(row);
}
