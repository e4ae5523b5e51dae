// Idempotency-Keys: format, stored fingerprints, and the errors of retries.
import { createHmac } from 'node:crypto';
import { BonafideError } from '../errors.ts';

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Maximum length of the header: a key in quotes, each of whose characters is escaped. */
const MAX_HEADER_LENGTH = 2 * MAX_IDEMPOTENCY_KEY_LENGTH + 2;
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const BARE = /^[!#-~](?:[ -~]*[!-~])?$/;

/** Parses the header Idempotency-Key, with or without quotes (RFC 9651); both forms give the same key. Null if the key is invalid. */
export function parseIdempotencyKey(value: string): string | null {
  const text = value.trim();
  if (text.length > MAX_HEADER_LENGTH) return null;
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? (BARE.test(text) ? text : '');
  return key !== '' && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH ? key : null;
}

/** True if the header contains several keys. HTTP joins repeated headers with commas, but a comma inside quotes belongs to a key. */
export function hasSeveralIdempotencyKeys(value: string): boolean {
  let opening = -1;
  for (let i = 0; i < value.length; i++) {
    const character = value[i];
    if (character === ',' && opening < 0) return true;
    if (character === '"') opening = opening < 0 ? i : -1;
    else if (character === '\\' && opening >= 0) i++;
  }
  return opening >= 0 && value.includes(',', opening);
}

/** Keyed hashes of an Idempotency-Key and its request. They reveal nothing without the secret. */
export interface RequestFingerprint {
  /** Keyed hash (16 bytes) of the account and the Idempotency-Key. */
  key: Buffer;
  /** Keyed hash (16 bytes) of path, query and body of the request. */
  request: Buffer;
}

/** Fingerprint that is stored with a counted call, so that retries of the call are not counted again. */
export interface ExpiringRequestFingerprint extends RequestFingerprint {
  /** Time at which the stored fingerprint expires, in milliseconds since 1970. */
  expires: number;
}

/** Stored Idempotency-Key and the call that used it. */
export interface UsedIdempotencyKey {
  request: Buffer;
  requestId: string;
}

export interface RequestWithIdempotencyKey {
  key: string;
  target: string;
  /** Returns the bytes of the request body. Call it only after the body was read. */
  body(): Uint8Array;
  /**
   * Time (ms) for which the Idempotency-Key is stored; default: the configured time. Only for lines of a job: the lease of the job excludes a second
   * attempt at the same time, so that a retry is never refused as in progress.
   */
  leasedForMs?: number;
}

/** Attempt to make a call with an Idempotency-Key: the first attempt or a retry. */
export interface CallAttemptWithIdempotencyKey {
  /** Request id of the earlier attempt that was counted; null if no attempt was counted yet. */
  countedId: string | null;
  record: ExpiringRequestFingerprint;
  end(): void;
}

/** Time (ms) after which an unfinished attempt expires: its process must have died, because calls take less time. */
export const MAX_ATTEMPT_IN_PROGRESS_MS = 15_000;

/** Creates a function that computes the fingerprint of a request. `secret` has 32 bytes; `target` is path and query. */
export function createRequestFingerprinter(secret: Buffer) {
  const digest = (...parts: (string | Uint8Array)[]) => {
    const hmac = createHmac('sha256', secret);
    for (const part of parts) hmac.update(part);
    return hmac.digest().subarray(0, 16);
  };
  return (
    { account, key }: { account: string; key: string },
    { target, body }: { target: string; body: Uint8Array },
  ): RequestFingerprint => ({
    key: digest('key\0', account, '\0', key),
    request: digest('request\0', target, '\0', body),
  });
}

/** Creates the error for an Idempotency-Key that was used for another request. */
export const idempotencyMismatchError = () =>
  new BonafideError(
    'idempotency_mismatch',
    'This Idempotency-Key was already used with another body, path or query. Use a new key for a new request.',
  );

/** Creates the error for a retry while an earlier attempt is in progress. */
export const requestInProgressError = () =>
  new BonafideError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is in progress. Send it again after the time in Retry-After.',
  );
