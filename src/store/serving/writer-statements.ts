// Statements of the writer of calls, for both engines. The writer thread loads this file, so it must not load
// a query builder.
import { randomUUID } from 'node:crypto';
import {
  formatQuotaNotice,
  formatWebhookMessage,
  type OperatorEventMessage,
  type QuotaNotice,
} from '../../accounts/billing/webhook.ts';
import type { SuspiciousCheckCounts } from '../../accounts/harvesting.ts';
import type { LoggedCall, UnwrittenRefusal } from '../../accounts/model.ts';
import { toLowestRequestId } from '../../platform/request-id.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import { removeOldEvents } from '../events/events.ts';
import { expireWatches } from '../events/rechecks.ts';
import { deleteSomeWatchesOfAccount } from '../events/watches.ts';
import type { accounts, keys } from '../schema.ts';
import type { SqlConnection } from '../store.ts';
import { deleteSomeJobsOfAccount } from './jobs.ts';

/** Columns of a call in the order of `toCallLogRow`. Threads exchange arrays faster than objects. */
export type CallLogRow = (string | number | null)[];

/** Converts a call to the values of the insert statement, in the order of its columns. */
export function toCallLogRow(call: LoggedCall): CallLogRow {
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
    call.verdict,
  ];
}

export const CALL_REQUEST_ID_COLUMN_INDEX = 0;
/** Index in a `CallLogRow` of the API key: the id of the first key of its chain. */
export const CALL_KEY_CHAIN_COLUMN_INDEX = 1;
export const CALL_TEST_FLAG_COLUMN_INDEX = 17;
export const CALL_ACCOUNT_COLUMN_INDEX = 18;

export interface ReportedCallOutcome {
  keyId: string;
  requestId: string;
  /** True if the caller reported that the person was genuine. */
  isGenuine: boolean;
}

/** Counts of suspicious checks of one chain of API keys in the hour that begins at `hour` (milliseconds since 1970). */
export interface HourlySuspiciousCheckCounts extends SuspiciousCheckCounts {
  key: string;
  hour: number;
}

/** Maximum number of rows that one statement removes. Calls wait for it for some milliseconds. */
const REMOVED_AT_ONCE = 500;

/** Maximum number of refused calls in a store. The oldest ones are removed. */
const MAX_REFUSALS = 100_000;

/** Maximum age of refused calls, in milliseconds. Older ones are removed. */
const REFUSALS_KEPT_MS = 30 * 86_400_000;

/** API key of a refused call with its account, and the times that tell why the key is invalid. */
type KeyOwner = Pick<typeof keys.$inferSelect, 'id' | 'chain' | 'account' | 'revoked' | 'expires'> &
  Pick<typeof accounts.$inferSelect, 'closed'>;

const statements = preparePerConnection((db: SqlConnection) => ({
  addMessage: db.prepare(
    'INSERT INTO webhooks (id, about, body, created, attempts, next) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING',
  ),
  setLastUsed: db.prepare('UPDATE keys SET last_used = ? WHERE id = ? AND coalesce(last_used, 0) <= ?'),
  addProbes: db.prepare(
    `INSERT INTO probes (key, hour, checks, name_only, one_value, without_record, fresh, runs)
     VALUES (@key, @hour, @checks, @nameOnly, @oneValue, @withoutRecord, @fresh, @runs)
     ON CONFLICT (key, hour) DO UPDATE SET checks = probes.checks + excluded.checks,
       name_only = probes.name_only + excluded.name_only, one_value = probes.one_value + excluded.one_value,
       without_record = probes.without_record + excluded.without_record, fresh = probes.fresh + excluded.fresh,
       runs = probes.runs + excluded.runs`,
  ),
  removeProbes: db.prepare('DELETE FROM probes WHERE hour < ?'),
  sumProbes: db.prepare<[number], { key: string } & SuspiciousCheckCounts>(
    `SELECT key, sum(checks) AS checks, sum(name_only) AS "nameOnly", sum(one_value) AS "oneValue",
       sum(without_record) AS "withoutRecord", sum(fresh) AS fresh, sum(runs) AS runs
     FROM probes WHERE hour > ? GROUP BY key ORDER BY key`,
  ),
  newestBefore: db
    .prepare<[string], number>('SELECT time FROM calls WHERE request_id < ? ORDER BY request_id DESC LIMIT 1')
    .pluck(),
  // Request ids begin with their time, so the primary key finds the oldest calls.
  removeCalls: db.prepare(
    `DELETE FROM calls WHERE time < ? AND request_id IN
       (SELECT request_id FROM calls WHERE request_id < ? ORDER BY request_id LIMIT ${REMOVED_AT_ONCE})`,
  ),
  addRefusal: db.prepare(
    `INSERT INTO refusals (request_id, time, endpoint, status, code, rule, key, account, test, more)
     VALUES (@requestId, @time, @endpoint, @status, @code, @rule, @key, @account, @test, @more)
     ON CONFLICT (request_id) DO UPDATE SET more = refusals.more + excluded.more`,
  ),
  findKeyOwner: db.prepare<[Uint8Array], KeyOwner>(
    `SELECT k.id, k.chain, k.account, k.revoked, k.expires, a.closed FROM keys k LEFT JOIN accounts a ON a.id = k.account
     WHERE k.hash = ?`,
  ),
  // Request ids begin with their time, so the primary key has the order of time.
  removeOldestRefusals: db.prepare(
    `DELETE FROM refusals WHERE request_id <=
       (SELECT request_id FROM refusals ORDER BY request_id DESC LIMIT 1 OFFSET ${MAX_REFUSALS})`,
  ),
  removeRefusals: db.prepare(
    `DELETE FROM refusals WHERE request_id IN (SELECT request_id FROM refusals WHERE request_id < ? LIMIT ${REMOVED_AT_ONCE})`,
  ),
  closedWithContent: db
    .prepare<[], string>(
      `SELECT id FROM accounts WHERE closed IS NOT NULL AND (
         EXISTS (SELECT 1 FROM watches WHERE owner = accounts.id)
         OR EXISTS (SELECT 1 FROM watches WHERE owner = accounts.id || ':test')
         OR EXISTS (SELECT 1 FROM jobs WHERE owner = accounts.id)
         OR EXISTS (SELECT 1 FROM jobs WHERE owner = accounts.id || ':test')) LIMIT 1`,
    )
    .pluck(),
  forgetKeys: db.prepare(
    `DELETE FROM idempotency WHERE fingerprint IN (SELECT fingerprint FROM idempotency WHERE expires < ? LIMIT ${REMOVED_AT_ONCE})`,
  ),
}));

