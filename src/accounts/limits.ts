// Limits of callers: rate limits as token buckets, and the policies that answers report (RateLimit header fields).
import type { PlanTerms } from './billing/terms.ts';
import type { QuotaUsage } from './model.ts';
import { getMonthStart } from './time.ts';

/** Rate limit as a token bucket that gains `perSecond` tokens a second and holds at most `burst`. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface TokenBucketState {
  /** Time at which the bucket is full again. It is the only number that is stored for a bucket. */
  fullAt: number;
  tokens: number;
  fullIn: number;
  /** Duration until the next whole token; 0 if the bucket has one. */
  nextIn: number;
}

/** Returns the rate limit that gives `count` tokens an hour, all of which may be taken at once. */
export const toHourlyRateLimit = (count: number): RateLimit => ({ perSecond: count / 3600, burst: count });

export function getRateLimit({ rate }: Pick<PlanTerms, 'rate'>): RateLimit | null {
  return rate && { perSecond: rate.calls / rate.seconds, burst: rate.burst };
}

/**
 * Takes one token from a bucket at `now`, if the bucket has one: the generic cell rate algorithm (ATM Forum, Traffic Management 4.0, 4.4.2)
 * in its virtual scheduling form. `fullAt` is the stored state, undefined for a new bucket. After the clock is set back, the bucket is
 * empty at worst.
 */
export function takeToken(
  fullAt: number | undefined,
  now: number,
  rate: RateLimit,
): TokenBucketState & { isTaken: boolean } {
  const before = readTokenBucket(fullAt, now, rate);
  const isTaken = before.tokens >= 1;
  return {
    ...(isTaken ? readTokenBucket(before.fullAt + 1000 / rate.perSecond, now, rate) : before),
    isTaken,
  };
}

/** Returns the state of a bucket at `now` without taking a token. `fullAt` is the stored state, undefined for a new bucket. */
export function readTokenBucket(
  fullAt: number | undefined,
  now: number,
  { perSecond, burst }: RateLimit,
): TokenBucketState {
  const every = 1000 / perSecond;
  const full = Math.min(Math.max(fullAt ?? now, now), now + burst * every);
  const fullIn = full - now;
  // A rounding error of floating-point numbers must not cost a token.
  const exact = burst - fullIn / every + ROUNDING;
  const tokens = Math.floor(exact);
  return { fullAt: full, tokens, fullIn, nextIn: tokens >= 1 ? 0 : (1 - exact) * every };
}

const ROUNDING = 1e-6;

/** Maximum number of calls in flight for one key, if the key's plan sets no limit. */
export const MAX_IN_FLIGHT_PER_KEY = 256;

/** Limit of a caller in the form of the RateLimit header fields. Times are milliseconds. */
export interface LimitPolicy {
  name: string;
  quota: number;
  /** Length of the window that the quota applies to. */
  window?: number;
  /** Unit of the quota, if not requests. */
  unit?: 'concurrent-requests';
  remaining: number;
  reset?: number;
}

export interface CallerLimitState {
  inFlight: number;
  maxInFlight: number;
  rate: RateLimit | null;
  /** State of the token bucket of the rate limit; null without a rate limit. */
  bucket: TokenBucketState | null;
  quotaUsage: QuotaUsage | null;
  now: number;
}

/** Returns the policies of a caller: first the rate limit, or the in-flight limit if the caller has no rate limit; then the quota. */
export function toLimitPolicies({
  inFlight,
  maxInFlight,
  rate,
  bucket,
  quotaUsage,
  now,
}: CallerLimitState): LimitPolicy[] {
  const inFlightPolicy = toInFlightPolicy(inFlight, maxInFlight);
  const quota = quotaUsage ? [toQuotaPolicy(quotaUsage, now)] : [];
  return rate && bucket ? [toRatePolicy(rate, bucket), ...quota, inFlightPolicy] : [inFlightPolicy, ...quota];
}

/** Returns the policy that reports `inFlight` of at most `max` concurrent calls. */
export const toInFlightPolicy = (inFlight: number, max: number): LimitPolicy => ({
  name: 'in-flight',
  quota: max,
  unit: 'concurrent-requests',
  remaining: max - inFlight,
});

/** Returns the policy of a token bucket; its window is the time that an empty bucket takes to fill. */
const toRatePolicy = (
  { perSecond, burst }: RateLimit,
  { tokens, fullIn, nextIn }: TokenBucketState,
): LimitPolicy => ({
  name: 'rate',
  quota: burst,
  window: (burst / perSecond) * 1000,
  remaining: tokens,
  // Without a token, the caller must wait for the next one, as in Retry-After.
  reset: tokens > 0 ? fullIn : nextIn,
});

const toQuotaPolicy = ({ month, included, used, resetsAt }: QuotaUsage, now: number): LimitPolicy => ({
  name: 'quota',
  quota: included,
  window: resetsAt - getMonthStart(month),
  remaining: included - used,
  reset: resetsAt - now,
});

/** Returns `policies` with the quota policy replaced by the usage after a call. `now` is milliseconds since 1970. */
export const withQuotaUsage = (
  policies: readonly LimitPolicy[],
  usage: QuotaUsage,
  now: number,
): LimitPolicy[] => policies.map((policy) => (policy.name === 'quota' ? toQuotaPolicy(usage, now) : policy));

/** Returns the header fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10), each with every policy. */
export function formatRateLimitHeaders(policies: readonly LimitPolicy[]): { policy: string; limit: string } {
  return { policy: policies.map(formatPolicy).join(', '), limit: policies.map(formatRemaining).join(', ') };
}

function formatPolicy({ name, quota, window, unit }: LimitPolicy): string {
  const length = window === undefined ? '' : `;w=${toSeconds(window)}`;
  return `"${name}";q=${quota}${length}${unit ? `;qu="${unit}"` : ''}`;
}

function formatRemaining({ name, remaining, reset }: LimitPolicy): string {
  return `"${name}";r=${Math.max(0, remaining)}${reset === undefined ? '' : `;t=${toSeconds(reset)}`}`;
}

/** Returns whole seconds, rounded up, so that a caller that waits for this time does not retry too early. */
const toSeconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));
