// Limit of failed authentications from one address: beyond it, keys are no longer looked up.
import { BonafideError } from '../errors.ts';

const MINUTE_MS = 60_000;
/** Failures that one network may have in a minute. */
const MAX_FAILURES = 100;
/** Networks that are counted at a time. Beyond, all counts are dropped: memory is bounded, and a key of 190 bits cannot be guessed anyway. */
const MAX_NETWORKS = 10_000;

/** Limit of failed authentications by address. */
export interface AuthFailureLimit {
  /** Counts one failure. `now` is milliseconds. Errors: rate_limited from the 101st failure of a minute on. */
  count(address: string, now: number): void;
}

/** Creates a limit of failed authentications. With several threads, each thread allows its share. */
export function createAuthFailureLimit({ threads = 1 } = {}): AuthFailureLimit {
  const max = Math.ceil(MAX_FAILURES / threads);
  const counts = new Map<string, { failures: number; until: number }>();
  return {
    count(address, now) {
      const network = toNetwork(address);
      let entry = counts.get(network);
      if (entry === undefined || entry.until <= now) {
        if (counts.size >= MAX_NETWORKS) counts.clear();
        counts.set(network, (entry = { failures: 0, until: now + MINUTE_MS }));
      }
      if (++entry.failures > max)
        throw new BonafideError(
          'rate_limited',
          'Too many requests without a valid key came from this address. Try again in a minute.',
          { rule: 'failed authentications of an address' },
        );
    },
  };
}

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because one owner has a whole
 * network of this size.
 */
function toNetwork(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return v4 ?? (address.split('::')[0] ?? '').split(':').slice(0, 4).join(':');
}
