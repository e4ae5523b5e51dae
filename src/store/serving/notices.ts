// Notices of quotas that are near or reached, on their way to the operator's webhook. They are written in the transaction of the call that
// brought them about, so none is lost and none is about a call that was not counted.
import { randomUUID } from 'node:crypto';
import {
  formatQuotaNotice,
  getNextAttempt,
  parseWebhookSecret,
  signWebhookMessage,
} from '../../accounts/billing/webhook.ts';
import type { QuotaUsage } from '../../accounts/model.ts';
import type { SqlConnection } from '../store.ts';
import { existsSync, readFileSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';

export interface QuotaNotice {
  what: 'near' | 'reached';
  account: string;
  quotaUsage: QuotaUsage;
}

const ADD = `INSERT INTO webhooks (id, about, body, created, attempts, next) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`;

/** Prepares the statement that writes a notice, once for an account, month and quota. */
export function prepareAddNotice(raw: SqlConnection): (notice: QuotaNotice, now: number) => void {
  const add = raw.prepare(ADD);
  return (notice, now) => {
    const { what, account, quotaUsage } = notice;
    const about = `quota.${what} ${account} ${quotaUsage.month} ${quotaUsage.included}`;
    add.run(`msg_${randomUUID()}`, about, formatQuotaNotice(notice, now), now, now);
  };
}

/** A notice that is to be sent. */
export interface PendingNotice {
  id: string;
  body: string;
  attempts: number;
  created: number;
}

export interface NoticeQueue {
  /** Takes the next one that is due, for `leaseMs`: no other process takes it meanwhile. Null where none is due. */
  take(now: number, leaseMs: number): PendingNotice | null;
  delivered(id: string, now: number): void;
  /** When it is tried again; null where it is given up. */
  failed(id: string, next: number | null): void;
}

/** The queue of notices. Errors, of each: those of SQLite. */
export function openNoticeQueue(raw: SqlConnection): NoticeQueue {
  const take = raw.prepare<[number, number, number], PendingNotice>(
    `UPDATE webhooks SET next = ?, attempts = attempts + 1
       WHERE id = (SELECT id FROM webhooks WHERE next <= ? ORDER BY next LIMIT 1) AND next <= ? RETURNING id, body, attempts, created`,
  );
  const delivered = raw.prepare('UPDATE webhooks SET delivered = ?, next = NULL WHERE id = ?');
  const failed = raw.prepare('UPDATE webhooks SET next = ? WHERE id = ? AND delivered IS NULL');
  return {
    take: (now, leaseMs) => take.get(now + leaseMs, now, now) ?? null,
    delivered: (id, now) => void delivered.run(now, id),
    failed: (id, next) => void failed.run(next, id),
  };
}

/** The secret in the first line of a file. Errors: file_not_found, invalid_config. */
export function readSigningSecret(file: string): Buffer {
  if (!existsSync(file)) throw new BonafideError('file_not_found', `There is no file ${file}.`);
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  return parseWebhookSecret(line);
}

/** Where notices go, and how each is signed. Errors: those of `signingSecretIn`. */
export function openWebhookSettings({ url, secretFile }: { url: string; secretFile: string }) {
  const secret = readSigningSecret(secretFile);
  const sign = (message: { id: string; seconds: number; body: string }) =>
    signWebhookMessage(secret, message);
  return { url, sign, nextAttempt: getNextAttempt };
}
