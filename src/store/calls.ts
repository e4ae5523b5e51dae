// The call log as an operator reads it.
import { and, desc, eq, gte, lt, sql } from './drizzle.ts';
import type { SQL } from 'drizzle-orm';
import type { EarlierCall, LoggedCall } from '../accounts/model.ts';
import { firstIdAt } from '../platform/request-id.ts';
import type { Store } from './store.ts';
import { calls } from './schema.ts';

/** Which calls are wanted: all where nothing is said. Times are milliseconds since 1970. */
export interface CallsWanted {
  /** Of one chain of keys. */
  chain?: string | undefined;
  account?: string | undefined;
  status?: LoggedCall['band'] | undefined;
  test?: boolean | undefined;
  since?: number | undefined;
  before?: number | undefined;
  after?: readonly [time: number, id: string] | undefined;
  limit: number;
}

/** So many calls are looked at for one answer: a filter that few pass must not read the whole log. */
const SCANNED = 20_000;

/**
 * Calls that a filter lets pass, the newest first, of the first 20,000 there are. `reached` is where these ended, null where the log did:
 * what follows is asked for from there on.
 */
export function listCalls(
  store: Store,
  wanted: CallsWanted,
): { calls: EarlierCall[]; reached: [number, string] | null } {
  const { account, status, test, since, before, limit } = wanted;
  const { within, order } = wanted.chain === undefined ? byId(wanted) : byTime(wanted, wanted.chain);
  const scanned = store.db
    .select()
    .from(calls)
    .where(and(...within))
    .orderBy(...order)
    .limit(SCANNED)
    .as('scanned');
  const passing = store.db
    .select()
    .from(scanned)
    .where(
      and(
        account === undefined ? undefined : eq(scanned.account, account),
        status && eq(scanned.band, status),
        test === undefined ? undefined : eq(scanned.test, test),
        since === undefined ? undefined : gte(scanned.time, since),
        before === undefined ? undefined : lt(scanned.time, before),
      ),
    )
    .limit(limit)
    .all();
  const last = store.db
    .select({ time: calls.time, id: calls.requestId })
    .from(calls)
    .where(and(...within))
    .orderBy(...order)
    .limit(1)
    .offset(SCANNED - 1)
    .get();
  return { calls: passing, reached: last ? [last.time, last.id] : null };
}

type Scan = { within: (SQL | undefined)[]; order: SQL[] };

/** All keys' calls, by their ids, which sort by time. */
const byId = ({ since, before, after }: CallsWanted): Scan => ({
  within: [
    after && lt(calls.requestId, after[1]),
    since === undefined ? undefined : gte(calls.requestId, firstIdAt(since)),
    before === undefined ? undefined : lt(calls.requestId, firstIdAt(before)),
  ],
  order: [desc(calls.requestId)],
});

/** Those of one chain of keys, by the index that its request stream has. */
const byTime = ({ since, before, after }: CallsWanted, chain: string): Scan => ({
  within: [
    eq(calls.keyId, chain),
    after && sql`(${calls.time}, ${calls.requestId}) < (${after[0]}, ${after[1]})`,
    since === undefined ? undefined : gte(calls.time, since),
    before === undefined ? undefined : lt(calls.time, before),
  ],
  order: [desc(calls.time), desc(calls.requestId)],
});

/** A call by its id, whoever made it. */
export const anyCall = (store: Store, requestId: string): EarlierCall | undefined =>
  store.db.select().from(calls).where(eq(calls.requestId, requestId)).get();
