// Watches and events of all accounts, the endpoints that receive events, and messages, as JSON for operators.
import { invalidArgumentError, notFoundError } from '../errors.ts';
import type { ScoreBand } from '../model.ts';
import {
  insertWebhookEndpoint,
  listAllWebhookEndpoints,
  listStoredWebhookEndpoints,
  deleteWebhookEndpoint,
  rotateStoredWebhookSecret,
  type StoredWebhookEndpoint,
} from '../store/events/endpoints.ts';
import { type EventQuery, listEventsOfAllOwners, toEventJson } from '../store/events/events.ts';
import {
  getWatchStatistics,
  findWatchPage,
  deleteWatchWithAuditEntry,
  getWatch,
  type StoredWatch,
  toWatchNumber,
} from '../store/events/watches.ts';
import { clearRecordHashesOfAllWatches, openRecheckQueue } from '../store/events/rechecks.ts';
import { recordAuditEntry } from '../store/audit.ts';
import {
  listWebhookMessages,
  type WebhookMessageFilter,
  type WebhookMessage,
} from '../store/serving/messages.ts';
import type { Store } from '../store/store.ts';
import { RECHECK_QUEUE_NAME } from '../watches/recheck.ts';
import { toWatchJson } from '../watches/watch.ts';
import { readListPage, toListCursor, type ListPage, type PageRequest } from './paging.ts';
import { toIsoTime } from './wire.ts';

/**
 * Settings of watches (checks that are repeated when records change). `isOn` is true if callers may create watches. `recheckEveryHours` is null if
 * changes of the graph trigger the re-checks.
 */
export interface WatchSettings {
  isOn: boolean;
  recheckEveryHours: number | null;
}

const toTime = (at: number | null) => (at === null ? null : toIsoTime(at));

export const toWatchWithOwnerJson = (watch: StoredWatch, recheckEveryHours: number | null) => ({
  owner: watch.owner,
  ...toWatchJson(watch, recheckEveryHours),
  due_since: toTime(watch.due),
});

/** Filter and page for a list of the watches of all owners. */
export interface WatchListQuery extends PageRequest {
  owner?: string | undefined;
  reference?: string | undefined;
  status?: ScoreBand | undefined;
}

/** Returns one page of the watches that match a filter, newest first, and the total number of watches. Errors: invalid_arguments. */
export function readWatchPage(
  store: Store,
  { limit, cursor, ...filters }: WatchListQuery,
  { isOn, recheckEveryHours }: WatchSettings,
) {
  const listing = { name: 'watches', filters };
  let lastRead: number | null = null;
  const { items, next } = readListPage(
    { limit, cursor },
    {
      ...listing,
      like: [0],
      read({ limit, after: [before] = [Number.MAX_SAFE_INTEGER] }) {
        const { watches, reached } = findWatchPage(store.raw, { ...filters, before, limit });
        lastRead = reached;
        return watches;
      },
      at: ({ id }) => [id],
      view: (watch) => toWatchWithOwnerJson(watch, recheckEveryHours),
    },
  );
  const { total, due } = getWatchStatistics(store.raw);
  return {
    on: isOn,
    total,
    due,
    items,
    next: next ?? (lastRead === null ? null : toListCursor(listing, [lastRead])),
  };
}

export function requireExistingWatch({ raw }: Pick<Store, 'raw'>, id: string): StoredWatch {
  const number = toWatchNumber(id);
  const watch = number === null ? null : getWatch(raw, number);
  if (watch) return watch;
  throw notFoundError(`There is no watch ${id}. See: bonafide watches list`, 'watch');
}

/** Deletes a watch of any owner. Errors: not_found. */
export function removeWatchOfAnyOwner(
  store: Store,
  id: string,
  now: number,
): { watch_id: string; deleted: true } {
  deleteWatchWithAuditEntry(store, requireExistingWatch(store, id), now);
  return { watch_id: id, deleted: true };
}

/** Marks all watches for a re-check by the running server. Returns the number of marked watches. */
export function markAllWatchesForRecheck(store: Store, now: number): { watches: number } {
  const watches = clearRecordHashesOfAllWatches(store.raw);
  openRecheckQueue(store.raw, RECHECK_QUEUE_NAME).beginSweep(now);
  recordAuditEntry(store, { act: 'watches.recheck', target: '', detail: { watches } }, now);
  return { watches };
}

