// The rules of Idempotency-Key: what one looks like, what is kept of it, and what a retry is told.
import { createHmac } from 'node:crypto';
import { BonafideError } from '../errors.ts';

/** What is kept of a call that carries an Idempotency-Key: two keyed digests, worth nothing without their key. */
export interface RequestFingerprint {
  /** Of account and Idempotency-Key, 16 bytes. */
  key: Buffer;
  /** Of path, query and body, 16 bytes. */
  request: Buffer;
}

/** One that was kept, and the call that spent it. */
export interface SpentKey {
  request: Buffer;
  requestId: string;
}

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const BARE = /^[!#-~](?:[ -~]*[!-~])?$/;

/**
 * The key in the value of the header: a string in quotes, as a structured field has it (RFC 9651), or the same without them; null where it
 * is no such key. Both spellings of one key are that key.
 */
export function parseIdempotencyKey(value: string): string | null {
  const text = value.trim();
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? (BARE.test(text) ? text : '');
  return key !== '' && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH ? key : null;
}

/** Whether a value holds several keys: of headers that were sent twice HTTP makes one, with a comma between them. */
export const hasSeveralKeys = (value: string): boolean =>
  value.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').includes(',');

/** Makes fingerprints under a key of 32 bytes. `target` is path and query as they were sent, `body` the bytes of the body. */
export function createFingerprinter(secret: Buffer) {
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

/** Refuses another request under a key that one request has already. Errors: idempotency_mismatch. */
export function requireSameRequest(kept: Uint8Array, { request }: RequestFingerprint): void {
  if (!request.equals(kept)) throw idempotencyMismatchError();
}

export const idempotencyMismatchError = () =>
  new BonafideError(
    'idempotency_mismatch',
    'This Idempotency-Key was sent with another body, path or query. Take a new key for a new request.',
  );

/** How long a key that is being worked on stays so where its process ends without a word, in milliseconds: longer than a call takes. */
export const MAX_IN_PROGRESS_MS = 15_000;

/** What a retry is told that comes while the first call is worked on. */
export const inProgressError = () =>
  new BonafideError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is being worked on. Send it again after the time in Retry-After.',
  );

/** What a call brings that carries an Idempotency-Key. */
export interface IdempotentRequest {
  key: string;
  /** Path and query as they were sent. */
  target: string;
  /** The bytes of the body, once it was read. */
  body(): Uint8Array;
}

/** One try of such a call. */
export interface IdempotentAttempt {
  /** The id under which an earlier try was counted; null where none was yet. */
  countedId: string | null;
  record: IdempotencyRecord;
  /** Says that it is not worked on any more. */
  end(): void;
}

/** What the call log keeps beside a call, so that it is counted once. `expires` is milliseconds since 1970. */
export interface IdempotencyRecord extends RequestFingerprint {
  expires: number;
}
