// Key look-up and start of the call in one round trip, by the function `admit_1` in
// src/store/postgres/migrations.
import { hashApiKeyToBytes, isApiKeyText } from '../../accounts/key-text.ts';
import { toQuotaUsage } from '../../accounts/billing/quota.ts';
import type { Caller, CurrentPlan, QuotaUsage } from '../../accounts/model.ts';
import { toCaller, type CallerRow } from '../keys.ts';
import { createPlanRowParser, pickUsageOfBilledMonth, type MonthUsageRow } from '../serving/current-plan.ts';
import type { CallLimitReply } from '../serving/limiter.ts';
import type { CallSqlFunction } from './client.ts';

/** Limits of a caller, read together with its API key. */
export interface CallerLimitsReply {
  /** Quota usage of the caller's account; null for test keys. */
  quotaUsage: QuotaUsage | null;
  reply: CallLimitReply;
  /** True if the query took a token of the rate limit and counted the call as in progress; false if it only read the limits. */
  isTaken: boolean;
}

/** Result of the SQL function `admit_1`. */
interface AdmitReply extends CallerRow {
  plan?: string;
  version?: number;
  terms?: string;
  months?: MonthUsageRow[] | null;
  taken?: boolean;
  entered?: CallLimitReply;
}

export interface CallerAndLimitsLookupOptions {
  ask: CallSqlFunction;
  /** Returns the name under which the calls in progress of this server are counted. */
  server(): string;
  clock(): number | null;
}

/** Creates functions that find callers by API key or key id, and read their limits in the same round trip to PostgreSQL. */
export function createCallerAndLimitsLookup({ ask, server, clock }: CallerAndLimitsLookupOptions) {
  const admitted = new WeakMap<Caller, CallerLimitsReply>();
  const toPlan = createPlanRowParser();
  const lookUp = async (by: { hash?: Buffer; id?: string }, now: number, isTaking: boolean) => {
    const name = server();
    const values = [by.hash ?? null, by.id ?? null, now, name, isTaking, clock()];
    const reply = await ask<AdmitReply>('admit_1($1, $2, $3, $4, $5, $6)', values);
    if (!reply) return null;
    const { plan = null, version = null, terms = null, entered, months, taken = false } = reply;
    const caller = toCaller(reply, toPlan(plan, version, terms));
    if (caller.plan && entered) {
      const quotaUsage = caller.test ? null : readQuotaUsage(caller.plan, months ?? [], now);
      admitted.set(caller, { quotaUsage, reply: { ...entered, server: name }, isTaken: taken });
    }
    return caller;
  };
  return {
    findKey: (text: string, now: number, isTaking = false): Promise<Caller | null> | null =>
      isApiKeyText(text) ? lookUp({ hash: hashApiKeyToBytes(text) }, now, isTaking) : null,
    findCaller: (id: string, now: number) => lookUp({ id }, now, false),
    admitted: (caller: Caller) => admitted.get(caller),
  };
}

const readQuotaUsage = (plan: CurrentPlan, months: readonly MonthUsageRow[], now: number): QuotaUsage =>
  toQuotaUsage(plan, pickUsageOfBilledMonth(months, now));
