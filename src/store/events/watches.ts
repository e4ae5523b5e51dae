// Watches: claims that are checked again when records behind them change. This file stores them; src/watches knows their content.
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';
import { type EventPage, isTestOwner, listEvents, listOwners, type NewEvent, recordEvent } from './events.ts';

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

/** Watch to be stored, with its fingerprints. */
export type NewWatch = Omit<StoredWatch, 'version' | 'due' | 'reported'> & { keys: readonly number[] };

/** Outcome of a re-check. `event` is the event of its change; null if nothing changed that causes one. */
export interface RecheckOutcome {
  number: number;
  /** Version of the watch that was checked. */
  version: number;
  changed: Pick<StoredWatch, 'digest' | 'state' | 'reported'> | null;
  event: NewEvent | null;
  /** True if the claim cannot be read any more, so that the watch is deleted. */
  isLost?: boolean;
}

/** Progress of the re-checks of one graph. */
export interface WatchProgress {
  /** Position in the change log of the graph; null if nothing was read yet. */
  position: string | null;
  sweep: number | null;
  swept: number | null;
}

const COLUMNS =
  'number, owner, reference, created, expires, notify_on AS "notifyOn", min_change AS "minChange", claim, digest, state, reported, version, due';
/** Rows that one transaction changes, so that no call waits longer than some milliseconds. */
const AT_ONCE = 200;

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
    `SELECT ${COLUMNS} FROM watches WHERE number = ? AND owner = ?`,
  ),
  get: db.prepare<[number], StoredWatch>(`SELECT ${COLUMNS} FROM watches WHERE number = ?`),
  list: db.prepare<[string, number, number, number], StoredWatch>(
    `SELECT ${COLUMNS} FROM watches WHERE owner = ? AND (created, number) > (?, ?) ORDER BY created, number LIMIT ?`,
  ),
  listAll: db.prepare<[number, number, number], StoredWatch>(
    `SELECT ${COLUMNS} FROM watches WHERE (created, number) > (?, ?) ORDER BY created, number LIMIT ?`,
  ),
  keys: db.prepare<[number], Buffer>('SELECT keys FROM watches WHERE number = ?').pluck(),
  remove: db.prepare('DELETE FROM watches WHERE number = ?'),
  removeKey: db.prepare('DELETE FROM watch_keys WHERE key = ? AND watch = ?'),
  ofOwner: db.prepare<[string, number], number>('SELECT number FROM watches WHERE owner = ? LIMIT ?').pluck(),
  expired: db.prepare<[number, number], StoredWatch>(
    `SELECT ${COLUMNS} FROM watches WHERE expires <= ? ORDER BY expires LIMIT ?`,
  ),
  ofKey: db.prepare<[number], number>('SELECT watch FROM watch_keys WHERE key = ?').pluck(),
  mark: db.prepare('UPDATE watches SET due = ?, version = version + 1 WHERE number = ? AND due IS NULL'),
  remark: db.prepare('UPDATE watches SET version = version + 1 WHERE number = ? AND due IS NOT NULL'),
  due: db.prepare<[number], StoredWatch>(
    `SELECT ${COLUMNS} FROM watches WHERE due IS NOT NULL ORDER BY due LIMIT ?`,
  ),
  after: db.prepare<[number, number], StoredWatch>(
    `SELECT ${COLUMNS} FROM watches WHERE number > ? ORDER BY number LIMIT ?`,
  ),
  settle: db.prepare('UPDATE watches SET due = NULL, version = version + 1 WHERE number = ? AND version = ?'),
  change: db.prepare(
    'UPDATE watches SET due = NULL, version = version + 1, digest = ?, state = ?, reported = ? WHERE number = ? AND version = ?',
  ),
  replace: db.prepare<[Buffer, Buffer, Buffer, number], { owner: string }>(
    'UPDATE watches SET claim = ?, keys = ?, digest = ?, version = version + 1 WHERE number = ? RETURNING owner',
  ),
  progress: db.prepare<[string], WatchProgress>(
    'SELECT position, sweep, swept FROM watch_progress WHERE graph = ?',
  ),
  addProgress: db.prepare(
    'INSERT INTO watch_progress (graph, until) VALUES (?, 0) ON CONFLICT (graph) DO NOTHING',
  ),
  lease: db.prepare(
    'UPDATE watch_progress SET worker = ?, until = ? WHERE graph = ? AND (worker = ? OR until < ?)',
  ),
  release: db.prepare('UPDATE watch_progress SET until = 0 WHERE graph = ? AND worker = ?'),
  move: db.prepare('UPDATE watch_progress SET position = ? WHERE graph = ?'),
  sweep: db.prepare('UPDATE watch_progress SET sweep = ? WHERE graph = ?'),
  endSweep: db.prepare('UPDATE watch_progress SET sweep = NULL, swept = ? WHERE graph = ?'),
  changeOwner: db.prepare('UPDATE watches SET owner = ? WHERE owner = ?'),
  changeEventOwner: db.prepare('UPDATE events SET owner = ? WHERE owner = ?'),
}));

