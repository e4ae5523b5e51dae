import { and, eq } from 'drizzle-orm';
import type { Store } from './open.ts';
import { usage } from './schema.ts';

export { monthOf } from './write.ts';

/** How many accepted calls an account has made in a month (`2026-11`); 0 where none. */
export function callsIn(store: Store, account: string, month: string): number {
  const row = store.db
    .select({ calls: usage.calls })
    .from(usage)
    .where(and(eq(usage.key, account), eq(usage.month, month)))
    .get();
  return row?.calls ?? 0;
}
