// Events of callers: changes of their watches and jobs, in the order of the commits. An event is written in
// the transaction of its change, together with a message for each endpoint of its account.
import { randomUUID } from 'node:crypto';
import { formatWebhookMessage } from '../../accounts/billing/webhook.ts';
import type { Caller } from '../../accounts/model.ts';
import { createRequestId, getTimeOfRequestId } from '../../platform/request-id.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { events } from '../schema.ts';
import type { SqlConnection } from '../store.ts';

const EVENT_TYPES = ['watch.changed', 'watch.expired', 'job.finished'] as const;
type EventType = (typeof EVENT_TYPES)[number];

/** Milliseconds for which an event is stored. */
const EVENT_RETENTION_MS = 30 * 86_400_000;

/** Suffix of the owner ids of objects that test keys created. Live keys cannot see these objects. */
const TEST_OWNER = ':test';

/**
 * Returns the owner id of a caller's watches, jobs and events: its account, or the chain of rotated API keys if it has no account. Test keys
 * have a separate owner id.
 */
export const toOwnerId = ({ account, keyId, test }: Pick<Caller, 'account' | 'keyId' | 'test'>): string =>
  `${account ?? keyId}${test ? TEST_OWNER : ''}`;

/** Returns both owner ids of an account or a chain of rotated API keys: for objects of live keys and for objects of test keys. */
export const getOwnerIdPair = (id: string): [live: string, test: string] => [id, `${id}${TEST_OWNER}`];

export const isTestOwnerId = (owner: string): boolean => owner.endsWith(TEST_OWNER);

/** Event to store. `body` contains further fields besides id, type and time, but never a submitted value. */
export interface NewEvent {
  owner: string;
  subject: string;
  type: EventType;
  body: Readonly<Record<string, unknown>>;
}

/** Event as JSON for the API. */
export type EventJson = { id: string; type: EventType; created_at: string } & Record<string, unknown>;

export type EventRow = Omit<typeof events.$inferSelect, 'subject' | 'type'> & { type: EventType };

const COLUMNS = 'seq, owner, id, type, created, body';

