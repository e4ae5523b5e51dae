// Calls with an Idempotency-Key. A second attempt is refused while one is in progress, and a counted call is
// not counted again.
import {
  createRequestFingerprinter,
  idempotencyMismatchError,
  type CallAttemptWithIdempotencyKey,
  type ExpiringRequestFingerprint,
  type RequestWithIdempotencyKey,
  requestInProgressError,
  type RequestFingerprint,
  type UsedIdempotencyKey,
} from '../../accounts/idempotency.ts';
import type { Awaitable } from '../../model.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';

const statements = preparePerConnection((db: SqlConnection) => ({
  find: db.prepare<[Uint8Array, number], UsedIdempotencyKey>(
    'SELECT request, request_id AS "requestId" FROM idempotency WHERE fingerprint = ? AND expires > ?',
  ),
  save: db.prepare(
    `INSERT INTO idempotency (fingerprint, request, request_id, expires) VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint)
       DO UPDATE SET request = excluded.request, request_id = excluded.request_id, expires = excluded.expires`,
  ),
}));

/**
 * Returns the counted call or the job with an Idempotency-Key (`key` is its keyed hash); undefined if there is none, or if the Idempotency-Key has
 * expired.
 */
export const findUsedIdempotencyKey = (
  db: SqlConnection,
  key: Uint8Array,
  now: number,
): UsedIdempotencyKey | undefined => statements(db).find.get(key, now);

/** Stores the Idempotency-Key of a counted call or of a job; `id` is the request id or the id of the job. */
export const saveUsedIdempotencyKey = (
  db: SqlConnection,
  { key, request, expires }: ExpiringRequestFingerprint,
  id: string,
): void => void statements(db).save.run(key, request, id, expires);

/** Fingerprint of a request that creates a job. `key` is the keyed hash of the API key and the Idempotency-Key, as checks have it. */
export interface JobRequestFingerprint extends ExpiringRequestFingerprint {
  /** Keyed hash of the owner of the job and the Idempotency-Key. */
  jobKey: Buffer;
}

/**
 * Returns the id of the job with an Idempotency-Key, also if the job was deleted; undefined if there is none. Errors: idempotency_mismatch if the
 * Idempotency-Key was used for another request.
 */
export function findJobIdOfIdempotencyKey(
  db: SqlConnection,
  { key, jobKey, request }: JobRequestFingerprint,
  now: number,
): string | undefined {
  const used = findUsedIdempotencyKey(db, jobKey, now) ?? findUsedIdempotencyKey(db, key, now);
  // The hash of the request contains its path, so that an equal request created a job.
  if (used && !used.request.equals(request)) throw idempotencyMismatchError();
  return used?.requestId;
}

/** Stores the Idempotency-Key of a job for its API key and for all API keys of its owner. */
export function saveIdempotencyKeyOfJob(db: SqlConnection, print: JobRequestFingerprint, id: string): void {
  for (const key of [print.key, print.jobKey]) saveUsedIdempotencyKey(db, { ...print, key }, id);
}

/** State of an Idempotency-Key when an attempt begins, as the store engine returns it. */
export interface IdempotentAttemptReply {
  /** Request id of the counted call with this Idempotency-Key; undefined if none was counted. */
  counted?: string;
  /** True if that call had the same request; undefined if none was counted. */
  same?: boolean;
  /** True if this attempt was registered as in progress, so that `endAttempt` must follow. */
  begun: boolean;
}

/** Attempts to answer a call with an Idempotency-Key, in all processes of a store. Errors: store_unavailable. */
export interface SharedIdempotencyKeyAttempts {
  /**
   * Returns the counted call with an Idempotency-Key. If there is none, and no attempt with this Idempotency-Key is in progress, registers this
   * attempt.
   */
  beginAttempt(print: RequestFingerprint, requestId: string, now: number): Awaitable<IdempotentAttemptReply>;
  /** Ends a registered attempt. Never throws: an attempt that cannot be ended expires after 15 seconds. */
  endAttempt(print: RequestFingerprint, requestId: string): void;
}

interface CallWithIdempotencyKey {
  requestId: string;
  caller: { keyId: string };
  now: number;
}

/** Starts calls that have an Idempotency-Key. */
export interface IdempotentCallStarter {
  /** Begins an attempt to answer a call with an Idempotency-Key. Errors: idempotency_in_progress, idempotency_mismatch, store_unavailable. */
  begin(
    call: CallWithIdempotencyKey,
    request: RequestWithIdempotencyKey,
  ): Promise<CallAttemptWithIdempotencyKey>;
}

export interface IdempotencyOptions {
  /** Secret for keyed hashes of Idempotency-Keys, 32 bytes. */
  secret: Buffer;
  /** Time (ms) for which an Idempotency-Key is stored after its call. */
  keepMs: number;
}

export function createIdempotentCallStarter(
  shared: SharedIdempotencyKeyAttempts,
  { secret, keepMs }: IdempotencyOptions,
): IdempotentCallStarter {
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
