import { and, eq } from './drizzle.ts';
import type { Store } from './store.ts';
import { usage } from './schema.ts';

/** How many accepted live calls a chain of keys has made in a month (`2026-11`); 0 where none. */
export function callsIn(store: Store, keyId: string, month: string): number {
  const own = and(eq(usage.key, keyId), eq(usage.month, month));
  const row = store.read(() => store.db.select({ calls: usage.calls }).from(usage).where(own).get());
  return row?.calls ?? 0;
}
