// Watches: claims that are checked again when records behind them change. This file stores watches;
// src/watches reads and writes their content.
import { preparePerConnection } from '../../platform/sqlite.ts';
import { changeAtomically, recordAuditEntry } from '../audit.ts';
import type { watches } from '../schema.ts';
import type { SqlConnection, Store } from '../store.ts';
import {
  type EventPage,
  getOwnerIdPair,
  isTestOwnerId,
  listEvents,
  readCounter,
  takeNextCounterValue,
} from './events.ts';

export type StoredWatch = Omit<typeof watches.$inferSelect, 'keys'>;

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /^wat_([0-9a-hjkmnp-tv-z]{11})$/;

export function toWatchId(number: number): string {
  let text = '';
  for (let rest = number; text.length < 11; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return `wat_${text}`;
}

export function toWatchNumber(id: string): number | null {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return null;
  const number = [...digits].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
  return Number.isSafeInteger(number) ? number : null;
}

export type WatchToStore = Omit<StoredWatch, 'id' | 'version' | 'due' | 'reported'> & {
  keys: readonly number[];
};

export const WATCH_COLUMNS =
  'id, number, owner, reference, created, expires, notify_on AS "notifyOn", min_change AS "minChange", claim, digest, state, reported, version, due';

/** SQL condition for watches that are re-checked. Watches of test keys never are, because the sample graph does not change. */
export const IS_RECHECKED_CONDITION = "owner NOT LIKE '%:test'";

const statements = preparePerConnection((db: SqlConnection) => ({
  add: db.prepare<[object]>(
    `INSERT INTO watches (id, number, owner, reference, created, expires, notify_on, min_change, claim, keys, digest, state, version, due)
       VALUES (@id, @number, @owner, @reference, @created, @expires, @notifyOn, @minChange, @claim, @keys, @digest, @state, 0, @due)
       ON CONFLICT DO NOTHING`,
  ),
  addKey: db.prepare('INSERT INTO watch_keys (key, watch) VALUES (?, ?) ON CONFLICT DO NOTHING'),
  countAll: db.prepare<[], { total: number; due: number; oldest: number | null }>(
    `SELECT (SELECT count(*) FROM watches) AS total, count(*) AS due, min(due) AS oldest
       FROM watches WHERE due IS NOT NULL`,
  ),
  find: db.prepare<[number, string], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE number = ? AND owner = ?`,
  ),
  get: db.prepare<[number], StoredWatch>(`SELECT ${WATCH_COLUMNS} FROM watches WHERE number = ?`),
  list: db.prepare<[string, number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE owner = ? AND id > ? ORDER BY id LIMIT ?`,
  ),
  keys: db.prepare<[number], Buffer>('SELECT keys FROM watches WHERE id = ?').pluck(),
  remove: db.prepare<[number]>('DELETE FROM watches WHERE id = ?'),
  removeKey: db.prepare('DELETE FROM watch_keys WHERE key = ? AND watch = ?'),
  ofOwner: db.prepare<[string, number], number>('SELECT id FROM watches WHERE owner = ? LIMIT ?').pluck(),
  ofKey: db.prepare<[number], number>('SELECT watch FROM watch_keys WHERE key = ?').pluck(),
  testKeys: db.prepare<[], { id: number; keys: Buffer }>(
    `SELECT id, keys FROM watches WHERE NOT (${IS_RECHECKED_CONDITION})`,
  ),
  withId: db.prepare<[number], StoredWatch>(`SELECT ${WATCH_COLUMNS} FROM watches WHERE id = ?`),
  mark: db.prepare(
    `UPDATE watches SET due = ?, version = version + 1 WHERE id = ? AND due IS NULL AND ${IS_RECHECKED_CONDITION}`,
  ),
  after: db.prepare<[number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  replace: db.prepare<[Buffer, Buffer, Buffer, number]>(
    'UPDATE watches SET claim = ?, keys = ?, digest = ?, version = version + 1 WHERE id = ?',
  ),
  expireReservations: db.prepare(
    'DELETE FROM watch_reservations WHERE owner = ? AND (until <= ? OR until > ?)',
  ),
  countReservations: db
    .prepare<[string], number>('SELECT count(*) FROM watch_reservations WHERE owner = ?')
    .pluck(),
  reserve: db.prepare('INSERT INTO watch_reservations (request, owner, until) VALUES (?, ?, ?)'),
  release: db.prepare('DELETE FROM watch_reservations WHERE request = ?'),
  changeOwner: db.prepare(
    'UPDATE watches SET owner = ? WHERE id IN (SELECT id FROM watches WHERE owner = ? LIMIT 100)',
  ),
  changeEventOwner: db.prepare(
    'UPDATE events SET owner = ? WHERE seq IN (SELECT seq FROM events WHERE owner = ? LIMIT 100)',
  ),
}));

/** Author of a change for the audit log (`actor`: id of the API key), and its time (`now`), in milliseconds since 1970. */
export interface ActorAndTime {
  actor: string;
  now: number;
}

/** Reservation of one watch of a plan for a request that creates a watch. `most` is the maximum number of watches of the owner. */
export interface WatchQuotaReservation {
  request: string;
  owner: string;
  most: number;
}

/** Time (ms) after which a reservation expires. Requests take less time, so this happens only if a request was interrupted. */
const RESERVATION_MS = 60_000;

/**
 * Opens the functions that change the watches of a store. Each change runs in its own transaction and adds an entry to the audit log. Errors: those
 * of the engine.
 */
export function openWatchStore(store: Store) {
  const { raw: db } = store;
  const sql = () => statements(db);
  /** Returns true if the watches and reservations of the owner together are fewer than `most`. Call it inside a transaction. */
  const canAddWatch = ({ owner, most }: Omit<WatchQuotaReservation, 'request'>, now: number): boolean => {
    const { expireReservations, countReservations } = sql();
    // A reservation that ends much later than a new one was made before the clock was set back.
    expireReservations.run(owner, now, now + 2 * RESERVATION_MS);
    return countWatches(db, owner) + (countReservations.get(owner) ?? 0) < most;
  };
  return {
    /**
     * Stores and returns a watch. `reservation` is the one that `reserveWatch` made for the request; null if the number of watches is not limited.
     * Returns null if the reservation has expired and the owner now has the maximum number of watches. If a watch with the same number exists,
     * returns it unchanged. A new watch of a live key is soon re-checked, because the graph may have changed after its verdict was computed.
     */
    addWatch(
      watch: WatchToStore,
      reservation: Omit<WatchQuotaReservation, 'owner'> | null,
      { actor, now }: ActorAndTime,
    ): StoredWatch | null {
      const { number, owner, keys } = watch;
      return changeAtomically(store, () => {
        // The watch replaces its reservation, so the watches need not be counted again.
        const isReserved = reservation === null || sql().release.run(reservation.request).changes > 0;
        const watchRow = sql().find.get(number, owner);
        if (watchRow) return watchRow;
        if (!isReserved && !canAddWatch({ ...reservation, owner }, now)) return null;
        const due = isTestOwnerId(owner) ? null : now;
        const id = takeNextCounterValue(db, 'watches');
        sql().add.run({
          id,
          ...watch,
          claim: Buffer.from(watch.claim),
          digest: Buffer.from(watch.digest),
          keys: toBytes(keys),
          due,
        });
        for (const key of keys) sql().addKey.run(key, id);
        recordAuditEntry(
          { ...store, actor },
          { act: 'watches.create', target: toWatchId(number), detail: { owner } },
          now,
        );
        return sql().find.get(number, owner) ?? null;
      });
    },
    /**
     * Reserves one watch of the plan until `releaseWatch`, for at most a minute. Returns false if the owner already has `most` watches and
     * reservations. `now` is milliseconds since 1970.
     */
    reserveWatch: ({ request, owner, most }: WatchQuotaReservation, now: number): boolean =>
      changeAtomically(store, () => {
        if (!canAddWatch({ owner, most }, now)) return false;
        sql().reserve.run(request, owner, now + RESERVATION_MS);
        return true;
      }),
    /** Removes the reservation of a request that stored no watch. */
    releaseWatch: (request: string): void => void sql().release.run(request),
    /** Returns a watch of an owner; null if the owner has no such watch. */
    findWatch: (number: number, owner: string): StoredWatch | null => sql().find.get(number, owner) ?? null,
    listWatches: (owner: string, after: number, limit: number): StoredWatch[] =>
      sql().list.all(owner, after, limit),
    /** Deletes a watch of an owner. Returns false if the owner has no such watch. */
    deleteWatch: (number: number, owner: string, { actor, now }: ActorAndTime): boolean =>
      changeAtomically(store, () => {
        const watch = sql().find.get(number, owner);
        if (watch) deleteWatchWithAuditEntry({ ...store, actor }, watch, now);
        return watch !== undefined;
      }),
    listEvents: (query: { owner: string; after: string | null; limit: number }): EventPage =>
      listEvents(db, query),
    getWatchStatistics: () => getWatchStatistics(db),
  };
}

/** Returns the number of all watches (`total`) and of those that wait for a re-check (`due`), and since when the first of these waits (`oldest`). */
export const getWatchStatistics = (db: SqlConnection) =>
  statements(db).countAll.get() ?? { total: 0, due: 0, oldest: null };

function removeKeys(db: SqlConnection, id: number): void {
  const { keys, removeKey } = statements(db);
  for (const key of fromBytes(keys.get(id) ?? Buffer.alloc(0))) removeKey.run(key, id);
}

/** Number of bytes of a stored look-up key, which has 47 bits. */
const KEY_BYTES = 6;

function toBytes(keys: readonly number[]): Buffer {
  const bytes = Buffer.alloc(keys.length * KEY_BYTES);
  for (const [i, key] of keys.entries()) bytes.writeUIntLE(key, i * KEY_BYTES, KEY_BYTES);
  return bytes;
}

const fromBytes = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / KEY_BYTES }, (_, i) => bytes.readUIntLE(i * KEY_BYTES, KEY_BYTES));

