// Limits of refused requests: failed authentications of an address, and refusals of a key or an address. A caller over a limit is refused
// before the body of its request is read.
import { BonafideError } from '../errors.ts';
import { computeTokenBucketStateAtTime, takeToken, type RateLimit } from './limits.ts';

const MINUTE_MS = 60_000;
/** Maximum number of failed authentications per minute from one network address. */
const MAX_FAILURES = 100;
/** Maximum number of refused requests per minute of one API key or one network address. */
const MAX_REFUSALS = 600;
/** Maximum number of API keys or network addresses that are counted at the same time. Above it, counts are dropped to save memory. */
const MAX_COUNTED = 10_000;

/**
 * Limit that a request exceeded: failed authentications from its network address, refused requests of its API key, or refused requests from its
 * address.
 */
type SlowDownReason = 'failed_authentications' | 'key' | 'address';

/** Names of these limits, as the log of refused calls contains them. */
const RULES: Record<SlowDownReason, string> = {
  failed_authentications: 'failed authentications of an address',
  key: 'refusals of a key',
  address: 'refusals of an address',
};
const RULE_TEXTS: ReadonlySet<string> = new Set(Object.values(RULES));

/** HTTP statuses of refused requests that are counted. */
const COUNTED_STATUSES: ReadonlySet<number> = new Set([401, 403, 413, 422, 429]);

/** Refused request. `key` is null if the request had no API key, or one that may not be used from this address. */
interface RefusedRequest {
  status: number;
  rule: string | null;
  key: string | null;
  /** Number of refused requests that it counts as. Default: 1. */
  refusals?: number | undefined;
}

/** Slows down clients that fail to authenticate, or whose requests are often refused. */
export interface RefusedRequestLimiter {
  /** Counts one failed authentication from a network address. Errors: rate_limited from the 101st failure in a minute on. */
  count(address: string, now: number): void;
  /** Counts one refused request, unless this limiter refused it. */
  addRefusal(refused: RefusedRequest, address: string, now: number): void;
  /**
   * Throws if an API key or a network address had too many refused requests. Called before the body is read. Other keys at the same address do not
   * slow down a key without refusals. Errors: rate_limited.
   */
  requireFewRefusedRequests(key: string | null, getAddress: () => string, now: number): void;
  /** Returns the number of requests that each limit refused. */
  countSlowed(): Readonly<Record<SlowDownReason, number>>;
}

/** Creates a limiter for failed and refused requests. Each of several threads allows its share of the limits. */
export function createRefusedRequestLimiter({ threads = 1 } = {}): RefusedRequestLimiter {
  const maxFailures = Math.ceil(MAX_FAILURES / threads);
  const failures = new Map<string, { failures: number; until: number }>();
  const burst = Math.ceil(MAX_REFUSALS / threads);
  const rate: RateLimit = { perSecond: burst / (MINUTE_MS / 1000), burst };
  const buckets = { key: new Map<string, number>(), address: new Map<string, number>() };
  const slowed = { failed_authentications: 0, key: 0, address: 0 };

  const add = (
    counted: Map<string, number>,
    name: string,
    { now, count }: { now: number; count: number },
  ) => {
    if (counted.size >= MAX_COUNTED && !counted.has(name)) removeFullBuckets(counted, now);
    let fullAt = findFullAt(counted, name, now);
    for (let i = 0; i < Math.min(count, burst); i++) fullAt = takeToken(fullAt, now, rate).fullAt;
    if (fullAt !== undefined) counted.set(name, fullAt);
  };
  const refuse = (reason: SlowDownReason, retryAfterMs?: number) => {
    slowed[reason]++;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw new BonafideError('rate_limited', MESSAGES[reason], { rule: RULES[reason], ...wait });
  };
  const requireToken = (reason: 'key' | 'address', name: string, now: number) => {
    const { tokens, nextIn } = computeTokenBucketStateAtTime(
      findFullAt(buckets[reason], name, now),
      now,
      rate,
    );
    if (tokens < 1) refuse(reason, nextIn);
  };

  return {
    count(address, now) {
      const network = toNetwork(address);
      let entry = failures.get(network);
      if (entry === undefined || entry.until <= now || isBeforeSetBack(entry.until, now)) {
        if (failures.size >= MAX_COUNTED) failures.clear();
        failures.set(network, (entry = { failures: 0, until: now + MINUTE_MS }));
      }
      if (++entry.failures > maxFailures) refuse('failed_authentications');
    },
    addRefusal({ status, rule, key, refusals: count = 1 }, address, now) {
      if (!COUNTED_STATUSES.has(status) || (rule !== null && RULE_TEXTS.has(rule))) return;
      if (key !== null) add(buckets.key, key, { now, count });
      add(buckets.address, toNetwork(address), { now, count });
    },
    requireFewRefusedRequests(key, getAddress, now) {
      if (key !== null) {
        // Most callers have no refusals. For them, no further limit is read.
        if ((buckets.key.get(key) ?? 0) <= now) return;
        requireToken('key', key, now);
      }
      if (buckets.address.size > 0) requireToken('address', toNetwork(getAddress()), now);
    },
    countSlowed: () => slowed,
  };
}

const MESSAGES: Record<SlowDownReason, string> = {
  failed_authentications:
    'Too many requests without a valid key came from this address. Try again in a minute.',
  key: 'Too many requests with this key were refused. Correct them, and try again after the time in Retry-After.',
  address:
    'Too many requests from this address were refused, whatever their key. Correct them, and try again after the time in Retry-After.',
};

/**
 * True if a limit would last much longer than a new one, because the clock was set back since. The margin is for requests that arrived slightly
 * earlier.
 */
const isBeforeSetBack = (until: number, now: number): boolean => until > now + 2 * MINUTE_MS;

/**
 * Returns the time at which the token bucket of an API key or address is full again. Undefined if it has no bucket yet, or if the clock was set back
 * after its last failure.
 */
function findFullAt(counted: Map<string, number>, name: string, now: number): number | undefined {
  const fullAt = counted.get(name);
  return fullAt === undefined || isBeforeSetBack(fullAt, now) ? undefined : fullAt;
}

/**
 * Removes the token buckets that are full again, because a new bucket is also full. If more than half of `MAX_COUNTED` buckets remain, removes them
 * all.
 */
function removeFullBuckets(counted: Map<string, number>, now: number): void {
  for (const [name, fullAt] of counted) if (fullAt <= now) counted.delete(name);
  if (counted.size > MAX_COUNTED / 2) counted.clear();
}

/** Returns the address to count by: an IPv4 address itself, or the /64 network of an IPv6 address, which usually has one owner. */
function toNetwork(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return v4 ?? (address.split('::')[0] ?? '').split(':').slice(0, 4).join(':');
}
