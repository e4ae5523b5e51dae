import type { PlanTerms, QuotaUsage } from './model.ts';
// Token buckets, kept as one number each: the generic cell rate algorithm (ATM Forum, Traffic Management 4.0, 4.4.2), in its
// virtual scheduling form.

/** A bucket that fills at `perSecond` tokens a second and holds `burst` at most. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** What became of asking for one token. Times are milliseconds. */
export interface BucketState {
  allowed: boolean;
  /** When the bucket will be full again: all that has to be kept of it. */
  fullAt: number;
  /** Whole tokens that are left. */
  left: number;
  /** Until the bucket is full again. */
  fullIn: number;
  /** Until the next token is there; 0 where one is. */
  nextIn: number;
}

/** `count` an hour, a whole hour's worth at once. */
export const hourlyRate = (count: number): RateLimit => ({ perSecond: count / 3600, burst: count });

/**
 * Takes one token at `now`, where one is there. `fullAt` is what the last taking answered, undefined for a bucket that nobody took from. A
 * clock that steps back finds the bucket empty at worst, never emptier.
 */
export function takeToken(fullAt: number | undefined, now: number, rate: RateLimit): BucketState {
  const before = readBucket(fullAt, now, rate);
  const allowed = before.left >= 1;
  return { ...(allowed ? readBucket(before.fullAt + 1000 / rate.perSecond, now, rate) : before), allowed };
}

/** How full a bucket is, without taking from it. */
export function readBucket(
  fullAt: number | undefined,
  now: number,
  { perSecond, burst }: RateLimit,
): BucketState {
  const every = 1000 / perSecond;
  const full = Math.min(Math.max(fullAt ?? now, now), now + burst * every);
  const fullIn = full - now;
  // A rounding error of a float must not cost a token.
  const tokens = burst - fullIn / every + ROUNDING;
  const left = Math.floor(tokens);
  return { allowed: true, fullAt: full, left, fullIn, nextIn: left >= 1 ? 0 : (1 - tokens) * every };
}

const ROUNDING = 1e-6;

// What an answer tells of limits, in the form of draft-ietf-httpapi-ratelimit-headers-10: two structured fields (RFC 9651).

/** One policy as callers see it. Times are milliseconds. */
export interface LimitPolicy {
  /** `in-flight`, `rate`, `quota`, `probes`. */
  name: string;
  quota: number;
  /** The length of its window. */
  window?: number;
  /** What is counted, where that is not requests. */
  unit?: 'concurrent-requests';
  remaining: number;
  /** Until the quota is whole again. */
  reset?: number;
}

/** The values of `RateLimit-Policy` and `RateLimit`, every policy in each. */
export function formatLimitFields(policies: readonly LimitPolicy[]): { policy: string; limit: string } {
  return { policy: policies.map(policyItem).join(', '), limit: policies.map(limitItem).join(', ') };
}

function policyItem({ name, quota, window, unit }: LimitPolicy): string {
  const length = window === undefined ? '' : `;w=${toSeconds(window)}`;
  return `"${name}";q=${quota}${length}${unit ? `;qu="${unit}"` : ''}`;
}

function limitItem({ name, remaining, reset }: LimitPolicy): string {
  return `"${name}";r=${Math.max(0, remaining)}${reset === undefined ? '' : `;t=${toSeconds(reset)}`}`;
}

/** Whole seconds, rounded up: who waits as long as it says is not early. */
const toSeconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));

// What a caller is told of its limits: the bounds of its plan, or of a key that stands alone.
/** Calls of a key that are worked on at a time, where no plan says otherwise. */
export const MAX_IN_FLIGHT_PER_KEY = 256;

/** The bucket of a plan's rate; null where it has none. */
export function getRateLimit({ rate }: Pick<PlanTerms, 'rate'>): RateLimit | null {
  return rate && { perSecond: rate.calls / rate.seconds, burst: rate.burst };
}

/** How a caller stands now: calls in flight, and the bucket of its rate. */
export interface LimitState {
  flights: number;
  most: number;
  rate: (RateLimit & { taken: BucketState }) | null;
  quotaUsage: QuotaUsage | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** The policies of a caller, the one that is met first before the others; the quota is the second. */
export function toLimitPolicies({ flights, most, rate, quotaUsage, now }: LimitState): LimitPolicy[] {
  const inFlight = toInFlightPolicy(flights, most);
  const quota = quotaUsage ? [quotaPolicy(quotaUsage, now)] : [];
  return rate ? [ratePolicy(rate), ...quota, inFlight] : [inFlight, ...quota];
}

export const toInFlightPolicy = (flights: number, most: number): LimitPolicy => ({
  name: 'in-flight',
  quota: most,
  unit: 'concurrent-requests',
  remaining: most - flights,
});

/** A bucket as a quota: what it holds, and how long it takes to fill. */
const ratePolicy = ({ perSecond, burst, taken }: NonNullable<LimitState['rate']>): LimitPolicy => ({
  name: 'rate',
  quota: burst,
  window: (burst / perSecond) * 1000,
  remaining: taken.left,
  // Who has none left waits for the next one, as Retry-After says.
  reset: taken.left > 0 ? taken.fullIn : taken.nextIn,
});

const quotaPolicy = ({ month, included, used, resetsAt: resets }: QuotaUsage, now: number): LimitPolicy => ({
  name: 'quota',
  quota: included,
  window: resets - Date.parse(`${month}-01T00:00:00Z`),
  remaining: included - used,
  reset: resets - now,
});

/** Policies with the quota as it stands after a call; `now` is milliseconds. */
export const updateQuotaPolicy = (
  policies: readonly LimitPolicy[],
  quotaUsage: QuotaUsage,
  now: number,
): LimitPolicy[] =>
  policies.map((policy) => (policy.name === 'quota' ? quotaPolicy(quotaUsage, now) : policy));
