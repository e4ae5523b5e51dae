// How many failed authentications one address may have before its next ones are not looked at any more.
import { BonafideError } from '../errors.ts';

const MINUTE = 60_000;
const MOST_FAILURES = 100;
/** Addresses remembered at a time. Where there are more, all are forgotten: memory is bounded, and guessing 190 bits stays hopeless. */
const MOST_ADDRESSES = 10_000;

export interface AuthFailureLimit {
  /** Counts one failure. `now` is milliseconds. Errors: rate_limited from the 101st of a minute on. */
  count(address: string, now: number): void;
}

/** Counts failed authentications by address, each in a minute of its own. Where several threads count, each allows its share. */
export function createAuthFailureLimit({ threads = 1 } = {}): AuthFailureLimit {
  const most = Math.ceil(MOST_FAILURES / threads);
  const seen = new Map<string, { failures: number; until: number }>();
  return {
    count(address, now) {
      const network = networkOf(address);
      let entry = seen.get(network);
      if (entry === undefined || entry.until <= now) {
        if (seen.size >= MOST_ADDRESSES) seen.clear();
        seen.set(network, (entry = { failures: 0, until: now + MINUTE }));
      }
      if (++entry.failures > most)
        throw new BonafideError(
          'rate_limited',
          'Too many requests without a valid key came from this address. Try again in a minute.',
        );
    },
  };
}

/** An IPv4 address as it is; of an IPv6 address the first 64 bits, since whoever has one has all of those. */
function networkOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return v4 ?? (address.split('::')[0] ?? '').split(':').slice(0, 4).join(':');
}
