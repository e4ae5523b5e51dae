// Calls in flight of keys whose plan bounds them, over all processes.
import type { Limits } from './limits.ts';
import { prepared } from './statements.ts';
import type { Sql } from '../store.ts';

/** A process that was not seen for this long has ended, and what it worked on with it. */
export const LOST_MS = 10_000;

const statements = prepared((db) => ({
  count: db
    .prepare<[string, number], number>(
      'SELECT ifnull(sum(calls), 0) FROM flights JOIN processes ON id = process WHERE key = ? AND seen > ?',
    )
    .pluck(),
  add: db.prepare(
    'INSERT INTO flights (key, process, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET calls = max(0, calls + excluded.calls)',
  ),
  see: db.prepare(
    'INSERT INTO processes (id, seen) VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen',
  ),
  forgetFlights: db.prepare(
    'DELETE FROM flights WHERE calls = 0 OR process NOT IN (SELECT id FROM processes WHERE seen > ?)',
  ),
  forgetProcesses: db.prepare('DELETE FROM processes WHERE seen <= ?'),
}));

/** How many calls of a key are worked on, in all processes. Runs inside `change`. */
export const inFlight = (db: Sql, key: string, now: number): number =>
  statements(db).count.get(key, now - LOST_MS) ?? 0;

/** Counts one more of a key, or one less (-1), in this process. Runs inside `change`. */
export function countFlight(
  db: Sql,
  { key, process }: { key: string; process: string },
  change: 1 | -1,
): void {
  statements(db).add.run(key, process, change);
}

/** Says that this process lives, and forgets those that do not any more. Errors: store_unavailable. */
export function sayAlive(limits: Limits, process: string, now: number): void {
  limits.change((db) => {
    const { see, forgetFlights, forgetProcesses } = statements(db);
    see.run(process, now);
    forgetFlights.run(now - LOST_MS);
    forgetProcesses.run(now - LOST_MS);
  });
}
