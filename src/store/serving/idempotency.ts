// Calls with an Idempotency-Key. A second attempt is refused while one is in progress, and a counted call is
// not counted again.
import {
  createRequestFingerprinter,
  idempotencyMismatchError,
  type CallAttemptWithIdempotencyKey,
  type RequestWithIdempotencyKey,
  requestInProgressError,
  type RequestFingerprint,
} from '../../accounts/idempotency.ts';
import type { Awaitable } from '../../model.ts';

/** State of an attempt of a call with an Idempotency-Key, as the store engine returns it. */
export interface IdempotentAttemptReply {
  /** Request id of the call that was counted for the Idempotency-Key; undefined if none was counted. */
  counted?: string;
  /** True if the Idempotency-Key was used for the same request; undefined if it was not used. */
  same?: boolean;
  /** True if this attempt was registered as in progress, so that it must be ended. */
  begun: boolean;
}

/** Attempts of calls with an Idempotency-Key that are in progress in any process of a store. Errors: store_unavailable. */
export interface SharedIdempotencyKeyAttempts {
  /**
   * Finds the call that was counted for an Idempotency-Key. If there is none, and no attempt with the key is in progress, registers this attempt as
   * in progress.
   */
  beginAttempt(print: RequestFingerprint, requestId: string, now: number): Awaitable<IdempotentAttemptReply>;
  /** Ends an attempt. Never throws: an attempt that cannot be ended expires after 15 seconds. */
  endAttempt(print: RequestFingerprint, requestId: string): void;
}

interface CallWithIdempotencyKey {
  requestId: string;
  caller: { keyId: string };
  now: number;
}

export interface IdempotencyKeyAttemptStarter {
  /** Begins an attempt of a call with an Idempotency-Key. Errors: idempotency_in_progress, idempotency_mismatch, store_unavailable. */
  begin(
    call: CallWithIdempotencyKey,
    request: RequestWithIdempotencyKey,
  ): Promise<CallAttemptWithIdempotencyKey>;
}

export interface IdempotencyOptions {
  /** Secret for keyed hashes, 32 bytes. */
  secret: Buffer;
  /** Milliseconds for which an Idempotency-Key is stored after its call. */
  keepMs: number;
}

export function createIdempotencyKeyAttemptStarter(
  shared: SharedIdempotencyKeyAttempts,
  { secret, keepMs }: IdempotencyOptions,
): IdempotencyKeyAttemptStarter {
  const fingerprint = createRequestFingerprinter(secret);
  return {
    async begin({ requestId, caller, now }, { key, target, body, leasedForMs }) {
      const print = fingerprint({ account: caller.keyId, key }, { target, body: body() });
      const { counted = null, same = true, begun } = await shared.beginAttempt(print, requestId, now);
      const end = () => {
        if (begun) shared.endAttempt(print, requestId);
      };
      // Otherwise, a killed server would leave the attempt in progress, and the next server would have to
      // wait.
      if (leasedForMs !== undefined) end();
      if (same && (begun || counted !== null))
        return { countedId: counted, record: { ...print, expires: now + (leasedForMs ?? keepMs) }, end };
      end();
      throw same ? requestInProgressError() : idempotencyMismatchError();
    },
  };
}
