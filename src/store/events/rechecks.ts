// Queue of re-checks: the watches that wait for a re-check, the progress of the worker, and the outcomes with
// their events.
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { watchProgress } from '../schema.ts';
import type { SqlConnection } from '../store.ts';
import { type NewEvent, storeEvent } from './events.ts';
import {
  deleteWatches,
  markWatchForRecheck,
  MAX_WATCHES_PER_TRANSACTION,
  type StoredWatch,
  toWatchId,
  WATCH_COLUMNS,
  IS_RECHECKED_CONDITION,
} from './watches.ts';

/** Result of checking one watch again. `changed` is null if the records behind the verdict are unchanged. `event` is null if no event is due. */
export interface RecheckOutcome {
  id: number;
  version: number;
  changed: Pick<StoredWatch, 'digest' | 'state' | 'reported'> | null;
  event: NewEvent | null;
  /** True if the claim of the watch cannot be decrypted any more, so that the watch is deleted. */
  isLost?: boolean;
}

export type RecheckProgress = Pick<typeof watchProgress.$inferSelect, 'position' | 'sweep' | 'swept'>;

const statements = preparePerConnection((db: SqlConnection) => ({
  expired: db.prepare<[number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE expires <= ? ORDER BY expires LIMIT ?`,
  ),
  remark: db.prepare('UPDATE watches SET version = version + 1 WHERE id = ? AND due IS NOT NULL'),
  oldestDue: db.prepare<[number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE due IS NOT NULL ORDER BY due LIMIT ?`,
  ),
  newestDue: db.prepare<[number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE due IS NOT NULL ORDER BY due DESC LIMIT ?`,
  ),
  settle: db.prepare('UPDATE watches SET due = NULL, version = version + 1 WHERE id = ? AND version = ?'),
  change: db.prepare(
    'UPDATE watches SET due = NULL, version = version + 1, digest = ?, state = ?, reported = ? WHERE id = ? AND version = ?',
  ),
  progress: db.prepare<[string], RecheckProgress>(
    'SELECT position, sweep, swept FROM watch_progress WHERE graph = ?',
  ),
  addProgress: db.prepare(
    'INSERT INTO watch_progress (graph, until) VALUES (?, 0) ON CONFLICT (graph) DO NOTHING',
  ),
  lease: db.prepare(
    'UPDATE watch_progress SET worker = ?, until = ? WHERE graph = ? AND (worker = ? OR until < ? OR until > ?)',
  ),
  release: db.prepare('UPDATE watch_progress SET until = 0 WHERE graph = ? AND worker = ?'),
  move: db.prepare('UPDATE watch_progress SET position = ? WHERE graph = ?'),
  sweep: db.prepare('UPDATE watch_progress SET sweep = ? WHERE graph = ?'),
  moveSweep: db.prepare('UPDATE watch_progress SET sweep = ? WHERE graph = ? AND sweep = ?'),
  endSweep: db.prepare('UPDATE watch_progress SET sweep = NULL, swept = ? WHERE graph = ? AND sweep = ?'),
  next: db.prepare<[number, number], StoredWatch>(
    `SELECT ${WATCH_COLUMNS} FROM watches WHERE id > ? AND ${IS_RECHECKED_CONDITION} ORDER BY id LIMIT ?`,
  ),
  ofKey: db
    .prepare<[number, number], number>(
      `SELECT watch FROM watch_keys WHERE key = ? AND watch > ? ORDER BY watch LIMIT ${MAX_WATCHES_PER_TRANSACTION}`,
    )
    .pluck(),
}));

/**
 * Opens the queue of watches that must be checked again because of one graph's changes. Each change of the queue runs in its own transaction. Errors:
 * those of the engine.
 */
export function openRecheckQueue(db: SqlConnection, graph: string) {
  const sql = () => statements(db);
  /** Time at which this worker's lease of the queue ends, in milliseconds since 1970; 0 without a lease. */
  let keptUntil = 0;
  const atomically = <T>(work: () => T): T => db.transaction(work).immediate();
  const store = ({ id, version, changed, event, isLost }: RecheckOutcome, now: number): boolean => {
    const { digest, state, reported } = changed ?? {};
    const { changes } = changed
      ? sql().change.run(digest, state, reported, id, version)
      : sql().settle.run(id, version);
    if (changes === 0) return false;
    if (isLost) deleteWatches(db, [id]);
    if (event) storeEvent(db, event, now);
    return true;
  };
  return {
    /**
     * Takes or extends the lease of the queue for `forMs` milliseconds. Returns false if another worker has it. Writes nothing in the first half of
     * the lease, because a commit costs more than a poll. Ignores a lease of another worker that ends after `now + forMs`: the clock was set back.
     */
    lease(worker: string, now: number, forMs: number): boolean {
      if (now < keptUntil - forMs / 2 && now >= keptUntil - forMs) return true;
      sql().addProgress.run(graph);
      const isMine = sql().lease.run(worker, now + forMs, graph, worker, now, now + forMs).changes > 0;
      keptUntil = isMine ? now + forMs : 0;
      return isMine;
    },
    release(worker: string): void {
      keptUntil = 0;
      sql().release.run(graph, worker);
    },
    readProgress: (): RecheckProgress =>
      sql().progress.get(graph) ?? { position: null, sweep: null, swept: null },
    /**
     * Marks the watches with these look-up keys as waiting for a re-check, in several transactions, because very many watches can have the same key.
     * The last one also stores `position`, which was reached in the graph's change log. Yields the number of watches that each transaction marked and
     * that did not wait already.
     */
    *mark(keys: Iterable<number>, position: string, now: number): Generator<number, void> {
      const ids = new Set<number>();
      const markAll = () => {
        for (const id of ids) sql().remark.run(id);
        return [...ids].filter((id) => markWatchForRecheck(db, id, now)).length;
      };
      for (const key of keys)
        for (let after = 0, isLast = false; !isLast;) {
          const page = sql().ofKey.all(key, after);
          for (const id of page) ids.add(id);
          [after, isLast] = [page.at(-1) ?? after, page.length < MAX_WATCHES_PER_TRANSACTION];
          if (ids.size < MAX_WATCHES_PER_TRANSACTION) continue;
          yield atomically(markAll);
          ids.clear();
        }
      yield atomically(() => {
        sql().move.run(position, graph);
        return markAll();
      });
    },
    /**
     * Begins a re-check of all watches at the time `now` (milliseconds since 1970). `position` is a position in the graph's change log up to which
     * changes can be skipped, because every watch is re-checked anyway.
     */
    beginSweep(now: number, position?: string | null): void {
      atomically(() => {
        sql().addProgress.run(graph);
        // Less than every id of a watch, and different for each beginning: `moveSweep` then never continues an earlier one.
        sql().sweep.run(-now, graph);
        if (position !== undefined) sql().move.run(position, graph);
      });
    },
    /** Returns watches that wait for a re-check: those that wait longest, or with `isNewestFirst` those that wait shortest. */
    listDue: (limit: number, isNewestFirst = false): StoredWatch[] =>
      (isNewestFirst ? sql().newestDue : sql().oldestDue).all(limit),
    /** Returns the next watches of a re-check of all watches. `sweep` is the id of the watch that was re-checked last. */
    listNext: (sweep: number, limit = MAX_WATCHES_PER_TRANSACTION): StoredWatch[] =>
      sql().next.all(sweep, limit),
    /**
     * Stores the results of re-checks with their events. Ignores the result for a watch that was changed since its re-check began. Returns the number
     * of stored results.
     */
    storeOutcomes: (outcomes: readonly RecheckOutcome[], now: number): number =>
      atomically(() => outcomes.filter((outcome) => store(outcome, now)).length),
    /**
     * Stores the progress of a re-check of all watches: `from` is the progress before, `to` the id of the watch that was re-checked last; null ends the
     * re-check. Does nothing if a newer re-check of all watches has begun.
     */
    moveSweep: ({ from, to }: { from: number; to: number | null }, now: number): void =>
      void (to === null ? sql().endSweep.run(now, graph, from) : sql().moveSweep.run(to, graph, from)),
  };
}

export const toExpiryEvent = ({ owner, number, reference }: StoredWatch): NewEvent => ({
  owner,
  subject: toWatchId(number),
  type: 'watch.expired',
  body: { watch_id: toWatchId(number), reference },
});

/** Deletes some expired watches, and stores an event for each. Returns their number. */
export function expireWatches(db: SqlConnection, now: number): number {
  const { expired } = statements(db);
  if (expired.get(now, 1) === undefined) return 0;
  const expire = () => {
    const watches = expired.all(now, MAX_WATCHES_PER_TRANSACTION);
    for (const watch of watches) storeEvent(db, toExpiryEvent(watch), now);
    deleteWatches(
      db,
      watches.map(({ id }) => id),
    );
    return watches.length;
  };
  return db.transaction(expire).immediate();
}
export type RecheckQueue = ReturnType<typeof openRecheckQueue>;

/** Maximum number of watches that one statement changes. */
const CLEARED_AT_ONCE = 2000;

/** Clears the hash of the records in all watches, so that the next re-check computes every verdict again. Returns the number of watches. */
export function clearRecordHashesOfAllWatches(db: SqlConnection): number {
  const next = db
    .prepare<[number], number>(
      `SELECT id FROM watches WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${CLEARED_AT_ONCE - 1}`,
    )
    .pluck();
  const clear = db.prepare('UPDATE watches SET digest = ?, version = version + 1 WHERE id > ? AND id <= ?');
  let count = 0;
  for (let from = -1; ;) {
    const to = next.get(from);
    count += clear.run(Buffer.alloc(0), from, to ?? Number.MAX_SAFE_INTEGER).changes;
    if (to === undefined) return count;
    from = to;
  }
}
