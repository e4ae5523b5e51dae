// Messages to the operator's webhook.
import { existsSync } from 'node:fs';
import {
  type OperatorEventMessage,
  getNextWebhookAttemptTime,
  LONGEST_WEBHOOK_PAUSE_MS,
  parseWebhookSecret,
  signWebhookMessage,
} from '../../accounts/billing/webhook.ts';
import { getQuotaState, toQuotaUsage } from '../../accounts/billing/quota.ts';
import { getMonthOfTime } from '../../accounts/time.ts';
import { BonafideError } from '../../errors.ts';
import { readTextFile } from '../../platform/files.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import { findWebhookEndpoint, type StoredWebhookEndpoint } from '../events/endpoints.ts';
import type { keys } from '../schema.ts';
import type { SqlConnection } from '../store.ts';
import { findAccountClosureAndPlan, getMonthUsage } from './current-plan.ts';
import { addQuotaNotice, addWebhookMessage } from './writer-statements.ts';

const statements = preparePerConnection((db: SqlConnection) => ({
  lease: db.prepare<[number, number, number, string | null, number, number], LeasedRow>(
    `UPDATE webhooks SET next = ?, attempts = attempts + 1
       WHERE id = (SELECT id FROM webhooks WHERE (next <= ? OR next > ?) AND endpoint IS NOT DISTINCT FROM ? ORDER BY next LIMIT 1)
         AND (next <= ? OR next > ?)
       RETURNING id, body, attempts, created, endpoint AS "endpointId"`,
  ),
  dueReceivers: db
    .prepare<[number, number], string | null>(
      'SELECT endpoint FROM webhooks WHERE next <= ? OR next > ? GROUP BY endpoint ORDER BY min(next)',
    )
    .pluck(),
  markDelivered: db.prepare(
    'UPDATE webhooks SET delivered = ?, attempted = ?, failure = NULL, next = NULL WHERE id = ?',
  ),
  markFailed: db.prepare(
    'UPDATE webhooks SET next = ?, attempted = ?, failure = ? WHERE id = ? AND delivered IS NULL',
  ),
  count: db.prepare<[number], WebhookMessageCounts>(
    `SELECT count(next) AS pending, count(CASE WHEN next IS NULL AND delivered IS NULL AND created > ? THEN 1 END) AS failed,
       count(delivered) AS delivered, min(CASE WHEN next IS NOT NULL THEN created END) AS "oldestPending" FROM webhooks`,
  ),
  countedAccounts: db
    .prepare<[string], string>("SELECT DISTINCT account FROM account_usage WHERE month >= ? AND plan <> ''")
    .pluck(),
  expiringKeys: db.prepare<[number, number], ExpiringKey>(
    `SELECT id, name, account, expires FROM keys
       WHERE revoked IS NULL AND rotated_to IS NULL AND expires > ? AND expires <= ? ORDER BY id`,
  ),
}));

/**
 * Adds missing quota notices for accounts that are near their quota or have used it up. They are missing if the webhook was configured after the
 * calls, or if a plan with a smaller quota began.
 */
function addQuotaNotices(db: SqlConnection, now: number): void {
  for (const account of statements(db).countedAccounts.all(getMonthOfTime(now))) {
    const plan = findAccountClosureAndPlan(db, account, now)?.plan;
    if (!plan || plan.terms.included === 0) continue;
    const usage = getMonthUsage(db, account, now);
    const state = getQuotaState(usage.used, plan.terms.included);
    if (state !== 'below') addQuotaNotice(db, { state, account, quotaUsage: toQuotaUsage(plan, usage) }, now);
  }
}

type ExpiringKey = Pick<typeof keys.$inferSelect, 'id' | 'name' | 'account'> & { expires: number };

/** Time (ms) before the expiry of an API key at which a message about it is sent. */
const EXPIRING_MS = 7 * 86_400_000;

/** Adds a message for each API key that expires within a week and was not replaced. */
function addExpiringKeys(db: SqlConnection, now: number): void {
  for (const { id, name, account, expires } of statements(db).expiringKeys.all(now, now + EXPIRING_MS)) {
    const data = { key: id, name, account, expires: new Date(expires).toISOString() };
    addWebhookMessage(db, { type: 'key.expiring', about: `${id} ${expires}`, data }, now);
  }
}

