// Idempotency-Keys: format, stored fingerprints, and the errors of retries.
import { createHmac } from 'node:crypto';
import { BonafideError } from '../errors.ts';

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Maximum length of the header value: a quoted key, each character of which is escaped. */
const MAX_HEADER_LENGTH = 2 * MAX_IDEMPOTENCY_KEY_LENGTH + 2;
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const BARE = /^[!#-~](?:[ -~]*[!-~])?$/;

/**
 * Parses the header Idempotency-Key: a structured field string (RFC 9651), or the same text without quotes; both spellings are one key.
 * Returns null for an invalid key.
 */
export function parseIdempotencyKey(value: string): string | null {
  const text = value.trim();
  if (text.length > MAX_HEADER_LENGTH) return null;
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? (BARE.test(text) ? text : '');
  return key !== '' && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH ? key : null;
}

/**
 * Returns true if a header value has several keys: HTTP joins headers that were sent twice by a comma. A comma inside a closed pair of
 * quotes belongs to a key. Reads each character once: a header can have 16 KB.
 */
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

/** Keyed digests of a call with an Idempotency-Key; without the secret they reveal nothing. */
export interface RequestFingerprint {
  /** Digest of account and Idempotency-Key, 16 bytes. */
  key: Buffer;
  /** Digest of path, query and body, 16 bytes. */
  request: Buffer;
}

/** Fingerprint that is stored with a call, so that the call is counted once. */
export interface IdempotencyRecord extends RequestFingerprint {
  /** Milliseconds since 1970. */
  expires: number;
}

/** Idempotency-Key that is stored, and the call that used it. */
export interface UsedIdempotencyKey {
  request: Buffer;
  requestId: string;
}

export interface IdempotentRequest {
  key: string;
  target: string;
  /** Returns the bytes of the body, after the body was read. */
  body(): Uint8Array;
  /**
   * Milliseconds for which the key is stored, if the caller is a server thread with a lease on the request. The request is then never
   * refused as in progress. By default, the setting decides.
   */
  leasedForMs?: number;
}

/** Attempt of a call with an Idempotency-Key: the first one, or a retry. */
export interface IdempotentCallAttempt {
  /** Request id under which an earlier attempt was counted; null if no attempt was counted. */
  countedId: string | null;
  record: IdempotencyRecord;
  end(): void;
}

/** Milliseconds after which an attempt of a dead process expires: longer than a call takes. */
export const MAX_IN_PROGRESS_MS = 15_000;

/** Creates a function that computes fingerprints with a secret of 32 bytes. `target` is path and query as they were sent. */
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

/** Returns the error for an Idempotency-Key that another request has used. */
export const idempotencyMismatchError = () =>
  new BonafideError(
    'idempotency_mismatch',
    'This Idempotency-Key was already used with another body, path or query. Use a new key for a new request.',
  );

/** Returns the error for a retry that arrives while an earlier attempt is in progress. */
export const requestInProgressError = () =>
  new BonafideError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is in progress. Send it again after the time in Retry-After.',
  );
