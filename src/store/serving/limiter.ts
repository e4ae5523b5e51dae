// Call limits that all processes and servers of one store share: rate, calls in flight and probes of a plan.
import { isHarvestProbe, formatProbeLimitMessage } from '../../accounts/harvesting.ts';
import { tooManyCallsOfApiKeyError, type InFlightLimit } from '../../accounts/in-flight.ts';
import {
  getRateLimit,
  toHourlyRateLimit,
  MAX_IN_FLIGHT_PER_KEY,
  readTokenBucket,
  takeToken,
  toInFlightPolicy,
  toLimitPolicies,
} from '../../accounts/limits.ts';
import type { LimitPolicy, RateLimit } from '../../accounts/limits.ts';
import type { Caller, CurrentPlan, QuotaUsage } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable, Claim } from '../../model.ts';

export type CallerWithPlan = Caller & { plan: CurrentPlan };

/** State of a token bucket before an attempt to take a token, as an engine returns it. */
export interface TokenBucketReply {
  /** Time on the engine's clock, milliseconds since 1970. */
  at: number;
  /** Stored state of the bucket before the attempt; null or missing if the bucket is new. */
  was?: number | null;
  /** True if the bucket had a token; missing without a rate limit. */
  allowed?: boolean;
}

/** Rate and calls in flight of one key before a call, as an engine returns them. */
export interface CallLimitReply extends TokenBucketReply {
  /** Calls of the key in flight in all processes; missing if the plan does not limit them. */
  worked?: number | null;
  /** True if the plan allows no further call of the key in flight. */
  full?: boolean;
  /** True if this call was added to the calls in flight. */
  counts?: boolean;
  /** Name of the server under which the call was counted, if the engine names servers. */
  server?: string;
}

/** Call limits that all processes of a store share. Each function is one atomic step of the engine. Errors: store_unavailable. */
export interface SharedCallLimits {
  /**
   * Returns the state of a key's plan limits before a call. With `isTaking`, also takes a token and counts the call, if both limits allow it.
   */
  checkPlan(caller: CallerWithPlan, now: number, isTaking: boolean): Awaitable<CallLimitReply>;
  /** Removes one call of `keyId` from the calls in flight. `reply` is the result of the check that counted the call. */
  removeCall(keyId: string, reply: CallLimitReply): Awaitable<void>;
  /** Called when a call is refused before its plan limits are checked. */
  onRefused?(caller: Caller): void;
  /** Takes one token from a bucket, if the bucket has one. */
  takeToken(bucket: string, rate: RateLimit, now: number): Awaitable<TokenBucketReply>;
  /** Returns the quota usage of a caller's account; null if it is not known. */
  getQuotaUsage(caller: CallerWithPlan, now: number): QuotaUsage | null;
}

/** Decision about a call: admitted or refused, with the caller's limits. */
export interface AdmissionDecision {
  policies: LimitPolicy[];
  /** Error for the answer; null if the call was admitted. */
  refused: BonafideError | null;
  /** Quota usage of the caller's account; null without a plan, and for test keys. */
  quotaUsage: QuotaUsage | null;
  /** Ends the call, so that it no longer counts as in flight. */
  leave(): Awaitable<void>;
}

/** Limits calls by key. Errors of both functions, for callers with a plan: store_unavailable. */
export interface CallLimiter {
  /** Decides if a call may start, and counts it as in flight. `now` is milliseconds since 1970. */
  enter(caller: Caller, now: number): Awaitable<AdmissionDecision>;
  /** Returns the limits of a caller without changing them. */
  getPolicies(caller: Caller, now: number): Awaitable<LimitPolicy[]>;
  count(): number;
}