const statements = preparePerConnection((db: SqlConnection) => ({
  countUp: db
    .prepare<[string, number], number>(
      `INSERT INTO counters (name, value) VALUES (?, ?)
         ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value`,
    )
    .pluck(),
  add: db.prepare(
    'INSERT INTO events (seq, id, owner, subject, type, created, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  endpoints: db.prepare<[string], string>('SELECT id FROM endpoints WHERE account = ?').pluck(),
  addMessage: db.prepare(
    'INSERT INTO webhooks (id, about, body, created, attempts, next, endpoint, subject) VALUES (?, ?, ?, ?, 0, ?, ?, ?)',
  ),
  position: db.prepare<[string, string], number>('SELECT seq FROM events WHERE id = ? AND owner = ?').pluck(),
  list: db.prepare<[string, number, number, number], EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE owner = ? AND seq > ? AND created >= ? ORDER BY seq LIMIT ?`,
  ),
  removeOld: db.prepare(
    'DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE created < ? ORDER BY created LIMIT 500)',
  ),
  removeOldMessages: db.prepare(
    `DELETE FROM webhooks WHERE id IN
       (SELECT id FROM webhooks WHERE created < ? AND endpoint IS NOT NULL ORDER BY created LIMIT 500)`,
  ),
  removeAbout: db.prepare('DELETE FROM events WHERE subject = ?'),
  removeMessagesAbout: db.prepare('DELETE FROM webhooks WHERE subject = ?'),
}));

/**
 * Stores an event and queues its webhook messages. Call it in the transaction of the change. Returns the id of the event. `now` is milliseconds since
 * 1970.
 */
export function storeEvent(db: SqlConnection, { owner, subject, type, body }: NewEvent, now: number): string {
  const id = createRequestId(now).replace('req_', 'evt_');
  const { add, endpoints, addMessage } = statements(db);
  // The counter is locked until the commit, so that events are visible in the order of their numbers.
  add.run(takeNextCounterValue(db, 'events'), id, owner, subject, type, now, JSON.stringify(body));
  for (const endpoint of isTestOwnerId(owner) ? [] : endpoints.all(owner)) {
    const message = formatWebhookMessage(type, { id, ...body }, now);
    addMessage.run(`msg_${randomUUID()}`, `${id} ${endpoint}`, message, now, now, endpoint, subject);
  }
  return id;
}

/** Events of one owner after a cursor, oldest first. `next` is the cursor for later events. */
export interface EventPage {
  events: EventJson[];
  next: string;
}

/** Cursor before the first event. */
const START = 'evt_0';

/**
 * Returns the events of an owner after a cursor, oldest first. Without a cursor, starts with the oldest stored event. If the cursor's event is
 * no longer stored, starts after its time.
 */
export function listEvents(
  db: SqlConnection,
  { owner, after, limit }: { owner: string; after: string | null; limit: number },
): EventPage {
  const { position, list } = statements(db);
  const seq = after === null || after === START ? 0 : position.get(after, owner);
  const since = seq === undefined ? (getTimeOfRequestId((after ?? '').replace('evt_', 'req_')) ?? 0) : 0;
  const events = list.all(owner, seq ?? 0, since, limit).map(toEventJson);
  return { events, next: events.at(-1)?.id ?? after ?? START };
}

export const toEventJson = ({ id, type, created, body }: EventRow): EventJson => ({
  id,
  type,
  created_at: new Date(created).toISOString(),
  ...(JSON.parse(body) as Record<string, unknown>),
});

/** Increases a counter and returns its new value, which is never reused. Call it inside a transaction. */
export const takeNextCounterValue = (db: SqlConnection, name: 'events' | 'watches'): number =>
  statements(db).countUp.get(name, 1) as number;

const counterStatement = preparePerConnection((db: SqlConnection) =>
  db.prepare<[string], number>('SELECT value FROM counters WHERE name = ?').pluck(),
);

/** Returns the value of a counter; null if it does not exist. */
export const readCounter = (db: SqlConnection, name: string): number | null =>
  counterStatement(db).get(name) ?? null;

/** Filter of the events of all owners. `subject` is the id of a watch or a job. */
export interface EventQuery {
  limit: number;
  /** Returns only events with a smaller number; undefined for the newest events. */
  before?: number | undefined;
  owner?: string | undefined;
  subject?: string | undefined;
}

/** Returns the events of all owners that match a filter, newest first. */
export function listEventsOfAllOwners(
  db: SqlConnection,
  { limit, before = Number.MAX_SAFE_INTEGER, owner, subject }: EventQuery,
): EventRow[] {
  const conditions = ['seq < @before'];
  if (owner !== undefined) conditions.push('owner = @owner');
  if (subject !== undefined) conditions.push('subject = @subject');
  return db
    .prepare<[object], EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE ${conditions.join(' AND ')} ORDER BY seq DESC LIMIT @limit`,
    )
    .all({ before, limit, owner, subject });
}

/**
 * Removes events older than 30 days, and messages about events: at most 500 of each. Returns the larger number of removed rows. `now` is
 * milliseconds since 1970.
 */
export function removeOldEvents(db: SqlConnection, now: number): number {
  const { removeOld, removeOldMessages } = statements(db);
  const from = now - EVENT_RETENTION_MS;
  return Math.max(removeOld.run(from).changes, removeOldMessages.run(from).changes);
}

/** Removes the events about a watch, and their messages. Call it inside a transaction. */
export function removeEventsAbout(db: SqlConnection, subject: string): void {
  statements(db).removeAbout.run(subject);
  statements(db).removeMessagesAbout.run(subject);
}

/** Name of a counter that exists while bytes of deleted rows may remain in the files of the store. */
const PENDING_ERASURE = 'erasure';

/**
 * Returns the generation of the pending erasure of a store: the time of the first deletion whose bytes may remain in the files (ms since 1970), plus
 * the number of later such deletions. Null if no bytes of deleted rows remain.
 */
export const readPendingErasure = (raw: SqlConnection): number | null => readCounter(raw, PENDING_ERASURE);

/** Generations of the pending erasure of a store before and after a deletion. */
interface ErasureGenerations {
  before: number | null;
  after: number;
}

/**
 * Marks an erasure as pending, so that `eraseDeletedRows` removes the bytes of deleted rows. Call it in the transaction that deletes the rows: then no
 * other process clears the mark too early, and after a kill the next process completes the erasure. `now` is milliseconds since 1970.
 */
export function markErasurePending(raw: SqlConnection, now: number): ErasureGenerations {
  const before = readPendingErasure(raw);
  const after = statements(raw).countUp.get(PENDING_ERASURE, now) as number;
  return { before, after };
}

/** Clears the mark of `markErasurePending`. Does nothing if rows were deleted after `generation` was read. */
export const clearPendingErasure = (raw: SqlConnection, generation: number): void =>
  void raw.prepare('DELETE FROM counters WHERE name = ? AND value = ?').run(PENDING_ERASURE, generation);
