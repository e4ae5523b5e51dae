// Watches: claims that are checked again when records behind them change. This file stores them; src/watches knows their content.
import { preparePerConnection } from '../../platform/sqlite.ts';
import { changeAtomically, recordAuditEntry } from '../audit.ts';
import type { SqlConnection, Store } from '../store.ts';
import { type EventPage, isTestOwner, listEvents, listOwners } from './events.ts';

/** Stored watch. Times are milliseconds since 1970. */
export interface StoredWatch {
  number: number;
  owner: string;
  reference: string | null;
  created: number;
  expires: number;
  notifyOn: string;
  minChange: number;
  /** The encrypted claim. */
  claim: Buffer;
  /** Keyed digest of the records behind the last verdict. */
  digest: Buffer;
  /** JSON of the last verdict. */
  state: string;
  /** JSON of the verdict of the last event, or of the creation; null if it is the last verdict. */
  reported: string | null;
  version: number;
  /** Time since which the watch waits for a re-check; null if it does not wait. */
  due: number | null;
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /^wat_([0-9a-hjkmnp-tv-z]{11})$/;

/** Returns the public id of a watch. */
export function toWatchId(number: number): string {
  let text = '';
  for (let rest = number; text.length < 11; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return `wat_${text}`;
}

/** Returns the number of a watch; null if the text is no id of a watch. */
export function toWatchNumber(id: string): number | null {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return null;
  const number = [...digits].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
  return Number.isSafeInteger(number) ? number : null;
}

/** Watch to be stored, with its fingerprints. */
export type NewWatch = Omit<StoredWatch, 'version' | 'due' | 'reported'> & { keys: readonly number[] };

/** Columns of a watch, named as in `StoredWatch`. */
export const WATCH_COLUMNS =
  'number, owner, reference, created, expires, notify_on AS "notifyOn", min_change AS "minChange", claim, digest, state, reported, version, due';

const statements = preparePerConnection((db: SqlConnection) => ({
  add: db.prepare<[object]>(
    `INSERT INTO watches (number, owner, reference, created, expires, notify_on, min_change, claim, keys, digest, state, version, due)
       VALUES (@number, @owner, @reference, @created, @expires, @notifyOn, @minChange, @claim, @keys, @digest, @state, 0, @due)
       ON CONFLICT DO NOTHING`,
  ),
  addKey: db.prepare('INSERT INTO watch_keys (key, watch) VALUES (?, ?) ON CONFLICT DO NOTHING'),
  count: db.prepare<[string], number>('SELECT count(*) FROM watches WHERE owner = ?').pluck(),
  countAll: db.prepare<[], { total: number; due: number; oldest: number | null }>(
    'SELECT count(*) AS total, count(due) AS due, min(due) AS oldest FROM watches',
  ),
  find: db.prepare<[number, string], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE number = ? AND owner = ?`,
  ),
  get: db.prepare<[number], StoredWatch>(`SELECT ${WATCH_COLUMNS} FROM watches WHERE number = ?`),
  list: db.prepare<[string, number, number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE owner = ? AND (created, number) > (?, ?) ORDER BY created, number LIMIT ?`,
  ),
  listAll: db.prepare<[number, number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE (created, number) > (?, ?) ORDER BY created, number LIMIT ?`,
  ),
  keys: db.prepare<[number], Buffer>('SELECT keys FROM watches WHERE number = ?').pluck(),
  remove: db.prepare('DELETE FROM watches WHERE number = ?'),
  removeKey: db.prepare('DELETE FROM watch_keys WHERE key = ? AND watch = ?'),
  ofOwner: db.prepare<[string, number], number>('SELECT number FROM watches WHERE owner = ? LIMIT ?').pluck(),
  ofKey: db.prepare<[number], number>('SELECT watch FROM watch_keys WHERE key = ?').pluck(),
  mark: db.prepare('UPDATE watches SET due = ?, version = version + 1 WHERE number = ? AND due IS NULL'),
  after: db.prepare<[number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE number > ? ORDER BY number LIMIT ?`,
  ),
  replace: db.prepare<[Buffer, Buffer, Buffer, number], { owner: string }>(
    'UPDATE watches SET claim = ?, keys = ?, digest = ?, version = version + 1 WHERE number = ? RETURNING owner',
  ),
  changeOwner: db.prepare('UPDATE watches SET owner = ? WHERE owner = ?'),
  changeEventOwner: db.prepare('UPDATE events SET owner = ? WHERE owner = ?'),
}));

/** Change of a caller: id of its key, for the audit log, and milliseconds since 1970. */
interface CallerChange {
  actor: string;
  now: number;
}

/**
 * Watches of a store. Functions that change something run in a transaction of their own, with an entry in the audit log. Errors: those of
 * the engine.
 */
export function openWatchStore(store: Store) {
  const { raw: db } = store;
  const sql = () => statements(db);
  return {
    /**
     * Stores a watch unless its owner has `most` already; a watch of the same number stays as it is. Returns the stored watch; null if there
     * are too many. The new watch is due, because the graph may have changed since its check; that of a test key is not.
     */
    addWatch(watch: NewWatch, most: number | null, { actor, now }: CallerChange): StoredWatch | null {
      const { number, owner, keys } = watch;
      return changeAtomically(store, () => {
        const watchRow = sql().find.get(number, owner);
        if (watchRow) return watchRow;
        if (most !== null && (sql().count.get(owner) ?? 0) >= most) return null;
        const due = isTestOwner(owner) ? null : now;
        sql().add.run({
          ...watch,
          claim: Buffer.from(watch.claim),
          digest: Buffer.from(watch.digest),
          keys: Buffer.from(Float64Array.from(keys).buffer),
          due,
        });
        if (due !== null) for (const key of keys) sql().addKey.run(key, number);
        recordAuditEntry(
          { ...store, actor },
          { act: 'watches.create', target: toWatchId(number), detail: { owner } },
          now,
        );
        return sql().find.get(number, owner) ?? null;
      });
    },
    countWatches: (owner: string): number => sql().count.get(owner) ?? 0,
    /** Returns a watch of an owner; null if the owner has no such watch. */
    findWatch: (number: number, owner: string): StoredWatch | null => sql().find.get(number, owner) ?? null,
    /** Returns watches of an owner after a position, the oldest first. */
    listWatches: (owner: string, [created, number]: [number, number], limit: number): StoredWatch[] =>
      sql().list.all(owner, created, number, limit),
    /** Deletes a watch of an owner. Returns false if the owner has no such watch. */
    deleteWatch: (number: number, owner: string, { actor, now }: CallerChange): boolean =>
      changeAtomically(store, () => {
        const watch = sql().find.get(number, owner);
        if (watch) removeWatch({ ...store, actor }, watch, now);
        return watch !== undefined;
      }),
    listEvents: (query: { owner: string; after: string | null; limit: number }): EventPage =>
      listEvents(db, query),
    countAllWatches: () => countAllWatches(db),
  };
}

/** Returns the numbers of watches: all, those that wait for a re-check, and the time since which the first of them waits. */
export const countAllWatches = (db: SqlConnection) =>
  statements(db).countAll.get() ?? { total: 0, due: 0, oldest: null };

/** Removes the keys of a watch. */
function removeKeys(db: SqlConnection, number: number): void {
  const { keys, removeKey } = statements(db);
  for (const key of toNumbers(keys.get(number))) removeKey.run(key, number);
}

const toNumbers = (bytes: Buffer | undefined): number[] =>
  bytes ? Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(i * 8)) : [];

