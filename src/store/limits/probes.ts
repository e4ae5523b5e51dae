import { probesUsedUp } from '../../accounts/harvest/refused.ts';
import { isProbe } from '../../accounts/harvest/watch.ts';
import { hourly } from '../../accounts/limits/rate.ts';
import { BonafideError } from '../../errors.ts';
import type { Caller } from '../../accounts/model.ts';
import type { Claim } from '../../model.ts';
import { takeFrom } from './buckets.ts';
import type { Limits } from './limits.ts';

const HOUR_MS = 3_600_000;

/** What a plan without probes gives. */
export const NONE = { allowed: false, nextIn: HOUR_MS };

/** The bucket of a key's probes. */
export const bucketOf = (keyId: string): string => `probes ${keyId}`;

/** Refuses a check that is one probe too many; the next is in `nextIn` milliseconds. Errors: rate_limited. */
export function requireProbe(most: number, { allowed, nextIn }: { allowed: boolean; nextIn: number }): void {
  if (!allowed) throw new BonafideError('rate_limited', probesUsedUp(most), { retryAfterMs: nextIn });
}

/** A check, and whose it is. */
export interface Probing {
  caller: Caller;
  claim: Claim;
}

/**
 * Takes one of the probes of an hour that a caller's plan has, over all processes, where a check is one.
 *
 * Errors: rate_limited, store_unavailable.
 */
export function takeProbe(limits: Limits, { caller: { keyId, plan }, claim }: Probing, now: number): void {
  const most = plan?.terms.probes ?? null;
  if (most === null || !isProbe(claim)) return;
  requireProbe(
    most,
    most === 0
      ? NONE
      : limits.change((db) => takeFrom(db, { name: bucketOf(keyId), rate: hourly(most) }, now)),
  );
}
