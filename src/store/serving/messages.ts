// Messages to the webhook as operators list, test and send them again; the queue is in notices.ts.
import { randomUUID } from 'node:crypto';
import { notFoundError } from '../../errors.ts';
import { changeAtomically, getOperatorName, recordAuditEntry } from '../audit.ts';
import type { Store } from '../store.ts';
import { addMessage } from './notices.ts';

/** Message as a list shows it. Times are milliseconds since 1970. */
export interface SentMessage {
  id: string;
  body: string;
  created: number;
  attempts: number;
  /** Time of the next attempt; null after delivery or after the last attempt. */
  next: number | null;
  delivered: number | null;
  attempted: number | null;
  /** Why the last attempt failed; null if it did not fail. */
  failure: string | null;
}

const MESSAGE_COLUMNS = 'id, body, created, attempts, next, delivered, attempted, failure';

/** Returns messages, the newest first, after a position if given. */
export function listMessages(
  { raw }: Store,
  {
    limit,
    after: [created, id] = [Number.MAX_SAFE_INTEGER, ''],
  }: { limit: number; after?: [number, string] | undefined },
): SentMessage[] {
  return raw
    .prepare<[number, number, string, number], SentMessage>(
      `SELECT ${MESSAGE_COLUMNS} FROM webhooks WHERE created < ? OR (created = ? AND id < ?)
         ORDER BY created DESC, id DESC LIMIT ?`,
    )
    .all(created, created, id, limit);
}

/** Returns a message; undefined if there is none. */
const findMessage = ({ raw }: Store, id: string): SentMessage | undefined =>
  raw.prepare<[string], SentMessage>(`SELECT ${MESSAGE_COLUMNS} FROM webhooks WHERE id = ?`).get(id);

/** Sends a message again, also a delivered one. Errors: not_found. */
export function resendMessage(store: Store, id: string, now: number): SentMessage {
  return changeAtomically(store, () => {
    const result = store.raw
      .prepare('UPDATE webhooks SET next = ?, delivered = NULL WHERE id = ?')
      .run(now, id);
    const message = findMessage(store, id);
    if (result.changes === 0 || !message)
      throw notFoundError(`There is no message ${id}. See: bonafide webhooks list`, 'message');
    recordAuditEntry(store, { act: 'webhooks.send', target: id, detail: {} }, now);
    return message;
  });
}

/** Adds a test message to the queue. */
export function addTestMessage(store: Store, now: number): SentMessage {
  return changeAtomically(store, () => {
    const about = randomUUID();
    addMessage(store.raw, { type: 'test', about, data: { sent_by: store.actor ?? getOperatorName() } }, now);
    const id = store.raw
      .prepare<[string], string>('SELECT id FROM webhooks WHERE about = ?')
      .pluck()
      .get(`test ${about}`);
    recordAuditEntry(store, { act: 'webhooks.send', target: id ?? '', detail: { test: true } }, now);
    return findMessage(store, id ?? '') as SentMessage;
  });
}
