// Limits of callers: rate limits as token buckets, and the policies that answers report (RateLimit header fields).
import type { PlanTerms } from './billing/terms.ts';
import type { QuotaUsage } from './model.ts';
import { getMonthStart } from './time.ts';

/** Rate limit as a token bucket: it gains `perSecond` tokens a second and holds at most `burst`. Each call takes one. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface TokenBucketState {
  /** Time at which the bucket is full again, in milliseconds since 1970. Nothing else is stored for a bucket. */
  fullAt: number;
  tokens: number;
  fullIn: number;
  /** Milliseconds until the bucket has a whole token; 0 if it has one. */
  nextIn: number;
}

/** Returns a rate limit of `count` tokens an hour, all of which may be used at once. */
export const toHourlyRateLimit = (count: number): RateLimit => ({ perSecond: count / 3600, burst: count });

export function getRateLimitOfPlan({ rate }: Pick<PlanTerms, 'rate'>): RateLimit | null {
  return rate && { perSecond: rate.calls / rate.seconds, burst: rate.burst };
}

/**
 * Takes one token from a bucket, if it has one (generic cell rate algorithm). `fullAt` is the stored time at which the bucket is full; undefined for
 * a new bucket. Times are milliseconds since 1970.
 */
export function takeToken(
  fullAt: number | undefined,
  now: number,
  rate: RateLimit,
): TokenBucketState & { isTaken: boolean } {
  const before = computeTokenBucketStateAtTime(fullAt, now, rate);
  const isTaken = before.tokens >= 1;
  return {
    ...(isTaken ? computeTokenBucketStateAtTime(before.fullAt + 1000 / rate.perSecond, now, rate) : before),
    isTaken,
  };
}

/**
 * Returns the state of a bucket at a time, without taking a token. `fullAt` is the stored time at which the bucket is full; undefined for a new
 * bucket. Times are milliseconds since 1970.
 */
export function computeTokenBucketStateAtTime(
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

/** Maximum number of simultaneous calls of one API key, if its plan sets no limit. */
export const DEFAULT_IN_FLIGHT_LIMIT_PER_KEY = 256;

/** Limit of a caller, as one entry of the RateLimit headers. Times are milliseconds. */
export interface LimitPolicy {
  name: string;
  quota: number;
  /** Length of the time window of the limit, in milliseconds. */
  window?: number;
  /** Unit that the limit counts; absent for requests. */
  unit?: 'concurrent-requests';
  remaining: number;
  reset?: number;
}

export interface CallerLimitState {
  inFlight: number;
  maxInFlight: number;
  rate: RateLimit | null;
  /** State of the caller's token bucket; null without a rate limit. */
  bucket: TokenBucketState | null;
  quotaUsage: QuotaUsage | null;
  now: number;
}

/** Returns the limits of a caller for the RateLimit headers. The first one is the rate limit, or else the limit of simultaneous calls. */
export function toLimitPolicies({
  inFlight,
  maxInFlight,
  rate,
  bucket,
  quotaUsage,
  now,
}: CallerLimitState): LimitPolicy[] {
  const inFlightPolicy = toInFlightLimitPolicy(inFlight, maxInFlight);
  const quota = quotaUsage ? [toQuotaPolicy(quotaUsage, now)] : [];
  return rate && bucket ? [toRatePolicy(rate, bucket), ...quota, inFlightPolicy] : [inFlightPolicy, ...quota];
}

/** Returns the limit of simultaneous calls for the RateLimit headers. `inFlight` calls of at most `max` are being answered. */
export const toInFlightLimitPolicy = (inFlight: number, max: number): LimitPolicy => ({
  name: 'in-flight',
  quota: max,
  unit: 'concurrent-requests',
  remaining: max - inFlight,
});

/** Returns a rate limit for the RateLimit headers. Its window is the time in which an empty bucket becomes full. */
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

/** Returns a copy of `policies` in which the quota shows the usage after a call. `now` is milliseconds since 1970. */
export const replaceQuotaLimitPolicy = (
  policies: readonly LimitPolicy[],
  usage: QuotaUsage,
  now: number,
): LimitPolicy[] => policies.map((policy) => (policy.name === 'quota' ? toQuotaPolicy(usage, now) : policy));

/** Returns the header fields `RateLimit-Policy` and `RateLimit` for all limits (draft-ietf-httpapi-ratelimit-headers-10). */
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

/** Converts milliseconds to whole seconds, rounded up so that a caller does not retry too early. */
const toSeconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));
