// Webhook messages as operators list, test and resend them; the queue is in notices.ts.
import { randomUUID } from 'node:crypto';
import { invalidArgumentError, notFoundError } from '../../errors.ts';
import { changeAtomically, getCommandLineActor, recordAuditEntry } from '../audit.ts';
import { findWebhookEndpoint } from '../events/endpoints.ts';
import type { webhooks } from '../schema.ts';
import type { Store } from '../store.ts';
import { addWebhookMessage } from './writer-statements.ts';

export type WebhookMessage = Omit<typeof webhooks.$inferSelect, 'about' | 'subject'>;

/** Filter of webhook messages. `subject` is the id of the watch or job that a message is about. */
export interface WebhookMessageFilter {
  endpoint?: string | undefined;
  subject?: string | undefined;
}

const MESSAGE_COLUMNS = 'id, body, created, attempts, next, delivered, attempted, failure, endpoint';

/** Returns the webhook messages that match a filter, newest first. With the cursor `after`, only messages after it in this order. */
export function listWebhookMessages(
  { raw }: Store,
  {
    limit,
    after: [created, id] = [Number.MAX_SAFE_INTEGER, ''],
    endpoint,
    subject,
  }: WebhookMessageFilter & { limit: number; after?: [number, string] | undefined },
): WebhookMessage[] {
  const conditions = ['(created, id) < (@created, @id)'];
  if (endpoint !== undefined) conditions.push('endpoint = @endpoint');
  if (subject !== undefined) conditions.push('subject = @subject');
  return raw
    .prepare<[object], WebhookMessage>(
      `SELECT ${MESSAGE_COLUMNS} FROM webhooks WHERE ${conditions.join(' AND ')}
         ORDER BY created DESC, id DESC LIMIT @limit`,
    )
    .all({ created, id, endpoint, subject, limit });
}

export const findWebhookMessage = ({ raw }: Store, id: string): WebhookMessage | undefined =>
  raw.prepare<[string], WebhookMessage>(`SELECT ${MESSAGE_COLUMNS} FROM webhooks WHERE id = ?`).get(id);

const NO_ENDPOINT =
  'The endpoint of this message was removed, so the message cannot be sent again. Add the endpoint again to receive later events.';

/**
 * Queues a webhook message again, even if it was delivered. It gets as many attempts as a new message. Errors: not_found; invalid_arguments if its
 * endpoint was removed.
 */
export function resendWebhookMessage(store: Store, id: string, now: number): WebhookMessage {
  return changeAtomically(store, () => {
    const message = findWebhookMessage(store, id);
    if (!message) throw notFoundError(`There is no message ${id}. See: bonafide webhooks list`, 'message');
    if (message.endpoint !== null && !findWebhookEndpoint(store.raw, message.endpoint))
      throw invalidArgumentError(NO_ENDPOINT, '', NO_ENDPOINT);
    store.raw
      .prepare('UPDATE webhooks SET next = ?, delivered = NULL, attempts = 0 WHERE id = ?')
      .run(now, id);
    recordAuditEntry(store, { act: 'webhooks.send', target: id, detail: {} }, now);
    return { ...message, next: now, delivered: null, attempts: 0 };
  });
}

export function addOperatorTestWebhookMessage(store: Store, now: number): WebhookMessage {
  return changeAtomically(store, () => {
    const about = randomUUID();
    addWebhookMessage(
      store.raw,
      { type: 'test', about, data: { sent_by: store.actor ?? getCommandLineActor() } },
      now,
    );
    const id = store.raw
      .prepare<[string], string>('SELECT id FROM webhooks WHERE about = ?')
      .pluck()
      .get(`test ${about}`);
    recordAuditEntry(store, { act: 'webhooks.send', target: id ?? '', detail: { test: true } }, now);
    return findWebhookMessage(store, id ?? '') as WebhookMessage;
  });
}
