// Calls that carried an Idempotency-Key: which are counted already, and which are worked on.
import {
  createFingerprinter,
  requireSameRequest,
  type IdempotentAttempt,
  type RequestFingerprint,
  type IdempotentRequest,
  inProgressError,
  MAX_IN_PROGRESS_MS,
} from '../../accounts/idempotency.ts';
import type { SqlConnection } from '../store.ts';
import type { LimitStore } from './limiter.ts';
import type { Store } from '../store.ts';
import { prepareFindSpentKey } from './writer-statements.ts';
import { onceFor } from '../../platform/sqlite.ts';

export interface RetriesOptions {
  store: Store;
  limits: LimitStore;
  /** 32 bytes under which fingerprints are made. */
  secret: Buffer;
  /** How long a key is known for after its call, in milliseconds. */
  keepMs: number;
}

/** Who asks, when (milliseconds), and under which id. */
export interface AttemptRequest {
  requestId: string;
  caller: { keyId: string };
  now: number;
}

/** Begins tries of calls with an Idempotency-Key; see `ValidateDeps`. */
export function openIdempotency({ store, limits, secret, keepMs }: RetriesOptions) {
  const printOf = createFingerprinter(secret);
  const find = prepareFindSpentKey(store.raw);
  /** The id that its call was counted under, or null. Errors: idempotency_mismatch, and those of `read`. */
  const countedOf = (print: RequestFingerprint, now: number): string | null => {
    const row = store.read(() => find(print.key, now));
    if (row) requireSameRequest(row.request, print);
    return row?.requestId ?? null;
  };
  return {
    begin(
      { requestId, caller, now }: AttemptRequest,
      { key, target, body }: IdempotentRequest,
    ): IdempotentAttempt {
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

// Calls with an Idempotency-Key that are being worked on, in any process.
interface Row {
  request: Buffer;
  until: number;
}

const statements = onceFor((db: SqlConnection) => ({
  find: db.prepare<[Buffer], Row>('SELECT request, until FROM work WHERE fingerprint = ?'),
  add: db.prepare(
    'INSERT OR REPLACE INTO work (fingerprint, request, request_id, until) VALUES (?, ?, ?, ?)',
  ),
  remove: db.prepare('DELETE FROM work WHERE fingerprint = ? AND request_id = ?'),
  tidy: db.prepare('DELETE FROM work WHERE until < ?'),
}));

/**
 * Says that a call is worked on. What a process left that ended in the middle of it counts for `WORK_MS`.
 *
 * Errors: idempotency_in_progress, idempotency_mismatch, store_unavailable.
 */
function beginWork(
  limits: LimitStore,
  { print, requestId }: { print: RequestFingerprint; requestId: string },
  now: number,
): void {
  limits.change((db) => {
    const { find, add, tidy } = statements(db);
    const row = find.get(print.key);
    if (row && row.until > now && row.until <= now + MAX_IN_PROGRESS_MS) {
      requireSameRequest(row.request, print);
      throw inProgressError();
    }
    tidy.run(now - MAX_IN_PROGRESS_MS);
    add.run(print.key, print.request, requestId, now + MAX_IN_PROGRESS_MS);
  });
}

/** Says that it is not worked on any more. What cannot be said now ends by itself. */
function endWork(
  limits: LimitStore,
  { print, requestId }: { print: RequestFingerprint; requestId: string },
): void {
  try {
    limits.change((db) => statements(db).remove.run(print.key, requestId));
  } catch {
    // It counts for no longer than `WORK_MS`.
  }
}
