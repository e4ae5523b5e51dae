// Notices of quotas that are near or reached, on their way to the operator's webhook. They are written in the transaction of the call that
// brought them about, so none is lost and none is about a call that was not counted.
import { randomUUID } from 'node:crypto';
import { noticeBody } from '../../accounts/billing/notice.ts';
import type { Standing } from '../../accounts/model.ts';
import type { Sql } from '../store.ts';

export interface Notice {
  what: 'near' | 'reached';
  account: string;
  standing: Standing;
}

const ADD = `INSERT INTO webhooks (id, about, body, created, attempts, next) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`;

/** Prepares the statement that writes a notice, once for an account, month and quota. */
export function noticeWriter(raw: Sql): (notice: Notice, now: number) => void {
  const add = raw.prepare(ADD);
  return (notice, now) => {
    const { what, account, standing } = notice;
    const about = `quota.${what} ${account} ${standing.month} ${standing.included}`;
    add.run(`msg_${randomUUID()}`, about, noticeBody(notice, now), now, now);
  };
}

/** A notice that is to be sent. */
export interface Waiting {
  id: string;
  body: string;
  attempts: number;
  created: number;
}

export interface Notices {
  /** Takes the next one that is due, for `leaseMs`: no other process takes it meanwhile. Null where none is due. */
  take(now: number, leaseMs: number): Waiting | null;
  delivered(id: string, now: number): void;
  /** When it is tried again; null where it is given up. */
  failed(id: string, next: number | null): void;
}

/** The queue of notices. Errors, of each: those of SQLite. */
export function openNotices(raw: Sql): Notices {
  const take = raw.prepare<[number, number, number], Waiting>(
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
