// Call limits that all processes and servers of one store share: rate, calls in flight and probes of a plan.
import { hasAtMostOneContact, formatLimitMessageForChecksWithOneContact } from '../../accounts/harvesting.ts';
import { tooManyCallsOfApiKeyError, type InFlightLimiter } from '../../accounts/in-flight.ts';
import {
  getRateLimitOfPlan,
  toHourlyRateLimit,
  DEFAULT_IN_FLIGHT_LIMIT_PER_KEY,
  computeTokenBucketStateAtTime,
  takeToken,
  toInFlightLimitPolicy,
  toLimitPolicies,
} from '../../accounts/limits.ts';
import type { LimitPolicy, RateLimit } from '../../accounts/limits.ts';
import type { Caller, CurrentPlan, QuotaUsage } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable, Claim } from '../../model.ts';

export type CallerWithPlan = Caller & { plan: CurrentPlan };

/** State of a token bucket before a token was taken, as the store engine returns it. */
export interface TokenBucketReply {
  /** Time on the engine's clock, in milliseconds since 1970. */
  at: number;
  /** Stored time at which the bucket is full, before the attempt; null or undefined for a new bucket. */
  was?: number | null;
  /** True if the bucket had a token; undefined without a rate limit. */
  allowed?: boolean;
}

/** State of an API key's rate limit and simultaneous calls before a call is counted, as the store engine returns it. */
export interface StoredCallLimitState extends TokenBucketReply {
  /** Number of calls of the API key in progress in all processes; undefined if the plan does not limit them. */
  worked?: number | null;
  /** True if the plan allows no further simultaneous call of the API key. */
  full?: boolean;
  /** True if this call was counted as in progress. */
  counts?: boolean;
  /** Name of the server under which the call was counted; undefined if the engine has no server names. */
  server?: string;
}

/** Limits of plans, counted across all processes of a store. Each function is one atomic step of the engine. Errors: store_unavailable. */
export interface SharedCallLimits {
  /**
   * Returns the state of the two limits of a plan, rate limit and simultaneous calls, before a call is counted. With `isTaking`, also takes a token
   * and counts the call as in progress, if neither limit is reached.
   */
  checkPlan(caller: CallerWithPlan, now: number, isTaking: boolean): Awaitable<StoredCallLimitState>;
  /** Removes a call of the API key `keyId` from the calls in progress. `reply` is the result of `checkPlan` for this call. */
  removeCall(keyId: string, reply: StoredCallLimitState): Awaitable<void>;
  /** Called when a call ends before `checkPlan` was called for it. The engine may have counted it when it looked up the API key. */
  onRefused?(caller: Caller): void;
  /** Takes one token from a bucket if it has one. */
  takeToken(bucket: string, rate: RateLimit, now: number): Awaitable<TokenBucketReply>;
  /** Returns the quota usage of a caller's account; null if it is not known. */
  getQuotaUsage(caller: CallerWithPlan, now: number): QuotaUsage | null;
}

/** Decision about a call: admitted or refused, with the limits of the caller. */
interface CallAdmissionDecision {
  policies: LimitPolicy[];
  /** Error to answer with; null if the call was admitted. */
  refused: BonafideError | null;
  /** Quota usage of the caller's account; null without a plan, and for test keys. */
  quotaUsage: QuotaUsage | null;
  /** Ends the call, so that it no longer counts as in progress. */
  leave(): Awaitable<void>;
}

/** Limits the calls of each API key. Errors of `enter` and `getPolicies`, for callers with a plan: store_unavailable. */
export interface CallLimiter {
  /** Decides whether a call may start, and counts it as in progress. `now` is milliseconds since 1970. */
  enter(caller: Caller, now: number): Awaitable<CallAdmissionDecision>;
  /** Ends a call whose API key was looked up for `enter`, and that is refused before it. */
  abandon(caller: Caller): void;
  /** Returns the limits of a caller without counting a call. */
  getPolicies(caller: Caller, now: number): Awaitable<LimitPolicy[]>;
  count(): number;
}

/**
 * Creates the call limiter of one process. `inFlight` limits the simultaneous calls of this process; `shared` has the limits of plans, which apply to
 * all processes together.
 */
export function openCallLimiter(inFlight: InFlightLimiter, shared: SharedCallLimits): CallLimiter {
  const evaluate = (caller: CallerWithPlan, reply: StoredCallLimitState, now: number, isTaking: boolean) => {
    const { terms } = caller.plan;
    const { at, was, allowed = true, worked = null, full = false, counts = false } = reply;
    const maxInFlight = terms.concurrency ?? DEFAULT_IN_FLIGHT_LIMIT_PER_KEY;
    const rate = getRateLimitOfPlan(terms);
    const bucket =
      rate &&
      (isTaking && allowed && !full ? takeToken : computeTokenBucketStateAtTime)(was ?? undefined, at, rate);
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
  const enterPlanned = async (caller: CallerWithPlan, now: number): Promise<CallAdmissionDecision> => {
    const { keyId } = caller;
    let reply: StoredCallLimitState | null = null;
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
  const getProcessPolicies = (keyId: string) => [
    toInFlightLimitPolicy(inFlight.of(keyId), DEFAULT_IN_FLIGHT_LIMIT_PER_KEY),
  ];
  return {
    enter(caller, now) {
      const { keyId } = caller;
      const refused = catchRefusal(() => inFlight.enter(keyId));
      if (refused) shared.onRefused?.(caller);
      else if (hasPlan(caller)) return enterPlanned(caller, now);
      const leave = () => (refused ? undefined : inFlight.leave(keyId));
      return { policies: getProcessPolicies(keyId), refused, quotaUsage: null, leave };
    },
    abandon: (caller) => shared.onRefused?.(caller),
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

/** Check call with its caller. It counts against the plan's hourly limit if its claim has at most one contact. */
export interface CallerAndClaim {
  caller: Caller;
  claim: Claim;
}

const HOUR_MS = 3_600_000;

/**
 * Counts a check call with at most one contact against the plan's hourly limit; other check calls are not limited. Errors: rate_limited if the limit
 * is reached; store_unavailable.
 */
export async function enforceHourlySingleContactLimit(
  shared: Pick<SharedCallLimits, 'takeToken'>,
  { caller: { keyId, plan }, claim }: CallerAndClaim,
  now: number,
): Promise<void> {
  const most = plan?.terms.probes ?? null;
  if (most === null || !hasAtMostOneContact(claim)) return;
  if (most === 0) throw noProbeLeftError(0, HOUR_MS);
  const rate = toHourlyRateLimit(most);
  const { at, was, allowed } = await shared.takeToken(`probes ${keyId}`, rate, now);
  if (!allowed)
    throw noProbeLeftError(most, computeTokenBucketStateAtTime(was ?? undefined, at, rate).nextIn);
}

const noProbeLeftError = (most: number, retryAfterMs: number) =>
  new BonafideError('rate_limited', formatLimitMessageForChecksWithOneContact(most), {
    retryAfterMs,
    rule: 'probes per hour',
  });
