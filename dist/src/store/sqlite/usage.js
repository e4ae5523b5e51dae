import { and, eq } from 'drizzle-orm';
import { usage } from './schema.js';
export { monthOf } from './write.js';
/** How many accepted calls an account has made in a month (`2026-11`); 0 where none. */
export function callsIn(store, account, month) {
    const row = store.db
        .select({ calls: usage.calls })
        .from(usage)
        .where(and(eq(usage.key, account), eq(usage.month, month)))
        .get();
    return row?.calls ?? 0;
}
