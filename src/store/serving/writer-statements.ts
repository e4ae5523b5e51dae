// How an accepted call is written: raw prepared statements, and nothing that the writer thread need not load.
import type { LoggedCall } from '../../accounts/model.ts';
import { firstIdAt } from '../../platform/request-id.ts';
import type { SqlConnection } from '../store.ts';
import type { IdempotencyRecord, SpentKey } from '../../accounts/idempotency.ts';
import type { ProbeCounts } from '../../accounts/harvesting.ts';
import type { HourlyProbeCounts } from './key-activity.ts';

/** A call as the writer thread gets it: its columns in order, which crosses threads cheaper than an object does. */
export type CallRow = (string | number | null)[];

export function toCallRow(call: LoggedCall): CallRow {
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
export interface CallOutcome {
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
export function prepareAppendCall(raw: SqlConnection): (row: CallRow) => void {
  const add = raw.prepare(
    `INSERT INTO calls (request_id, key, time, endpoint, response_version, intent, emails, phones, addresses, score, band,
       confidence, catfish, different, unverified, scoring_model, latency_ms, test,
       account)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row) => void add.run(row);
}

/** Prepares the writer's statement: keeps how a call turned out, in place of what was told before. Runs inside the writer's transaction. */
export function prepareSetOutcome(raw: SqlConnection): (told: CallOutcome) => void {
  const set = raw.prepare('UPDATE calls SET outcome = ? WHERE request_id = ? AND key = ?');
  return ({ keyId, requestId, genuine }) => void set.run(genuine ? 1 : 0, requestId, keyId);
}

/** Prepares the writer's statement: adds `calls` to a month of a chain of keys. Runs inside the writer's transaction. */
export function prepareCountCalls(raw: SqlConnection): (key: string, month: string, calls: number) => void {
  const add = raw.prepare(
    'INSERT INTO usage (key, month, calls) VALUES (?, ?, ?) ON CONFLICT (key, month) DO UPDATE SET calls = usage.calls + excluded.calls',
  );
  return (key, month, calls) => void add.run(key, month, calls);
}

/** Rows that are removed in one step: some milliseconds, so that no call waits for longer. */
export const REMOVAL_BATCH_SIZE = 500;

/** Calls so recent may be of a clock that has just jumped. */
const UNCONFIRMED_MS = 86_400_000;

/**
 * Prepares what tells the time that calls are removed by, never later than `now` (milliseconds): a day after the newest call that is a
 * day old at least, and that long later as the writer is up (`upMs`). A clock that jumps ahead, under a server or before its start, thus
 * removes no more than a day too many, until it has stood there for a day.
 */
export function prepareRemovalClock(raw: SqlConnection): (now: number, upMs: number) => number {
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
export function prepareRemoveCalls(raw: SqlConnection): (before: number) => number {
  const remove = raw.prepare(
    `DELETE FROM calls WHERE time < ? AND request_id IN
       (SELECT request_id FROM calls WHERE request_id < ? ORDER BY request_id LIMIT ${REMOVAL_BATCH_SIZE})`,
  );
  return (before) => remove.run(before, firstIdAt(before)).changes;
}

// Which calls spent which Idempotency-Keys. The writer thread loads this: raw statements only.
/** The call that spent a key before; null where that was another request. */
export interface EarlierSpend {
  counted: string | null;
}

/** Prepares the look-up of the call that spent a key whose time is not over. */
export function prepareFindSpentKey(
  raw: SqlConnection,
): (key: Uint8Array, now: number) => SpentKey | undefined {
  const find = raw.prepare<[Uint8Array, number], SpentKey>(
    'SELECT request, request_id AS "requestId" FROM idempotency WHERE fingerprint = ? AND expires > ?',
  );
  return (key, now) => find.get(key, now);
}

/** Prepares the writer's statements: what spent a key before, and keeping that a call spends it. Run inside the writer's transaction. */
export function prepareSpendKey(raw: SqlConnection) {
  const find = prepareFindSpentKey(raw);
  const add = raw.prepare(
    `INSERT INTO idempotency (fingerprint, request, request_id, expires) VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint)
       DO UPDATE SET request = excluded.request, request_id = excluded.request_id, expires = excluded.expires`,
  );
  return {
    before({ key, request }: IdempotencyRecord, now: number): EarlierSpend | null {
      const spent = find(key, now);
      if (!spent) return null;
      return { counted: spent.request.equals(request) ? spent.requestId : null };
    },
    keep({ key, request, expires }: IdempotencyRecord, row: CallRow): void {
      add.run(key, request, row[REQUEST_ID_COLUMN], expires);
    },
  };
}

/** Prepares the writer's statement: forgets keys whose time is over, one step of them, and answers how many. */
export function prepareForgetKeys(raw: SqlConnection): (now: number) => number {
  const remove = raw.prepare(
    `DELETE FROM idempotency WHERE fingerprint IN (SELECT fingerprint FROM idempotency WHERE expires < ? LIMIT ${REMOVAL_BATCH_SIZE})`,
  );
  return (now) => remove.run(now).changes;
}

// Counts of how keys ask, by the hour. The writer thread loads this: raw statements only.
const ADD = `INSERT INTO probes (key, hour, checks, name_only, one_value, without_record, fresh, runs)
  VALUES (@key, @hour, @checks, @nameOnly, @oneValue, @withoutRecord, @fresh, @runs)
  ON CONFLICT (key, hour) DO UPDATE SET checks = probes.checks + excluded.checks,
    name_only = probes.name_only + excluded.name_only, one_value = probes.one_value + excluded.one_value,
    without_record = probes.without_record + excluded.without_record, fresh = probes.fresh + excluded.fresh,
    runs = probes.runs + excluded.runs`;

/** How long the counts of an hour are kept. */
const KEPT_MS = 30 * 86_400_000;

/** Prepares the writer's statement: adds counts to what is there, and removes those of long ago. */
export function prepareAddProbeCounts(raw: SqlConnection): (hours: readonly HourlyProbeCounts[]) => void {
  const add = raw.prepare(ADD);
  const remove = raw.prepare('DELETE FROM probes WHERE hour < ?');
  const keep = raw.transaction((hours: readonly HourlyProbeCounts[]) => {
    for (const hour of hours) add.run(hour);
    remove.run((hours[0]?.hour ?? 0) - KEPT_MS);
  });
  return (hours) => keep.immediate(hours);
}

/** Counts of every chain of keys since a moment (milliseconds), together. */
export function sumProbesSince(raw: SqlConnection, since: number): ({ key: string } & ProbeCounts)[] {
  return raw
    .prepare<[number], { key: string } & ProbeCounts>(
      `SELECT key, sum(checks) AS checks, sum(name_only) AS "nameOnly", sum(one_value) AS "oneValue",
         sum(without_record) AS "withoutRecord", sum(fresh) AS fresh, sum(runs) AS runs
       FROM probes WHERE hour > ? GROUP BY key ORDER BY key`,
    )
    .all(since - 3_600_000);
}