/** Opens the limiter of one process. `inFlight` limits the calls of this process; `shared` enforces plan limits across all processes. */
export function openCallLimiter(inFlight: InFlightLimit, shared: SharedCallLimits): CallLimiter {
  const evaluate = (caller: CallerWithPlan, reply: CallLimitReply, now: number, isTaking: boolean) => {
    const { terms } = caller.plan;
    const { at, was, allowed = true, worked = null, full = false, counts = false } = reply;
    const maxInFlight = terms.concurrency ?? MAX_IN_FLIGHT_PER_KEY;
    const rate = getRateLimit(terms);
    const bucket =
      rate && (isTaking && allowed && !full ? takeToken : readTokenBucket)(was ?? undefined, at, rate);
    const quotaUsage = caller.test ? null : shared.getQuotaUsage(caller, now);
    const policies = toLimitPolicies({
      inFlight: worked === null ? inFlight.of(caller.keyId) : worked + (counts ? 1 : 0),
      maxInFlight,
      rate,
      bucket,
      quotaUsage,
      now,
    });
    const tooSoon = bucket && !allowed ? rateLimitError(bucket.nextIn) : null;
    return { policies, quotaUsage, refused: full ? tooManyCallsOfApiKeyError(maxInFlight) : tooSoon };
  };
  const enterPlanned = async (caller: CallerWithPlan, now: number): Promise<AdmissionDecision> => {
    const { keyId } = caller;
    let reply: CallLimitReply | null = null;
    const leave = () => {
      inFlight.leave(keyId);
      return reply?.counts ? shared.removeCall(keyId, reply) : undefined;
    };
    try {
      reply = await shared.checkPlan(caller, now, true);
      return { ...evaluate(caller, reply, now, true), leave };
    } catch (error) {
      void leave();
      throw error;
    }
  };
  const getProcessPolicies = (keyId: string) => [toInFlightPolicy(inFlight.of(keyId), MAX_IN_FLIGHT_PER_KEY)];
  return {
    enter(caller, now) {
      const { keyId } = caller;
      const refused = catchRefusal(() => inFlight.enter(keyId));
      if (refused) shared.onRefused?.(caller);
      else if (hasPlan(caller)) return enterPlanned(caller, now);
      const leave = () => (refused ? undefined : inFlight.leave(keyId));
      return { policies: getProcessPolicies(keyId), refused, quotaUsage: null, leave };
    },
    async getPolicies(caller, now) {
      if (!hasPlan(caller)) return getProcessPolicies(caller.keyId);
      return evaluate(caller, await shared.checkPlan(caller, now, false), now, false).policies;
    },
    count: inFlight.count,
  };
}

const hasPlan = (caller: Caller): caller is CallerWithPlan => caller.plan !== null;

const rateLimitError = (retryAfterMs: number) =>
  new BonafideError(
    'rate_limited',
    'The rate limit of this key’s plan is exceeded. Try again after the time in Retry-After.',
    { retryAfterMs, rule: 'rate limit' },
  );

/** Returns the error that `enter` throws; null if it does not throw. */
function catchRefusal(enter: () => void): BonafideError | null {
  try {
    enter();
    return null;
  } catch (error) {
    if (error instanceof BonafideError) return error;
    throw error;
  }
}

/** Check that may count as a probe, with its caller. */
export interface ProbeRequest {
  caller: Caller;
  claim: Claim;
}

const HOUR_MS = 3_600_000;

/**
 * Takes one of the hourly probes of a caller's plan, if the check is a probe.
 *
 * Errors: rate_limited if the plan has no probe left; store_unavailable.
 */
export async function takeHourlyProbe(
  shared: Pick<SharedCallLimits, 'takeToken'>,
  { caller: { keyId, plan }, claim }: ProbeRequest,
  now: number,
): Promise<void> {
  const most = plan?.terms.probes ?? null;
  if (most === null || !isHarvestProbe(claim)) return;
  if (most === 0) throw noProbeLeftError(0, HOUR_MS);
  const rate = toHourlyRateLimit(most);
  const { at, was, allowed } = await shared.takeToken(`probes ${keyId}`, rate, now);
  if (!allowed) throw noProbeLeftError(most, readTokenBucket(was ?? undefined, at, rate).nextIn);
}

const noProbeLeftError = (most: number, retryAfterMs: number) =>
  new BonafideError('rate_limited', formatProbeLimitMessage(most), {
    retryAfterMs,
    rule: 'probes per hour',
  });
