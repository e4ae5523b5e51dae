// Calls with an Idempotency-Key: an attempt is refused while another one is in progress, and a call that was counted is not counted again.
import {
  createRequestFingerprinter,
  idempotencyMismatchError,
  type IdempotentCallAttempt,
  type IdempotentRequest,
  requestInProgressError,
  type RequestFingerprint,
} from '../../accounts/idempotency.ts';
import type { Awaitable } from '../../model.ts';

/** Attempt of a call with an Idempotency-Key, as an engine reports it. */
export interface IdempotentAttemptReply {
  /** Request id of the call that was counted for the key; missing if none was. */
  counted?: string;
  /** True if the request that is stored for the key is this one; missing if none is stored. */
  same?: boolean;
  /** True if this attempt was registered as in progress. */
  begun: boolean;
}

/** Attempts in progress that all processes of a store share. Errors: store_unavailable. */
export interface SharedIdempotentAttempts {
  /** Looks up the call that was counted for a key; if there is none, and no other attempt is in progress, begins one. */
  beginAttempt(print: RequestFingerprint, requestId: string, now: number): Awaitable<IdempotentAttemptReply>;
  /** Ends an attempt. Never throws: an attempt that cannot be ended expires after 15 seconds. */
  endAttempt(print: RequestFingerprint, requestId: string): void;
}

/** Call that carries an Idempotency-Key. `now` is milliseconds since 1970. */
export interface IdempotentCall {
  requestId: string;
  caller: { keyId: string };
  now: number;
}

/** Attempts of calls with an Idempotency-Key. */
export interface IdempotentAttempts {
  /** Begins an attempt. Errors: idempotency_in_progress, idempotency_mismatch, store_unavailable. */
  begin(call: IdempotentCall, request: IdempotentRequest): Promise<IdempotentCallAttempt>;
}

export interface IdempotencyOptions {
  /** Secret that fingerprints are computed with, 32 bytes. */
  secret: Buffer;
  /** Time for which a key is stored after its call, in milliseconds. */
  keepMs: number;
}

/** Returns the attempts of calls with an Idempotency-Key, for one process. */
export function openIdempotentAttempts(
  shared: SharedIdempotentAttempts,
  { secret, keepMs }: IdempotencyOptions,
): IdempotentAttempts {
  const fingerprint = createRequestFingerprinter(secret);
  return {
    async begin({ requestId, caller, now }, { key, target, body, leasedForMs }) {
      const print = fingerprint({ account: caller.keyId, key }, { target, body: body() });
      const { counted = null, same = true, begun } = await shared.beginAttempt(print, requestId, now);
      const end = () => {
        if (begun) shared.endAttempt(print, requestId);
      };
      // A killed server would leave the attempt in progress, and its successor would wait.
      if (leasedForMs !== undefined) end();
      if (same && (begun || counted !== null))
        return { countedId: counted, record: { ...print, expires: now + (leasedForMs ?? keepMs) }, end };
      end();
      throw same ? requestInProgressError() : idempotencyMismatchError();
    },
  };
}