const MINUTE_MS = 60_000;

/** Stores when API keys were last used: times (milliseconds since 1970) by key id. Ignores a time that is less than a minute after the stored one. */
export function saveLastUsed(db: SqlConnection, lastUsed: ReadonlyMap<string, number>): void {
  const save = () => {
    for (const [key, time] of lastUsed) statements(db).setLastUsed.run(time, key, time - MINUTE_MS);
  };
  db.transaction(save).immediate();
}

/** Maximum age (ms) of stored counts of suspicious checks. Older ones are removed. */
const PROBES_KEPT_MS = 30 * 86_400_000;

/** Adds counts of suspicious checks to those in the store, and removes old counts. */
export function addSuspiciousCheckCounts(
  db: SqlConnection,
  hours: readonly HourlySuspiciousCheckCounts[],
): void {
  const save = () => {
    for (const hour of hours) statements(db).addProbes.run(hour);
    statements(db).removeProbes.run((hours[0]?.hour ?? 0) - PROBES_KEPT_MS);
  };
  db.transaction(save).immediate();
}

/** Number of refused calls that a connection stores between two removals of the oldest ones beyond `MAX_REFUSALS`. */
const REFUSALS_PER_REMOVAL = 1000;
const countRefusals = preparePerConnection((_db: SqlConnection) => ({ added: 0 }));

/**
 * Stores refused calls, each with the account of its API key. After each `REFUSALS_PER_REMOVAL` refused calls, also removes the oldest ones beyond
 * `MAX_REFUSALS`.
 */
export function saveRefusals(db: SqlConnection, refusals: readonly UnwrittenRefusal[]): void {
  const count = countRefusals(db);
  const save = () => {
    for (const { keyHash, test, ...refusal } of refusals) {
      const owner = keyHash && statements(db).findKeyOwner.get(keyHash);
      const ownerFields = owner ? describeOwner(owner, refusal.time) : {};
      statements(db).addRefusal.run({ ...refusal, ...ownerFields, test: test ? 1 : 0 });
    }
    if (count.added >= REFUSALS_PER_REMOVAL) statements(db).removeOldestRefusals.run();
  };
  db.transaction(save).immediate();
  count.added = count.added >= REFUSALS_PER_REMOVAL ? 0 : count.added + refusals.length;
}

/**
 * Returns the fields of a refused call about its API key: `account`; `key`, the id of its key chain (the key and the keys that replaced it); and
 * `rule`, the reason if the key is invalid.
 */
function describeOwner({ id, chain, account, revoked, expires, closed }: KeyOwner, time: number) {
  const states: [number | null, string][] = [
    [revoked, `${id} is revoked`],
    [expires, `${id} is expired`],
    [closed, `account ${account} is closed`],
  ];
  const state = states.find(([since]) => since !== null && since <= time);
  return { key: chain, account, ...(state ? { rule: state[1] } : {}) };
}

