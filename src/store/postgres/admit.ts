// Key look-ups and starts of calls, by the function `admit_2` in src/store/postgres/migrations.
import { hashApiKeyToBytes, isApiKeyText } from '../../accounts/key-text.ts';
import { toQuotaUsage } from '../../accounts/billing/quota.ts';
import type { Caller, CurrentPlan, QuotaUsage } from '../../accounts/model.ts';
import { toCaller, type CallerRow } from '../keys.ts';
import { createPlanRowParser, pickUsageOfBilledMonth, type MonthUsageRow } from '../serving/current-plan.ts';
import type { StoredCallLimitState } from '../serving/limiter.ts';
import { endOfTurn } from '../../platform/turn.ts';
import type { PostgresHeartbeat } from './client.ts';

/** Limits of a caller, which were read together with its API key. */
export interface CallerLimitsReply {
  /** Quota usage of the caller's account; null for test keys. */
  quotaUsage: QuotaUsage | null;
  reply: StoredCallLimitState;
  /** True if the query also took a token of the rate limit and counted the call as in progress; false if it only read the limits. */
  isTaken: boolean;
}

/** Result of the SQL function `admit_2` for one API key. */
interface KeyLookupReply extends CallerRow {
  plan?: string;
  version?: number;
  terms?: string;
  months?: MonthUsageRow[] | null;
  taken?: boolean;
  /** Limits of the API key for each call that was counted, in order. If no call was counted, one element with the present limits. */
  entered?: StoredCallLimitState[];
}

/** API key to look up, for all of its calls in one turn of the event loop. */
interface KeyLookup {
  /** Index of the look-up in its query. */
  index: number;
  hash: string | null;
  id: string | null;
  /** Time of the latest of the calls (ms since 1970). */
  now: number;
  isTaking: boolean;
  calls: number;
}

interface LookupBatch {
  lookups: Map<string, KeyLookup>;
  /** Name of this server under which the calls are counted, and the reply for each look-up. */
  replies: Promise<{ server: string; list: (KeyLookupReply | null)[] }>;
}

export interface CallerAndLimitsLookupOptions extends Pick<PostgresHeartbeat, 'ask' | 'server'> {
  clock(): number | null;
}

/**
 * Creates functions that find callers by API key or key id, and read their limits. All look-ups of one turn of the event loop are one round trip
 * to PostgreSQL.
 */
export function createCallerAndLimitsLookup({ ask, server, clock }: CallerAndLimitsLookupOptions) {
  const admitted = new WeakMap<Caller, CallerLimitsReply>();
  const toPlan = createPlanRowParser();
  let batch: LookupBatch | null = null;

  const sendAtEndOfTurn = async (lookups: LookupBatch['lookups']) => {
    await endOfTurn();
    batch = null;
    const name = server();
    const all = [...lookups.values()];
    const rows = all.map(({ hash, id, now, isTaking, calls }) => [hash, id, now, isTaking ? calls : 0]);
    const values = [{ lookups: rows }, name, clock()];
    const countedAs = all.some(({ isTaking }) => isTaking) ? name : null;
    const list = await ask<(KeyLookupReply | null)[]>('admit_2($1, $2, $3)', values, countedAs);
    return { server: name, list: list ?? [] };
  };

  const lookUp = async (by: { hash?: string; id?: string }, now: number, isTaking: boolean) => {
    if (!batch) {
      const lookups: LookupBatch['lookups'] = new Map();
      batch = { lookups, replies: sendAtEndOfTurn(lookups) };
    }
    const { lookups, replies } = batch;
    const { hash = null, id = null } = by;
    const groupKey = `${hash} ${id} ${isTaking}`;
    const lookup = lookups.get(groupKey) ?? { index: lookups.size, hash, id, now, isTaking, calls: 0 };
    lookups.set(groupKey, lookup);
    lookup.now = Math.max(lookup.now, now);
    const call = lookup.calls++;
    const { server: name, list } = await replies;
    const reply = list[lookup.index];
    if (!reply) return null;
    const { plan = null, version = null, terms = null, entered = [], months, taken = false } = reply;
    const caller = toCaller(reply, toPlan(plan, version, terms));
    const limits = entered[taken ? call : 0];
    if (caller.plan && limits) {
      const quotaUsage = caller.test ? null : readQuotaUsage(caller.plan, months ?? [], now);
      admitted.set(caller, { quotaUsage, reply: { ...limits, server: name }, isTaken: taken });
    }
    return caller;
  };
  return {
    findKey: (text: string, now: number, isTaking = false): Promise<Caller | null> | null =>
      isApiKeyText(text) ? lookUp({ hash: hashApiKeyToBytes(text).toString('hex') }, now, isTaking) : null,
    findCaller: (id: string, now: number) => lookUp({ id }, now, false),
    admitted: (caller: Caller) => admitted.get(caller),
  };
}

const readQuotaUsage = (plan: CurrentPlan, months: readonly MonthUsageRow[], now: number): QuotaUsage =>
  toQuotaUsage(plan, pickUsageOfBilledMonth(months, now));
