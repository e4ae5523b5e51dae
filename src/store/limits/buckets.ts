import { seen, take } from '../../accounts/limits/rate.ts';
import type { Rate, Taken } from '../../accounts/limits/rate.ts';
import { prepared } from './statements.ts';
import type { Sql } from '../store.ts';

const statements = prepared((db) => ({
  find: db.prepare<[string], number>('SELECT full_at FROM buckets WHERE name = ?').pluck(),
  keep: db.prepare(
    'INSERT INTO buckets (name, full_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET full_at = excluded.full_at',
  ),
}));

/** Takes a token from a bucket that all processes share. Runs inside `change`. */
export function takeFrom(db: Sql, { name, rate }: { name: string; rate: Rate }, now: number): Taken {
  const { find, keep } = statements(db);
  const before = find.get(name);
  const taken = take(before, now, rate);
  // A clock that stepped back finds the bucket empty: from here on it fills.
  if (taken.allowed || taken.fullAt < (before ?? 0)) keep.run(name, taken.fullAt);
  return taken;
}

/** How full a bucket is. Runs inside `change`. */
export function lookAt(db: Sql, { name, rate }: { name: string; rate: Rate }, now: number): Taken {
  return seen(statements(db).find.get(name), now, rate);
}