/** Returns the sums of the counts of suspicious checks since a time (milliseconds since 1970), for each chain of API keys. */
export const listSuspiciousCheckSumsSince = (
  db: SqlConnection,
  since: number,
): ({ key: string } & SuspiciousCheckCounts)[] => statements(db).sumProbes.all(since - 3_600_000);

export interface CallLogRemovalRequest {
  /** Age in milliseconds from which calls are removed; null to keep all calls. */
  maxAgeMs: number | null;
  /** Current time, in milliseconds since 1970. */
  now: number;
}

/**
 * Creates a function that removes one batch of old rows: calls, refused calls, events, expired Idempotency-Keys and watches, and watches and jobs of
 * closed accounts. The function returns true if more are left.
 */
export function createOldRowBatchRemover(db: SqlConnection): (request: CallLogRemovalRequest) => boolean {
  const getRemovalTime = createClockWithoutJumps(db);
  return ({ maxAgeMs, now }) => {
    const time = getRemovalTime(now, performance.now());
    const removed = [
      removeRefusals(db, time - Math.min(maxAgeMs ?? REFUSALS_KEPT_MS, REFUSALS_KEPT_MS)),
      removeExpiredIdempotencyKeys(db, time),
      removeOldEvents(db, time),
      maxAgeMs === null ? 0 : removeOldCalls(db, time - maxAgeMs),
    ];
    const isMoreExpired = expireWatches(db, time) > 0;
    const isMoreClosed = deleteSomeContentOfClosedAccount(db);
    return removed.includes(REMOVED_AT_ONCE) || isMoreExpired || isMoreClosed;
  };
}

/** Minimum age (ms) of a call that proves its time to be right. Also the maximum time by which the clock for removals is ahead of a proven time. */
const UNCONFIRMED_MS = 86_400_000;

/**
 * Creates a clock for the removal of old calls. If the system clock jumps ahead, it would remove too many; this clock returns `now`, but at most one
 * day after the latest proven time: that of the newest call that is at least a day old, or that of the first such call plus the running time of the
 * writer (`upMs`).
 */
export function createClockWithoutJumps(db: SqlConnection): (now: number, upMs: number) => number {
  let first: number | undefined;
  return (now, upMs) => {
    const confirmed = statements(db).newestBefore.get(toLowestRequestId(now - UNCONFIRMED_MS));
    if (confirmed === undefined) return now;
    first ??= confirmed;
    return Math.min(now, Math.max(confirmed, first + upMs) + UNCONFIRMED_MS);
  };
}

/** Removes one batch of the calls before a time (milliseconds since 1970), oldest first. Returns the number of removed calls. */
export const removeOldCalls = (db: SqlConnection, before: number): number =>
  statements(db).removeCalls.run(before, toLowestRequestId(before)).changes;

/** Removes one batch of the refused calls before a time (milliseconds since 1970). Returns the number of removed calls. */
const removeRefusals = (db: SqlConnection, before: number): number =>
  statements(db).removeRefusals.run(toLowestRequestId(before)).changes;

/** Deletes some watches and jobs of one closed account, in a short transaction. Returns false if no closed account has any. */
export function deleteSomeContentOfClosedAccount(db: SqlConnection): boolean {
  const id = statements(db).closedWithContent.get();
  if (id === undefined) return false;
  const deleteSome = () => {
    // The account may have been reopened meanwhile.
    if (statements(db).closedWithContent.get() !== id) return;
    if (deleteSomeWatchesOfAccount(db, id) === 0) deleteSomeJobsOfAccount(db, id);
  };
  db.transaction(deleteSome).immediate();
  return true;
}

/** Removes one batch of expired Idempotency-Keys. Returns the number of removed keys. */
export const removeExpiredIdempotencyKeys = (db: SqlConnection, now: number): number =>
  statements(db).forgetKeys.run(now).changes;

/**
 * Queues a quota notice, in the transaction of the call that caused it: no notice is lost, and none is about an uncounted call. Does nothing if there
 * is a notice for the same account, month, state and quota.
 */
export function addQuotaNotice(db: SqlConnection, notice: QuotaNotice, now: number): void {
  const { state, account, quotaUsage } = notice;
  const about = `quota.${state} ${account} ${quotaUsage.month} ${quotaUsage.included}`;
  statements(db).addMessage.run(`msg_${randomUUID()}`, about, formatQuotaNotice(notice, now), now, now);
}

/** Queues a message, unless there is one with the same `type` and `about`. */
export function addWebhookMessage(
  db: SqlConnection,
  { type, about, data }: OperatorEventMessage,
  now: number,
): void {
  statements(db).addMessage.run(
    `msg_${randomUUID()}`,
    `${type} ${about}`,
    formatWebhookMessage(type, data, now),
    now,
    now,
  );
}
