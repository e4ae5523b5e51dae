// Calls with an Idempotency-Key that are being worked on, in any process.
import { inProgress, requireSame, WORK_MS } from '../../accounts/idempotency.ts';
import type { Fingerprint } from '../../accounts/idempotency.ts';
import type { Limits } from './limits.ts';
import { prepared } from './statements.ts';

interface Row {
  request: Buffer;
  until: number;
}

const statements = prepared((db) => ({
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
export function beginWork(
  limits: Limits,
  { print, requestId }: { print: Fingerprint; requestId: string },
  now: number,
): void {
  limits.change((db) => {
    const { find, add, tidy } = statements(db);
    const row = find.get(print.key);
    if (row && row.until > now && row.until <= now + WORK_MS) {
      requireSame(row.request, print);
      throw inProgress();
    }
    tidy.run(now - WORK_MS);
    add.run(print.key, print.request, requestId, now + WORK_MS);
  });
}

/** Says that it is not worked on any more. What cannot be said now ends by itself. */
export function endWork(
  limits: Limits,
  { print, requestId }: { print: Fingerprint; requestId: string },
): void {
  try {
    limits.change((db) => statements(db).remove.run(print.key, requestId));
  } catch {
    // It counts for no longer than `WORK_MS`.
  }
}
