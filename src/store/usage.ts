import type Database from 'better-sqlite3';
import { and, eq } from 'drizzle-orm';
import type { Store } from './open.ts';
import { usage } from './schema.ts';

/** The month a call counts in: `2026-11`, by UTC. `time` is milliseconds. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** How many accepted calls an account has made in a month (`2026-11`); 0 where none. */
export function callsIn(store: Store, account: string, month: string): number {
  const row = store.db
    .select({ calls: usage.calls })
    .from(usage)
    .where(and(eq(usage.key, account), eq(usage.month, month)))
    .get();
  return row?.calls ?? 0;
}

/** Prepares the writer's statement: adds `calls` to an account's month. Runs inside the writer's transaction. */
export function counter(raw: Database.Database): (account: string, month: string, calls: number) => void {
  const add = raw.prepare(
    'INSERT INTO usage (key, month, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls',
  );
  return (account, month, calls) => void add.run(account, month, calls);
}