/** Watches of a store. Functions that change something run in a transaction of their own. Errors: those of the engine. */
export function openWatchStore(db: SqlConnection) {
  const sql = () => statements(db);
  const atomically = <T>(work: () => T): T => db.transaction(work).immediate();
  const remove = (number: number): boolean => {
    removeKeys(db, number);
    return sql().remove.run(number).changes > 0;
  };
  return {
    /**
     * Stores a watch unless its owner has `most` already; a watch of the same number stays as it is. Returns the stored watch; null if there
     * are too many. The new watch is due, because the graph may have changed since its check; that of a test key is not.
     */
    addWatch(watch: NewWatch, most: number | null, now: number): StoredWatch | null {
      const { number, owner, keys } = watch;
      return atomically(() => {
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
    deleteWatch: (number: number, owner: string): boolean =>
      atomically(() => sql().find.get(number, owner) !== undefined && remove(number)),
    listEvents: (query: { owner: string; after: string | null; limit: number }): EventPage =>
      listEvents(db, query),
    /** Returns the numbers of watches: all, those that wait for a re-check, and the time since which the first of them waits. */
    countAllWatches: () => sql().countAll.get() ?? { total: 0, due: 0, oldest: null },
  };
}

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

/** Queue of re-checks of one graph. Functions that change something run in a transaction of their own. Errors: those of the engine. */
export function openRecheckQueue(db: SqlConnection, graph: string) {
  const sql = () => statements(db);
  const atomically = <T>(work: () => T): T => db.transaction(work).immediate();
  const store = ({ number, version, changed, event, isLost }: RecheckOutcome, now: number): boolean => {
    if (isLost) deleteWatches(db, [number]);
    const { digest, state, reported } = changed ?? {};
    const { changes } = changed
      ? sql().change.run(digest, state, reported, number, version)
      : sql().settle.run(number, version);
    const isStored = changes > 0 || isLost === true;
    if (isStored && event) recordEvent(db, event, now);
    return isStored;
  };
  return {
    /** Takes or keeps the work on the queue for a time. Returns false if another worker has it. */
    lease(worker: string, now: number, forMs: number): boolean {
      sql().addProgress.run(graph);
      return sql().lease.run(worker, now + forMs, graph, worker, now).changes > 0;
    },
    release: (worker: string): void => void sql().release.run(graph, worker),
    readProgress: (): WatchProgress =>
      sql().progress.get(graph) ?? { position: null, sweep: null, swept: null },
    /** Marks the watches of the keys as due, and stores the position up to which changes are marked. Returns the number of watches. */
    mark(keys: Iterable<number>, position: string, now: number): number {
      const numbers = new Set<number>();
      for (const key of keys) for (const number of sql().ofKey.all(key)) numbers.add(number);
      atomically(() => {
        for (const number of numbers) if (sql().mark.run(now, number).changes === 0) sql().remark.run(number);
        sql().move.run(position, graph);
      });
      return numbers.size;
    },
    /** Begins to re-check all watches. With a position, changes up to it need not be marked. */
    beginSweep(position?: string | null): void {
      atomically(() => {
        sql().addProgress.run(graph);
        sql().sweep.run(0, graph);
        if (position !== undefined) sql().move.run(position, graph);
      });
    },
    /** Returns watches that wait for a re-check, those that wait longest first. */
    listDue: (limit = AT_ONCE): StoredWatch[] => sql().due.all(limit),
    /** Returns the next watches of a re-check of all. */
    listNext: (sweep: number, limit = AT_ONCE): StoredWatch[] => sql().after.all(sweep, limit),
    /** Stores outcomes with their events. An outcome of a watch that was changed meanwhile is dropped. Returns the number of stored ones. */
    storeOutcomes: (outcomes: readonly RecheckOutcome[], now: number): number =>
      atomically(() => outcomes.filter((outcome) => store(outcome, now)).length),
    /** Stores how far a re-check of all has come; null ends it. */
    moveSweep: (sweep: number | null, now: number): void =>
      void (sweep === null ? sql().endSweep.run(now, graph) : sql().sweep.run(sweep, graph)),
    /** Deletes expired watches, each with an event. Returns their number. */
    expire: (now: number, toEvent: (watch: StoredWatch) => NewEvent): number =>
      atomically(() => {
        const expired = sql().expired.all(now, AT_ONCE);
        for (const watch of expired) recordEvent(db, toEvent(watch), now);
        deleteWatches(
          db,
          expired.map(({ number }) => number),
        );
        return expired.length;
      }),
  };
}
export type RecheckQueue = ReturnType<typeof openRecheckQueue>;
export type WatchStore = ReturnType<typeof openWatchStore>;

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

/** Watches that one statement changes. */
const CLEARED_AT_ONCE = 2000;

/** Clears the digests of all watches, so that the next re-check compares all verdicts. Returns the number of watches. */
export function clearDigests(db: SqlConnection): number {
  const next = db
    .prepare<[number], number>(
      `SELECT number FROM watches WHERE number > ? ORDER BY number LIMIT 1 OFFSET ${CLEARED_AT_ONCE - 1}`,
    )
    .pluck();
  const clear = db.prepare(
    'UPDATE watches SET digest = ?, version = version + 1 WHERE number > ? AND number <= ?',
  );
  let count = 0;
  for (let from = -1; ;) {
    const to = next.get(from);
    count += clear.run(Buffer.alloc(0), from, to ?? Number.MAX_SAFE_INTEGER).changes;
    if (to === undefined) return count;
    from = to;
  }
}
