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

/** State of a token bucket (rate limit) before a token was taken, as the store engine returns it. */
export interface TokenBucketReply {
  /** Time on the engine's clock, in milliseconds since 1970. */
  at: number;
  /** Stored time at which the bucket would have been full; null or undefined for a new bucket. */
  was?: number | null;
  /** True if the bucket had a token; undefined if the plan has no rate limit. */
  allowed?: boolean;
}

/** State of an API key's rate limit and of its calls in progress, before a call is counted, as the store engine returns it. */
export interface StoredCallLimitState extends TokenBucketReply {
  /** Number of calls in progress of the API key in all processes; undefined if the plan does not limit them. */
  worked?: number | null;
  /** True if the API key has as many calls in progress as its plan allows. */
  full?: boolean;
  /** True if this call was counted as in progress. */
  counts?: boolean;
  /** Name of the server under which the call was counted; undefined in an engine without server names. */
  server?: string;
}

/** Limits of plans, which all processes of a store share. Each function is one atomic step in the engine. Errors: store_unavailable. */
export interface SharedCallLimits {
  /**
   * Returns the state of the API key's rate limit and calls in progress. With `isTaking`, also takes a token and counts a call as in progress, if
   * neither limit is reached; the returned state is that before.
   */
  checkPlan(caller: CallerWithPlan, now: number, isTaking: boolean): Awaitable<StoredCallLimitState>;
  /** Ends a call of the API key `keyId`: it is no longer in progress. `reply` is what `checkPlan` returned for it. */
  removeCall(keyId: string, reply: StoredCallLimitState): Awaitable<void>;
  /** Called for a call that is refused before `checkPlan`. The engine may have counted it when it looked up the API key, and must remove it. */
  onRefused?(caller: Caller): void;
  /** Takes one token from the named bucket, if it has one. */
  takeToken(bucket: string, rate: RateLimit, now: number): Awaitable<TokenBucketReply>;
  /** Returns the quota usage of a caller's account; null if it is not known. */
  getQuotaUsage(caller: CallerWithPlan, now: number): QuotaUsage | null;
}

/** Decision whether a call may start, with the limits of its caller. */
interface CallAdmissionDecision {
  policies: LimitPolicy[];
  /** Error to answer with; null if the call may start. */
  refused: BonafideError | null;
  /** Quota usage of the caller's account; null for an account without a plan and for test keys. */
  quotaUsage: QuotaUsage | null;
  /** Ends the call, so that it no longer counts as in progress. */
  leave(): Awaitable<void>;
}

/** Limits the calls of each API key. Errors of `enter` and `getPolicies`, for callers with a plan: store_unavailable. */
export interface CallLimiter {
  /** Decides whether a call may start, and counts it as in progress. `leave` of the result must follow. `now` is milliseconds since 1970. */
  enter(caller: Caller, now: number): Awaitable<CallAdmissionDecision>;
  /** Ends a call that is refused after its API key was looked up, so that `enter` is not called for it. */
  abandon(caller: Caller): void;
  /** Returns the present limits of a caller, without counting a call. */
  getPolicies(caller: Caller, now: number): Awaitable<LimitPolicy[]>;
  count(): number;
}

/**
 * Creates the limiter of one process. `inFlight` limits the simultaneous calls of this process; `shared` are the limits of plans, which apply to all
 * processes together.
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

/** Returns the error that `enter` throws; null if it throws none. */
function catchRefusal(enter: () => void): BonafideError | null {
  try {
    enter();
    return null;
  } catch (error) {
    if (error instanceof BonafideError) return error;
    throw error;
  }
}

/** Caller of a check call, and the claim (name and contacts) that it submitted. */
export interface CallerWithClaim {
  caller: Caller;
  claim: Claim;
}

const HOUR_MS = 3_600_000;

/**
 * Counts a check call with at most one contact against the hourly limit of the caller's plan. Does nothing for other check calls. Errors:
 * rate_limited if the limit is reached; store_unavailable.
 */
export async function enforceHourlySingleContactLimit(
  shared: Pick<SharedCallLimits, 'takeToken'>,
  { caller: { keyId, plan }, claim }: CallerWithClaim,
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