/** Deletes watches, inside a transaction. */
export function deleteWatches(db: SqlConnection, numbers: Iterable<number>): void {
  for (const number of numbers) {
    removeKeys(db, number);
    statements(db).remove.run(number);
  }
}

/** Deletes a watch, with an entry in the audit log. */
export const removeWatch = (store: Store, { number, owner }: StoredWatch, now: number): void =>
  changeAtomically(store, () => {
    deleteWatches(store.raw, [number]);
    recordAuditEntry(store, { act: 'watches.delete', target: toWatchId(number), detail: { owner } }, now);
  });

/** Deletes all watches of an account or a chain of keys, inside a transaction. Returns their number. */
export function deleteWatchesOf(db: SqlConnection, id: string): number {
  const numbers = listOwners(id).flatMap((owner) =>
    statements(db).ofOwner.all(owner, Number.MAX_SAFE_INTEGER),
  );
  deleteWatches(db, numbers);
  return numbers.length;
}

/** Gives the watches and events of a chain of keys to an account, inside a transaction. */
export function moveWatchesToAccount(db: SqlConnection, chain: string, account: string): void {
  const after = listOwners(account);
  for (const [i, owner] of listOwners(chain).entries()) {
    statements(db).changeOwner.run(after[i], owner);
    statements(db).changeEventOwner.run(after[i], owner);
  }
}

