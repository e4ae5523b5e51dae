// Calls that carried an Idempotency-Key: which are counted already, and which are worked on.
import { fingerprinter, requireSame } from '../../accounts/idempotency.ts';
import type { Attempt, Fingerprint, Retryable } from '../../accounts/idempotency.ts';
import { beginWork, endWork } from '../limits/work.ts';
import type { Limits } from '../limits/limits.ts';
import type { Store } from '../store.ts';
import { findSpent } from './spend.ts';

export interface RetriesOptions {
  store: Store;
  limits: Limits;
  /** 32 bytes under which fingerprints are made. */
  secret: Buffer;
  /** How long a key is known for after its call, in milliseconds. */
  keepMs: number;
}

/** Who asks, when (milliseconds), and under which id. */
export interface Try {
  requestId: string;
  caller: { keyId: string };
  now: number;
}

/** Begins tries of calls with an Idempotency-Key; see `ValidateDeps`. */
export function openRetries({ store, limits, secret, keepMs }: RetriesOptions) {
  const printOf = fingerprinter(secret);
  const find = findSpent(store.raw);
  /** The id that its call was counted under, or null. Errors: idempotency_mismatch, and those of `read`. */
  const countedOf = (print: Fingerprint, now: number): string | null => {
    const row = store.read(() => find(print.key, now));
    if (row) requireSame(row.request, print);
    return row?.requestId ?? null;
  };
  return {
    begin({ requestId, caller, now }: Try, { key, target, body }: Retryable): Attempt {
      const print = printOf({ account: caller.keyId, key }, { target, body: body() });
      const spend = { ...print, expires: now + keepMs };
      const before = countedOf(print, now);
      if (before !== null) return { counted: before, spend, end: () => undefined };
      beginWork(limits, { print, requestId }, now);
      const end = () => endWork(limits, { print, requestId });
      try {
        // Whoever worked on it may have ended between the two looks.
        return { counted: countedOf(print, now), spend, end };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}
