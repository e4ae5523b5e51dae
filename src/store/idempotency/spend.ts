// Which calls spent which Idempotency-Keys. The writer thread loads this: raw statements only.
import type { Spending, Spent } from '../../accounts/idempotency.ts';
import { REMOVED_AT_ONCE, REQUEST_ID_COLUMN } from '../write.ts';
import type { Row } from '../write.ts';
import type { Sql } from '../store.ts';

/** The call that spent a key before; null where that was another request. */
export interface Before {
  counted: string | null;
}

/** Prepares the look-up of the call that spent a key whose time is not over. */
export function findSpent(raw: Sql): (key: Uint8Array, now: number) => Spent | undefined {
  const find = raw.prepare<[Uint8Array, number], Spent>(
    'SELECT request, request_id AS "requestId" FROM idempotency WHERE fingerprint = ? AND expires > ?',
  );
  return (key, now) => find.get(key, now);
}

/** Prepares the writer's statements: what spent a key before, and keeping that a call spends it. Run inside the writer's transaction. */
export function spender(raw: Sql) {
  const find = findSpent(raw);
  const add = raw.prepare(
    `INSERT INTO idempotency (fingerprint, request, request_id, expires) VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint)
       DO UPDATE SET request = excluded.request, request_id = excluded.request_id, expires = excluded.expires`,
  );
  return {
    before({ key, request }: Spending, now: number): Before | null {
      const spent = find(key, now);
      if (!spent) return null;
      return { counted: spent.request.equals(request) ? spent.requestId : null };
    },
    keep({ key, request, expires }: Spending, row: Row): void {
      add.run(key, request, row[REQUEST_ID_COLUMN], expires);
    },
  };
}

/** Prepares the writer's statement: forgets keys whose time is over, one step of them, and answers how many. */
export function forgetter(raw: Sql): (now: number) => number {
  const remove = raw.prepare(
    `DELETE FROM idempotency WHERE fingerprint IN (SELECT fingerprint FROM idempotency WHERE expires < ? LIMIT ${REMOVED_AT_ONCE})`,
  );
  return (now) => remove.run(now).changes;
}
