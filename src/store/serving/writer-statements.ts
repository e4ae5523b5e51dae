// Statements of the writer: raw prepared statements that work in both engines. The writer thread loads this file, so it loads no query
// builder. Each `prepare…` function prepares its statements on one connection; what it returns runs inside the writer's transaction.
import type { ProbeCounts } from '../../accounts/harvesting.ts';
import type { IdempotencyRecord, SpentKey } from '../../accounts/idempotency.ts';
import type { LoggedCall } from '../../accounts/model.ts';
import { firstIdAt } from '../../platform/request-id.ts';
import type { SqlConnection } from '../store.ts';

/** Call as its columns in order: an array crosses threads faster than an object. */
export type CallRow = (string | number | null)[];

/** Returns the columns of a call in the order of the insert statement. */
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

/** Index of the request id in a `CallRow`. */
export const REQUEST_ID_COLUMN = 0;
/** Index of the key id in a `CallRow`. */
export const KEY_COLUMN = 1;
/** Index of the test flag in a `CallRow`: 1 for a call with a test key. */
export const TEST_COLUMN = 17;
/** Index of the account id in a `CallRow`. */
export const ACCOUNT_COLUMN = 18;

/** Prepares the insert of a call into the call log. */
export function prepareAppendCall(db: SqlConnection): (row: CallRow) => void {
  const add = db.prepare(
    `INSERT INTO calls (request_id, key, time, endpoint, response_version, intent, emails, phones, addresses, score, band,
       confidence, catfish, different, unverified, scoring_model, latency_ms, test, account)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row) => void add.run(row);
}

/** Outcome of an earlier call, as its caller reports it. */
export interface CallOutcome {
  keyId: string;
  requestId: string;
  /** True if the person was the one that was claimed. */
  isGenuine: boolean;
}

/** Prepares the update that stores the outcome of a call, in place of an earlier report. */
export function prepareSetOutcome(db: SqlConnection): (outcome: CallOutcome) => void {
  const set = db.prepare('UPDATE calls SET outcome = ? WHERE request_id = ? AND key = ?');
  return ({ keyId, requestId, isGenuine }) => void set.run(isGenuine ? 1 : 0, requestId, keyId);
}

/** Prepares the statement that adds `calls` to the month of a chain of keys. */
export function prepareCountCalls(db: SqlConnection): (key: string, month: string, calls: number) => void {
  const add = db.prepare(
    'INSERT INTO usage (key, month, calls) VALUES (?, ?, ?) ON CONFLICT (key, month) DO UPDATE SET calls = usage.calls + excluded.calls',
  );
  return (key, month, calls) => void add.run(key, month, calls);
}

/** Request id that an Idempotency-Key was counted under before; null if that was another request. */
export interface EarlierCount {
  countedId: string | null;
}

/** Prepares the look-up of the call that spent an unexpired Idempotency-Key. */
export function prepareFindSpentKey(
  db: SqlConnection,
): (key: Uint8Array, now: number) => SpentKey | undefined {
  const find = db.prepare<[Uint8Array, number], SpentKey>(
    'SELECT request, request_id AS "requestId" FROM idempotency WHERE fingerprint = ? AND expires > ?',
  );
  return (key, now) => find.get(key, now);
}

/** Prepares the statements that spend an Idempotency-Key once. */
export function prepareSpendKey(db: SqlConnection) {
  const find = prepareFindSpentKey(db);
  const add = db.prepare(
    `INSERT INTO idempotency (fingerprint, request, request_id, expires) VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint)
       DO UPDATE SET request = excluded.request, request_id = excluded.request_id, expires = excluded.expires`,
  );
  return {
    findEarlier({ key, request }: IdempotencyRecord, now: number): EarlierCount | null {
      const spent = find(key, now);
      if (!spent) return null;
      return { countedId: spent.request.equals(request) ? spent.requestId : null };
    },
    spend({ key, request, expires }: IdempotencyRecord, row: CallRow): void {
      add.run(key, request, row[REQUEST_ID_COLUMN], expires);
    },
  };
}

const MINUTE_MS = 60_000;

/** Prepares the update of the times at which keys were last used. Several threads and processes may report one minute. */
export function prepareSaveLastUsed(db: SqlConnection): (lastUsed: ReadonlyMap<string, number>) => void {
  const set = db.prepare('UPDATE keys SET last_used = ? WHERE id = ? AND coalesce(last_used, 0) <= ?');
  const save = db.transaction((lastUsed: ReadonlyMap<string, number>) => {
    for (const [key, time] of lastUsed) set.run(time, key, time - MINUTE_MS);
  });
  return (lastUsed) => save.immediate(lastUsed);
}

/** Probe counts of a chain of keys in the hour that began at `hour` (milliseconds since 1970). */
export interface HourlyProbeCounts extends ProbeCounts {
  key: string;
  hour: number;
}

const ADD_PROBES = `INSERT INTO probes (key, hour, checks, name_only, one_value, without_record, fresh, runs)
  VALUES (@key, @hour, @checks, @nameOnly, @oneValue, @withoutRecord, @fresh, @runs)
  ON CONFLICT (key, hour) DO UPDATE SET checks = probes.checks + excluded.checks,
    name_only = probes.name_only + excluded.name_only, one_value = probes.one_value + excluded.one_value,
    without_record = probes.without_record + excluded.without_record, fresh = probes.fresh + excluded.fresh,
    runs = probes.runs + excluded.runs`;

/** How long probe counts are kept. */
const PROBES_KEPT_MS = 30 * 86_400_000;

/** Prepares the statements that add probe counts and remove old ones. */
export function prepareAddProbeCounts(db: SqlConnection): (hours: readonly HourlyProbeCounts[]) => void {
  const add = db.prepare(ADD_PROBES);
  const remove = db.prepare('DELETE FROM probes WHERE hour < ?');
  const save = db.transaction((hours: readonly HourlyProbeCounts[]) => {
    for (const hour of hours) add.run(hour);
    remove.run((hours[0]?.hour ?? 0) - PROBES_KEPT_MS);
  });
  return (hours) => save.immediate(hours);
}

/** Returns the probe counts of every chain of keys since a time (milliseconds since 1970), summed. */
export function sumProbesSince(db: SqlConnection, since: number): ({ key: string } & ProbeCounts)[] {
  return db
    .prepare<[number], { key: string } & ProbeCounts>(
      `SELECT key, sum(checks) AS checks, sum(name_only) AS "nameOnly", sum(one_value) AS "oneValue",
         sum(without_record) AS "withoutRecord", sum(fresh) AS fresh, sum(runs) AS runs
       FROM probes WHERE hour > ? GROUP BY key ORDER BY key`,
    )
    .all(since - 3_600_000);
}

/** Request to remove old rows of the call log. */
export interface RemovalRequest {
  /** Age from which calls are removed, in milliseconds; null keeps all calls. */
  maxAgeMs: number | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** Prepares the removal of old calls and expired Idempotency-Keys; it removes one batch and returns true if more are left. */
export function prepareRemoveOld(db: SqlConnection): (request: RemovalRequest) => boolean {
  const removeCalls = prepareRemoveCalls(db);
  const forgetKeys = prepareForgetKeys(db);
  const getRemovalTime = prepareRemovalClock(db);
  return ({ maxAgeMs, now }) => {
    const time = getRemovalTime(now, performance.now());
    const removed = [forgetKeys(time), maxAgeMs === null ? 0 : removeCalls(time - maxAgeMs)];
    return removed.includes(REMOVAL_BATCH_SIZE);
  };
}

/** Rows that are removed in one batch: it takes some milliseconds, and no call waits longer. */
const REMOVAL_BATCH_SIZE = 500;

/** Calls younger than a day may come from a clock that has just jumped. */
const UNCONFIRMED_MS = 86_400_000;

/**
 * Prepares the clock of removals. The clock returns at most `now` (milliseconds since 1970) and at most one day after the newest call that
 * is at least a day old, plus the time that the writer has been running since (`upMs`). A clock that jumps ahead, before or after the
 * server starts, thus removes at most one day too much until it has stayed there for a day.
 */
export function prepareRemovalClock(db: SqlConnection): (now: number, upMs: number) => number {
  const newestBefore = db
    .prepare<[string], number>('SELECT time FROM calls WHERE request_id < ? ORDER BY request_id DESC LIMIT 1')
    .pluck();
  let first: number | undefined;
  return (now, upMs) => {
    const confirmed = newestBefore.get(firstIdAt(now - UNCONFIRMED_MS));
    if (confirmed === undefined) return now;
    first ??= confirmed;
    return Math.min(now, Math.max(confirmed, first + upMs) + UNCONFIRMED_MS);
  };
}

/**
 * Prepares the removal of calls older than `before` (milliseconds since 1970); it removes one batch, the oldest first, and returns the
 * number of removed calls. Request ids begin with their time, so the primary key finds the oldest calls.
 */
export function prepareRemoveCalls(db: SqlConnection): (before: number) => number {
  const remove = db.prepare(
    `DELETE FROM calls WHERE time < ? AND request_id IN
       (SELECT request_id FROM calls WHERE request_id < ? ORDER BY request_id LIMIT ${REMOVAL_BATCH_SIZE})`,
  );
  return (before) => remove.run(before, firstIdAt(before)).changes;
}

/** Prepares the removal of expired Idempotency-Keys; it removes one batch and returns the number of removed keys. */
export function prepareForgetKeys(db: SqlConnection): (now: number) => number {
  const remove = db.prepare(
    `DELETE FROM idempotency WHERE fingerprint IN (SELECT fingerprint FROM idempotency WHERE expires < ? LIMIT ${REMOVAL_BATCH_SIZE})`,
  );
  return (now) => remove.run(now).changes;
}
