// Endpoints of accounts: addresses to which the events of an account are sent. Their secrets are stored
// encrypted.
import { createRandomBase62 } from '../../accounts/key-text.ts';
import { notFoundError } from '../../errors.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import { getAccount } from '../accounts.ts';
import { changeAtomically, recordAuditEntry } from '../audit.ts';
import type { endpoints } from '../schema.ts';
import type { SqlConnection, Store } from '../store.ts';

export type StoredWebhookEndpoint = typeof endpoints.$inferSelect;

const COLUMNS = 'id, account, url, secret, previous, previous_until AS "previousUntil", created';

const statements = preparePerConnection((db: SqlConnection) => ({
  find: db.prepare<[string], StoredWebhookEndpoint>(`SELECT ${COLUMNS} FROM endpoints WHERE id = ?`),
  list: db.prepare<[string], StoredWebhookEndpoint>(
    `SELECT ${COLUMNS} FROM endpoints WHERE account = ? ORDER BY created, id`,
  ),
  add: db.prepare('INSERT INTO endpoints (id, account, url, secret, created) VALUES (?, ?, ?, ?, ?)'),
  rotate: db.prepare('UPDATE endpoints SET previous = secret, previous_until = ?, secret = ? WHERE id = ?'),
  remove: db.prepare('DELETE FROM endpoints WHERE id = ?'),
  listAll: db.prepare<[], StoredWebhookEndpoint>(`SELECT ${COLUMNS} FROM endpoints ORDER BY created, id`),
  replace: db.prepare('UPDATE endpoints SET secret = ?, previous = ? WHERE id = ?'),
  giveUp: db.prepare(
    "UPDATE webhooks SET next = NULL, failure = 'the endpoint was removed' WHERE endpoint = ? AND next IS NOT NULL",
  ),
}));

export const findWebhookEndpoint = (db: SqlConnection, id: string): StoredWebhookEndpoint | null =>
  statements(db).find.get(id) ?? null;

/** Returns the webhook endpoints of an account, oldest first. Errors: not_found. */
export function listStoredWebhookEndpoints(store: Store, account: string): StoredWebhookEndpoint[] {
  getAccount(store, account);
  return statements(store.raw).list.all(account);
}

/** Adds a webhook endpoint to an account. `secret` is its signing secret, encrypted. Errors: not_found. */
export function insertWebhookEndpoint(
  store: Store,
  { account, url, secret }: Pick<StoredWebhookEndpoint, 'account' | 'url' | 'secret'>,
  now: number,
): StoredWebhookEndpoint {
  return changeAtomically(store, () => {
    getAccount(store, account);
    const id = `whk_${createRandomBase62(16)}`;
    statements(store.raw).add.run(id, account, url, secret, now);
    recordAuditEntry(
      store,
      { act: 'webhooks.add', target: id, detail: { account, host: new URL(url).host } },
      now,
    );
    return requireEndpoint(store, id);
  });
}

/** Time (ms) after a change of the signing secret in which messages are signed with both secrets. */
const GRACE_MS = 86_400_000;

/** Replaces the signing secret of a webhook endpoint by an encrypted one. Errors: not_found. */
export function rotateStoredWebhookSecret(
  store: Store,
  id: string,
  secret: Buffer,
  now: number,
): StoredWebhookEndpoint {
  return changeAtomically(store, () => {
    requireEndpoint(store, id);
    statements(store.raw).rotate.run(now + GRACE_MS, secret, id);
    recordAuditEntry(store, { act: 'webhooks.rotate', target: id, detail: {} }, now);
    return requireEndpoint(store, id);
  });
}

/** Removes a webhook endpoint, and gives up its pending messages. Returns the endpoint. Errors: not_found. */
export function deleteWebhookEndpoint(store: Store, id: string, now: number): StoredWebhookEndpoint {
  return changeAtomically(store, () => {
    const endpoint = requireEndpoint(store, id);
    removeEndpointRow(store.raw, id);
    recordAuditEntry(store, { act: 'webhooks.remove', target: id, detail: {} }, now);
    return endpoint;
  });
}

function removeEndpointRow(db: SqlConnection, id: string): void {
  statements(db).remove.run(id);
  statements(db).giveUp.run(id);
}

function requireEndpoint({ raw }: Store, id: string): StoredWebhookEndpoint {
  const endpoint = findWebhookEndpoint(raw, id);
  if (endpoint) return endpoint;
  throw notFoundError(`There is no endpoint ${id}. See: bonafide webhooks endpoints ACCOUNT`, 'endpoint');
}

export const listAllWebhookEndpoints = (db: SqlConnection) => statements(db).listAll.all();

/** Replaces the encrypted signing secrets (present and previous one) of a webhook endpoint. Call it inside a transaction. */
export const replaceWebhookEndpointSecrets = (
  db: SqlConnection,
  id: string,
  secret: Buffer,
  previous: Buffer | null,
): void => void statements(db).replace.run(secret, previous, id);