/** Maximum number of watches that one transaction changes. Calls then wait for it for a few milliseconds at most. */
export const MAX_WATCHES_PER_TRANSACTION = 200;

/** Deletes watches by their ids. Call it inside a transaction. */
export function deleteWatches(db: SqlConnection, ids: Iterable<number>): void {
  for (const id of ids) {
    removeKeys(db, id);
    statements(db).remove.run(id);
  }
}

/**
 * Returns the number of watches of an owner from a counter; an owner without watches has none. Triggers of the table `watches` update the counter, so
 * that it is right with servers of an earlier version, too.
 */
const countWatches = (db: SqlConnection, owner: string): number =>
  readCounter(db, `watch count of ${owner}`) ?? 0;

/** Deletes a watch and adds an entry to the audit log. */
export const deleteWatchWithAuditEntry = (
  store: Store,
  { id, number, owner }: StoredWatch,
  now: number,
): void =>
  changeAtomically(store, () => {
    deleteWatches(store.raw, [id]);
    recordAuditEntry(store, { act: 'watches.delete', target: toWatchId(number), detail: { owner } }, now);
  });

/** Deletes at most 200 watches of an account. Returns their number. Call it inside a transaction. */
export function deleteSomeWatchesOfAccount(db: SqlConnection, id: string): number {
  const ids = getOwnerIdPair(id).flatMap((owner) =>
    statements(db).ofOwner.all(owner, MAX_WATCHES_PER_TRANSACTION / 2),
  );
  deleteWatches(db, ids);
  return ids.length;
}

