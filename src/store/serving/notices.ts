// Quota notices for the operator's webhook. A notice is written in the transaction of the call that caused it: no notice is lost, and none
// is about a call that was not counted.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  formatQuotaNotice,
  getNextAttempt,
  parseWebhookSecret,
  type QuotaNotice,
  signWebhookMessage,
} from '../../accounts/billing/webhook.ts';
import { BonafideError } from '../../errors.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';

const statements = preparePerConnection((db: SqlConnection) => ({
  add: db.prepare(
    'INSERT INTO webhooks (id, about, body, created, attempts, next) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING',
  ),
  lease: db.prepare<[number, number, number], PendingNotice>(
    `UPDATE webhooks SET next = ?, attempts = attempts + 1
       WHERE id = (SELECT id FROM webhooks WHERE next <= ? ORDER BY next LIMIT 1) AND next <= ? RETURNING id, body, attempts, created`,
  ),
  markDelivered: db.prepare('UPDATE webhooks SET delivered = ?, next = NULL WHERE id = ?'),
  markFailed: db.prepare('UPDATE webhooks SET next = ? WHERE id = ? AND delivered IS NULL'),
}));

/** Adds a notice to the queue; only the first notice of an account, month, state and quota is kept. */
export function addNotice(db: SqlConnection, notice: QuotaNotice, now: number): void {
  const { state, account, quotaUsage } = notice;
  const about = `quota.${state} ${account} ${quotaUsage.month} ${quotaUsage.included}`;
  statements(db).add.run(`msg_${randomUUID()}`, about, formatQuotaNotice(notice, now), now, now);
}

/** Notice that is due to be sent. */
export interface PendingNotice {
  id: string;
  /** JSON of the message. */
  body: string;
  /** Number of delivery attempts, including the one that begins now. */
  attempts: number;
  /** Time of creation: milliseconds since 1970. */
  created: number;
}

/** Queue of quota notices. Times are milliseconds since 1970. Errors, of each function: those of the engine. */
export interface NoticeQueue {
  /** Returns the next due notice and hides it from other processes for `leaseMs`; null if none is due. */
  lease(now: number, leaseMs: number): PendingNotice | null;
  markDelivered(id: string, now: number): void;
  /** Schedules the next attempt for a time; null gives the notice up. */
  markFailed(id: string, next: number | null): void;
}

/** Opens the queue of quota notices of a store. */
export const openNoticeQueue = (db: SqlConnection): NoticeQueue => ({
  lease: (now, leaseMs) => statements(db).lease.get(now + leaseMs, now, now) ?? null,
  markDelivered: (id, now) => void statements(db).markDelivered.run(now, id),
  markFailed: (id, next) => void statements(db).markFailed.run(next, id),
});

/** Returns the webhook's signing secret from the first line of a file. Errors: file_not_found, invalid_config. */
export function readSigningSecret(file: string): Buffer {
  if (!existsSync(file)) throw new BonafideError('file_not_found', `There is no file ${file}.`);
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  return parseWebhookSecret(line);
}

/** Returns where notices are sent, how each is signed, and when it is tried again. Errors: file_not_found, invalid_config. */
export function openWebhookSettings({ url, secretFile }: { url: string; secretFile: string }) {
  const secret = readSigningSecret(secretFile);
  const sign = (message: { id: string; seconds: number; body: string }) =>
    signWebhookMessage(secret, message);
  return { url, sign, nextAttempt: getNextAttempt };
}