/** Returns one page of the events of all owners, newest first. Errors: invalid_arguments. */
export const readWatchEventPage = (
  store: Store,
  { limit, cursor, ...filters }: Omit<EventQuery, 'limit' | 'before'> & PageRequest,
) =>
  readListPage(
    { limit, cursor },
    {
      name: 'events',
      filters,
      like: [0],
      read: ({ limit, after: [before] = [Number.MAX_SAFE_INTEGER] }) =>
        listEventsOfAllOwners(store.raw, { ...filters, before, limit }),
      at: ({ seq }) => [seq],
      view: (event) => ({ owner: event.owner, ...toEventJson(event) }),
    },
  );

export const toWebhookEndpointJson = ({
  id,
  account,
  url,
  created,
  previousUntil,
}: StoredWebhookEndpoint) => ({
  id,
  account,
  url,
  created: toIsoTime(created),
  both_secrets_until: toTime(previousUntil),
});

export type WebhookEndpointJson = ReturnType<typeof toWebhookEndpointJson>;

/** Returns one page of the webhook endpoints of one account or of all accounts, oldest first. Errors: not_found, invalid_arguments. */
export const readWebhookEndpointPage = (
  store: Store,
  { account, ...paging }: { account?: string | undefined } & PageRequest,
) =>
  readListPage(paging, {
    name: 'endpoints',
    filters: { account },
    like: [0, ''],
    read: ({ limit, after: [created, id] = [-1, ''] }) =>
      (account === undefined
        ? listAllWebhookEndpoints(store.raw)
        : listStoredWebhookEndpoints(store, account)
      )
        .filter((one) => one.created > created || (one.created === created && one.id > id))
        .slice(0, limit),
    at: ({ created, id }) => [created, id],
    view: toWebhookEndpointJson,
  });

const URL_RULE = 'The address must begin with https:// or http://, and have no user name.';

/** Adds a webhook endpoint to an account. `secret` is encrypted. Errors: not_found, invalid_arguments. */
export function addWebhookEndpoint(
  store: Store,
  { account, url: text, secret }: { account: string; url: string; secret: Uint8Array },
  now: number,
) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw invalidArgumentError(URL_RULE, 'url', URL_RULE);
  return toWebhookEndpointJson(
    insertWebhookEndpoint(store, { account, url: url.href, secret: Buffer.from(secret) }, now),
  );
}

/** Replaces the secret of a webhook endpoint. The new secret is encrypted. Errors: not_found. */
export const replaceWebhookEndpointSecret = (
  store: Store,
  { id, secret }: { id: string; secret: Uint8Array },
  now: number,
) => toWebhookEndpointJson(rotateStoredWebhookSecret(store, id, Buffer.from(secret), now));

export const removeWebhookEndpoint = (store: Store, id: string, now: number) =>
  toWebhookEndpointJson(deleteWebhookEndpoint(store, id, now));

export type WebhookMessageJson = ReturnType<typeof toWebhookMessageJson>;

export function toWebhookMessageJson({
  body,
  created,
  delivered,
  next,
  attempted,
  ...message
}: WebhookMessage) {
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
  const state: 'delivered' | 'pending' | 'failed' =
    delivered !== null ? 'delivered' : next !== null ? 'pending' : 'failed';
  return {
    id: message.id,
    type,
    endpoint: message.endpoint,
    state,
    created: toIsoTime(created),
    attempts: message.attempts,
    last_attempt: toTime(attempted),
    next_attempt: toTime(next),
    delivered: toTime(delivered),
    failure: message.failure,
    data,
  };
}

/** Returns one page of the webhook messages, newest first. Errors: invalid_arguments. */
export const readWebhookMessagePage = (
  store: Store,
  { limit, cursor, ...filters }: WebhookMessageFilter & PageRequest,
): ListPage<WebhookMessageJson> =>
  readListPage(
    { limit, cursor },
    {
      name: 'webhooks',
      filters,
      like: [0, ''],
      read: (slice) => listWebhookMessages(store, { ...filters, ...slice }),
      at: ({ created, id }) => [created, id],
      view: toWebhookMessageJson,
    },
  );
