// How an accepted call is written: raw prepared statements, and nothing that the writer thread need not load.
import type { LoggedCall } from '../accounts/model.ts';
import { firstIdAt } from '../platform/request-id.ts';
import type { Sql } from './store.ts';

/** A call as the writer thread gets it: its columns in order, which crosses threads cheaper than an object does. */
export type Row = (string | number | null)[];

export function toRow(call: LoggedCall): Row {
  return [
    call.requestId,
    call.keyId,
    call.time,
    call.endpoint,
    call.responseVersion,
    call.intent,
    call.emails,
    call.phones,
    call.addresses,
    call.score,
    call.band,
    call.confidence,
    call.catfish ? 1 : 0,
    call.different,
    call.unverified,
    call.scoringModel,
    call.latencyMs,
    call.test ? 1 : 0,
    call.account,
  ];
}

/** How an earlier call of a chain of keys turned out, as its caller tells. */
export interface Told {
  keyId: string;
  requestId: string;
  genuine: boolean;
}

export const REQUEST_ID_COLUMN = 0;
export const KEY_COLUMN = 1;
/** 1 for a call with a test key. */
export const TEST_COLUMN = 17;
export const ACCOUNT_COLUMN = 18;

/** Prepares the writer's statement: appends one call. Runs inside the writer's transaction. */
export function appender(raw: Sql): (row: Row) => void {
  const add = raw.prepare(
    `INSERT INTO calls (request_id, key, time, endpoint, response_version, intent, emails, phones, addresses, score, band,
       confidence, catfish, different, unverified, scoring_model, latency_ms, test,
       account)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row) => void add.run(row);
}

/** Prepares the writer's statement: keeps how a call turned out, in place of what was told before. Runs inside the writer's transaction. */
export function outcomeKeeper(raw: Sql): (told: Told) => void {
  const set = raw.prepare('UPDATE calls SET outcome = ? WHERE request_id = ? AND key = ?');
  return ({ keyId, requestId, genuine }) => void set.run(genuine ? 1 : 0, requestId, keyId);
}

/** Prepares the writer's statement: adds `calls` to a month of a chain of keys. Runs inside the writer's transaction. */
export function counter(raw: Sql): (key: string, month: string, calls: number) => void {
  const add = raw.prepare(
    'INSERT INTO usage (key, month, calls) VALUES (?, ?, ?) ON CONFLICT (key, month) DO UPDATE SET calls = usage.calls + excluded.calls',
  );
  return (key, month, calls) => void add.run(key, month, calls);
}

/** Rows that are removed in one step: some milliseconds, so that no call waits for longer. */
export const REMOVED_AT_ONCE = 500;

/** Calls so recent may be of a clock that has just jumped. */
const UNCONFIRMED_MS = 86_400_000;

/**
 * Prepares what tells the time that calls are removed by, never later than `now` (milliseconds): a day after the newest call that is a
 * day old at least, and that long later as the writer is up (`upMs`). A clock that jumps ahead, under a server or before its start, thus
 * removes no more than a day too many, until it has stood there for a day.
 */
export function removalClock(raw: Sql): (now: number, upMs: number) => number {
  const newestBefore = raw
    .prepare<[string], number>('SELECT time FROM calls WHERE request_id < ? ORDER BY request_id DESC LIMIT 1')
    .pluck();
  let known: number | undefined;
  return (now, upMs) => {
    const confirmed = newestBefore.get(firstIdAt(now - UNCONFIRMED_MS));
    if (confirmed === undefined) return now;
    known ??= confirmed;
    return Math.min(now, Math.max(confirmed, known + upMs) + UNCONFIRMED_MS);
  };
}

/**
 * Prepares the writer's statement: removes the oldest calls that are older than `before`, one step of them, and answers how many. Request
 * ids begin with their time, so the oldest are found by the primary key.
 */
export function remover(raw: Sql): (before: number) => number {
  const remove = raw.prepare(
    `DELETE FROM calls WHERE time < ? AND request_id IN
       (SELECT request_id FROM calls WHERE request_id < ? ORDER BY request_id LIMIT ${REMOVED_AT_ONCE})`,
  );
  return (before) => remove.run(before, firstIdAt(before)).changes;
}
