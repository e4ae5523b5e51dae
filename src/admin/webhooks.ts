// Messages to the operator's webhook as JSON: pending, delivered and given up.
import { listMessages, type SentMessage } from '../store/serving/messages.ts';
import type { Store } from '../store/store.ts';
import { readPage, type Page, type Paging } from './paging.ts';
import { toIsoTime } from './wire.ts';

export type MessageJson = ReturnType<typeof toMessageJson>;

/** Returns a message as JSON. */
export function toMessageJson({ body, created, delivered, next, attempted, ...message }: SentMessage) {
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
  const time = (at: number | null) => (at === null ? null : toIsoTime(at));
  const state: 'delivered' | 'pending' | 'failed' =
    delivered !== null ? 'delivered' : next !== null ? 'pending' : 'failed';
  return {
    id: message.id,
    type,
    state,
    created: toIsoTime(created),
    attempts: message.attempts,
    last_attempt: time(attempted),
    next_attempt: time(next),
    delivered: time(delivered),
    failure: message.failure,
    data,
  };
}

/** Returns one page of the messages, newest first. Errors: invalid_arguments. */
export const listMessagePage = (store: Store, paging: Paging): Page<MessageJson> =>
  readPage(
    {
      name: 'webhooks',
      filters: {},
      like: [0, ''],
      read: (slice) => listMessages(store, slice),
      at: ({ created, id }) => [created, id],
      view: toMessageJson,
    },
    paging,
  );