/** Returns the watches of some fingerprints. */
export function findWatchesByKeys(db: SqlConnection, keys: Iterable<number>): StoredWatch[] {
  const { ofKey, get } = statements(db);
  const numbers = new Set<number>();
  for (const key of keys) for (const number of ofKey.all(key)) numbers.add(number);
  return [...numbers].flatMap((number) => get.get(number) ?? []);
}

export type WatchStore = ReturnType<typeof openWatchStore>;

/** Watches that one list with a filter reads at most. */
const MAX_SCANNED = 20_000;

/** Filter of the watches of all owners. */
export interface WatchQuery {
  limit: number;
  /** Returns only watches that are older than this position. */
  after?: [created: number, number: number] | undefined;
  owner?: string | undefined;
  reference?: string | undefined;
  /** Band of the last verdict. */
  status?: string | undefined;
}

/**
 * Returns the watches that pass a filter, the newest first, among the next 20,000 watches. `reached` is the last of these 20,000; null if
 * there are not so many.
 */
export function findWatches(
  db: SqlConnection,
  { limit, after, owner, reference, status }: WatchQuery,
): { watches: StoredWatch[]; reached: [number, number] | null } {
  const [created, number] = after ?? [Number.MAX_SAFE_INTEGER, 0];
  const before = `(created, number) < (@created, @number)${owner === undefined ? '' : ' AND owner = @owner'}`;
  const order = 'ORDER BY created DESC, number DESC LIMIT';
  const position = { created, number, owner };
  const isFiltered = reference !== undefined || status !== undefined;
  const last = isFiltered
    ? db
        .prepare<[object], Pick<StoredWatch, 'created' | 'number'>>(
          `SELECT created, number FROM watches WHERE ${before} ${order} 1 OFFSET ${MAX_SCANNED - 1}`,
        )
        .get(position)
    : undefined;
  const conditions = [before];
  if (reference !== undefined) conditions.push('reference = @reference');
  if (status !== undefined) conditions.push('state LIKE @state');
  if (last) conditions.push('(created, number) >= (@lastCreated, @lastNumber)');
  const watches = db
    .prepare<[object], StoredWatch>(
      `SELECT ${WATCH_COLUMNS} FROM watches WHERE ${conditions.join(' AND ')} ${order} @limit`,
    )
    .all({
      ...position,
      reference,
      state: `%"status":"${status}"%`,
      lastCreated: last?.created,
      lastNumber: last?.number,
      limit,
    });
  return { watches, reached: last ? [last.created, last.number] : null };
}

/** Returns watches of all owners after a position, the oldest first. */
export const listAllWatches = (
  db: SqlConnection,
  [created, number]: [number, number],
  limit: number,
): StoredWatch[] => statements(db).listAll.all(created, number, limit);

/** Returns a watch of any owner; null if there is none. */
export const getWatch = (db: SqlConnection, number: number): StoredWatch | null =>
  statements(db).get.get(number) ?? null;

/** Returns watches of all owners after a number, in the order of their numbers. */
export const listWatchesAfter = (db: SqlConnection, number: number, limit: number): StoredWatch[] =>
  statements(db).after.all(number, limit);

/** Replaces claim and fingerprints of a watch, inside a transaction. The watch waits for a re-check then. */
export function replaceContent(
  db: SqlConnection,
  number: number,
  { claim, keys }: Pick<NewWatch, 'claim' | 'keys'>,
  now: number,
): void {
  removeKeys(db, number);
  const bytes = Buffer.from(Float64Array.from(keys).buffer);
  const { replace, addKey } = statements(db);
  const { owner } = replace.get(claim, bytes, Buffer.alloc(0), number) ?? { owner: '' };
  if (isTestOwner(owner)) return;
  for (const key of keys) addKey.run(key, number);
  statements(db).mark.run(now, number);
}
