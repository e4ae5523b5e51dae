import { and, eq } from 'drizzle-orm';
import type { Store } from './open.ts';
import { usage } from './schema.ts';

export { monthOf } from './write.ts';

/** How many accepted calls an account has made in a month (`2026-11`); 0 where none. */
export function callsIn(store: Store, account: string, month: string): number {
  const own = and(eq(usage.key, account), eq(usage.month, month));
  const row = store.read(() => store.db.select({ calls: usage.calls }).from(usage).where(own).get());
  return row?.calls ?? 0;
}