/** Moves at most 400 of the watches and events of a chain of API keys to an account. Returns their number. Call it inside a transaction. */
export function moveSomeWatchesAndEventsToAccount(db: SqlConnection, chain: string, account: string): number {
  const after = getOwnerIdPair(account);
  const { changeOwner, changeEventOwner } = statements(db);
  return getOwnerIdPair(chain)
    .map((owner, i) => {
      const next = after[i] as string;
      return changeOwner.run(next, owner).changes + changeEventOwner.run(next, owner).changes;
    })
    .reduce((sum, changes) => sum + changes, 0);
}

/**
 * Yields the watches that have at least one of the look-up keys. Also yields all watches of test keys, because earlier versions stored no
 * `watch_keys` for them.
 */
export function* findWatchesByLookupKeys(db: SqlConnection, keys: Iterable<number>): Generator<StoredWatch> {
  const { ofKey, testKeys, withId } = statements(db);
  const [ids, wanted] = [new Set<number>(), new Set(keys)];
  for (const key of wanted) for (const id of ofKey.all(key)) ids.add(id);
  for (const { id, keys: own } of testKeys.all())
    if (fromBytes(own).some((key) => wanted.has(key))) ids.add(id);
  for (const id of ids) {
    const watch = withId.get(id);
    if (watch) yield watch;
  }
}

