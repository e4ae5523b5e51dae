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

/** Time (ms) for which an event is stored. */
const EVENT_RETENTION_MS = 30 * 86_400_000;

/** Suffix of owner ids: it marks watches, jobs and events of test keys. Live keys cannot see these. */
const TEST_OWNER = ':test';

/**
 * Returns the owner id of a caller's watches, jobs and events: the id of its account, or of its chain of API keys if it has no account. Test keys
 * have separate owner ids.
 */
export const toOwnerId = ({ account, keyId, test }: Pick<Caller, 'account' | 'keyId' | 'test'>): string =>
  `${account ?? keyId}${test ? TEST_OWNER : ''}`;

/** Returns both owner ids of an account or a chain of API keys: the one for live keys, and the one for test keys. */
export const getOwnerIdPair = (id: string): [live: string, test: string] => [id, `${id}${TEST_OWNER}`];

export const isTestOwnerId = (owner: string): boolean => owner.endsWith(TEST_OWNER);

/** Event to store. `body` contains its fields besides id, type and time, and never a submitted value. */
export interface NewEvent {
  owner: string;
  subject: string;
  type: EventType;
  body: Readonly<Record<string, unknown>>;
}

/** Event in JSON, as the API returns it. */
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
 * Stores an event and queues its webhook messages. Call it in the transaction of the change that the event reports. Returns the id of the event.
 * `now` is milliseconds since 1970.
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

/** Some events of one owner after a cursor, oldest first. `next` is the cursor for the events after these. */
export interface EventPage {
  events: EventJson[];
  next: string;
}

/** Cursor before the first event. */
const START = 'evt_0';

/**
 * Returns the events of an owner after a cursor, oldest first; without a cursor, from the oldest stored event on. If the event of the cursor is no
 * longer stored, continues after its time.
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

/** Increases a counter and returns its new value, which was never used before. Call it inside a transaction. */
export const takeNextCounterValue = (db: SqlConnection, name: 'events' | 'watches'): number =>
  statements(db).countUp.get(name, 1) as number;

const counterStatement = preparePerConnection((db: SqlConnection) =>
  db.prepare<[string], number>('SELECT value FROM counters WHERE name = ?').pluck(),
);

/** Returns the value of a counter; null if it does not exist. */
export const readCounter = (db: SqlConnection, name: string): number | null =>
  counterStatement(db).get(name) ?? null;

/** Filter of events of all owners. `subject` is the id of the watch or job that an event is about. */
export interface EventQuery {
  limit: number;
  /** Upper bound (exclusive) of the events' numbers; undefined for the newest events. */
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
 * Removes events that are older than 30 days, and messages about them: at most 500 of each. Returns the higher number of both. `now` is milliseconds
 * since 1970.
 */
export function removeOldEvents(db: SqlConnection, now: number): number {
  const { removeOld, removeOldMessages } = statements(db);
  const from = now - EVENT_RETENTION_MS;
  return Math.max(removeOld.run(from).changes, removeOldMessages.run(from).changes);
}

/** Removes the events about a watch, and their messages. Call it inside a transaction. */
export function removeEventsOfWatch(db: SqlConnection, subject: string): void {
  statements(db).removeAbout.run(subject);
  statements(db).removeMessagesAbout.run(subject);
}

/** Name of a counter that exists as long as bytes of deleted rows may remain in the files of the store. */
const PENDING_ERASURE = 'erasure';

/**
 * Returns the mark of a store whose files may contain bytes of deleted rows; null if they contain none. It is a number that grows with every
 * deletion: the time of the first one (ms since 1970), plus the number of later ones.
 */
export const readPendingErasure = (raw: SqlConnection): number | null => readCounter(raw, PENDING_ERASURE);

/** Values of the mark of `markErasurePending` before and after a deletion. */
interface ErasureGenerations {
  before: number | null;
  after: number;
}

/**
 * Marks that bytes of deleted rows may remain in the files of the store, so that `eraseDeletedRows` removes them. Call it in the transaction that
 * deletes the rows: then no other process clears the mark too early, and after a kill the next process removes the bytes. `now` is milliseconds since
 * 1970.
 */
export function markErasurePending(raw: SqlConnection, now: number): ErasureGenerations {
  const before = readPendingErasure(raw);
  const after = statements(raw).countUp.get(PENDING_ERASURE, now) as number;
  return { before, after };
}

/** Clears the mark of `markErasurePending`. Does nothing if more rows were deleted since the mark had the value `generation`. */
export const clearPendingErasure = (raw: SqlConnection, generation: number): void =>
  void raw.prepare('DELETE FROM counters WHERE name = ? AND value = ?').run(PENDING_ERASURE, generation);
