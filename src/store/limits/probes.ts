import { probesUsedUp } from '../../accounts/harvest/refused.ts';
import { isProbe } from '../../accounts/harvest/watch.ts';
import { hourly } from '../../accounts/limits/rate.ts';
import { BonafideError } from '../../errors.ts';
import type { Caller } from '../../accounts/model.ts';
import type { Claim } from '../../model.ts';
import { takeFrom } from './buckets.ts';
import type { Limits } from './limits.ts';

/** A check, and whose it is. */
export interface Probing {
  caller: Caller;
  claim: Claim;
}

const HOUR_MS = 3_600_000;

/**
 * Takes one of the probes of an hour that a caller's plan has, over all processes, where a check is one.
 *
 * Errors: rate_limited, store_unavailable.
 */
export function takeProbe(limits: Limits, { caller: { keyId, plan }, claim }: Probing, now: number): void {
  const most = plan?.terms.probes ?? null;
  if (most === null || !isProbe(claim)) return;
  const taken =
    most === 0
      ? { allowed: false, nextIn: HOUR_MS }
      : limits.change((db) => takeFrom(db, { name: `probes ${keyId}`, rate: hourly(most) }, now));
  if (taken.allowed) return;
  throw new BonafideError('rate_limited', probesUsedUp(most), { retryAfterMs: taken.nextIn });
}