export type WatchStore = ReturnType<typeof openWatchStore>;

/** Maximum number of watches that a query with a filter reads. */
const MAX_SCANNED = 20_000;

export interface WatchQuery {
  limit: number;
  before?: number | undefined;
  owner?: string | undefined;
  reference?: string | undefined;
  status?: string | undefined;
}

/**
 * Returns the watches that match a filter, newest first. With a filter, reads at most 20,000 watches. `reached` is the cursor for the next query (the
 * last watch that was read); null at the end.
 */
export function findWatchPage(
  db: SqlConnection,
  { limit, before = Number.MAX_SAFE_INTEGER, owner, reference, status }: WatchQuery,
): { watches: StoredWatch[]; reached: number | null } {
  const range = owner === undefined ? 'id < @before' : 'owner = @owner AND id < @before';
  const isFiltered = reference !== undefined || status !== undefined;
  const last = isFiltered
    ? db
        .prepare<[object], number>(
          `SELECT id FROM watches WHERE ${range} ORDER BY id DESC LIMIT 1 OFFSET ${MAX_SCANNED - 1}`,
        )
        .pluck()
        .get({ before, owner })
    : undefined;
  const conditions = [range];
  if (reference !== undefined) conditions.push('reference = @reference');
  if (status !== undefined) conditions.push('state LIKE @state');
  if (last !== undefined) conditions.push('id >= @last');
  const watches = db
    .prepare<[object], StoredWatch>(
      `SELECT ${WATCH_COLUMNS} FROM watches WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT @limit`,
    )
    .all({ before, owner, reference, state: status === undefined ? null : `% ${status} %`, last, limit });
  return { watches, reached: last ?? null };
}

/** Returns a watch of any owner; null if it does not exist. */
export const getWatch = (db: SqlConnection, number: number): StoredWatch | null =>
  statements(db).get.get(number) ?? null;

/** Marks a watch as waiting for a re-check since `now`. Returns false if it waits already, or is never re-checked. */
export const markWatchForRecheck = (db: SqlConnection, id: number, now: number): boolean =>
  statements(db).mark.run(now, id).changes > 0;

export const listWatchesAfter = (db: SqlConnection, id: number, limit: number): StoredWatch[] =>
  statements(db).after.all(id, limit);

/** Replaces the encrypted claim and the look-up keys of a watch, such as under a new secret, and marks the watch for a re-check. */
export function replaceWatchContent(
  db: SqlConnection,
  id: number,
  { claim, keys }: Pick<WatchToStore, 'claim' | 'keys'>,
  now: number,
): void {
  removeKeys(db, id);
  const { replace, addKey } = statements(db);
  replace.run(claim, toBytes(keys), Buffer.alloc(0), id);
  for (const key of keys) addKey.run(key, id);
  markWatchForRecheck(db, id, now);
}