export interface WebhookMessageCounts {
  pending: number;
  /** Number of messages that were given up within the last week. */
  failed: number;
  delivered: number;
  /** Time at which the oldest waiting message was created, in milliseconds since 1970; null if none waits. */
  oldestPending: number | null;
}

/** Time (ms) for which a message that was given up is counted as failed. */
const FAILED_MS = 7 * 86_400_000;

/** Returns the number of webhook messages in each state. `now` is milliseconds since 1970. */
export const countWebhookMessagesByState = (db: SqlConnection, now: number): WebhookMessageCounts =>
  statements(db).count.get(now - FAILED_MS) ?? { pending: 0, failed: 0, delivered: 0, oldestPending: null };

export interface PendingWebhookMessage {
  id: string;
  body: string;
  /** Number of attempts to send the message, including the one that begins now. */
  attempts: number;
  /** Time of creation, in milliseconds since 1970. */
  created: number;
  /** Id of the account's endpoint that receives the message; null for the operator's webhook. */
  endpointId: string | null;
  /** Endpoint that receives the message; null for the operator's webhook, or if the endpoint was removed. */
  endpoint: StoredWebhookEndpoint | null;
}

type LeasedRow = Omit<PendingWebhookMessage, 'endpoint'>;

/** Queue of webhook messages. Times are milliseconds since 1970. Errors of each function: those of the engine. */
export interface WebhookMessageQueue {
  /** Returns the receivers of messages that are due, longest wait first: ids of endpoints, and null for the operator's webhook. */
  listReceivers(now: number): (string | null)[];
  /** Returns the next due message for a receiver, and hides it from other processes for `leaseMs` milliseconds. Null if none is due. */
  lease(now: number, leaseMs: number, receiver?: string | null): PendingWebhookMessage | null;
  markDelivered(id: string, now: number): void;
  /**
   * Notes that an attempt to send a message failed, with the reason (`failure`). `next` is the time of the next attempt; with null, the message is
   * given up.
   */
  markFailed(id: string, attempt: { next: number | null; failure: string; now: number }): void;
  /** Adds a message, unless the queue already has one with the same `type` and `about`. */
  addMessage(message: OperatorEventMessage, now: number): void;
  /** Adds a message for each API key that expires within a week and was not replaced. */
  addExpiringKeys(now: number): void;
  addQuotaNotices(now: number): void;
  countMessages(now: number): WebhookMessageCounts;
}

export const openWebhookMessageQueue = (db: SqlConnection): WebhookMessageQueue => ({
  listReceivers: (now) => statements(db).dueReceivers.all(now, now + LONGEST_WEBHOOK_PAUSE_MS),
  lease(now, leaseMs, receiver = null) {
    const latest = now + LONGEST_WEBHOOK_PAUSE_MS;
    const row = statements(db).lease.get(now + leaseMs, now, latest, receiver, now, latest);
    if (!row) return null;
    return { ...row, endpoint: row.endpointId === null ? null : findWebhookEndpoint(db, row.endpointId) };
  },
  markDelivered: (id, now) => void statements(db).markDelivered.run(now, now, id),
  markFailed: (id, { next, failure, now }) => void statements(db).markFailed.run(next, now, failure, id),
  addMessage: (message, now) => addWebhookMessage(db, message, now),
  addExpiringKeys: (now) => addExpiringKeys(db, now),
  addQuotaNotices: (now) => addQuotaNotices(db, now),
  countMessages: (now) => countWebhookMessagesByState(db, now),
});

/** Reads the signing secret of the operator's webhook from the first line of a file. Errors: file_not_found, invalid_config. */
export function readWebhookSigningSecret(file: string): Buffer {
  if (!existsSync(file))
    throw new BonafideError(
      'file_not_found',
      `There is no file ${file} with the secret of the webhook. Check webhook.secretFile.`,
    );
  const [line = ''] = readTextFile(file).split('\n');
  return parseWebhookSecret(line);
}

/**
 * Returns the operator's webhook: its URL, a function that signs messages, and one that computes the time of the next attempt. Errors:
 * file_not_found, invalid_config.
 */
export function loadOperatorWebhookTarget({ url, secretFile }: { url: string; secretFile: string }) {
  const secret = readWebhookSigningSecret(secretFile);
  const sign = (message: { id: string; seconds: number; body: string }) =>
    signWebhookMessage(secret, message);
  return { url, sign, nextAttempt: getNextWebhookAttemptTime };
}
