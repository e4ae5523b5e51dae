// Removal of the bytes of deleted rows from the tables of a PostgreSQL store.
import { isErasurePending } from '../events/events.ts';
import type { DeletedRowsErasure, SqlConnection } from '../store.ts';

const ERASED_TABLES = 'watches, watch_keys, events, webhooks, jobs, job_parts';

/** Removes the bytes of deleted rows from the tables. See `eraseDeletedRows`. */
export function eraseInTables(raw: SqlConnection, { sealed, force = false }: DeletedRowsErasure): boolean {
  if (sealed?.length === 0 || !isErasurePending(raw)) return true;
  raw.exec("SET lock_timeout = '5s'");
  try {
    const isUnread = waitForOlderTransactions(raw);
    // VACUUM alone leaves the bytes in the free space of pages.
    raw.exec(`VACUUM (FULL) ${ERASED_TABLES}`);
    return isUnread;
  } catch (error) {
    // Another transaction, such as a backup, reads a table.
    if (force) throw error;
    raw.exec(`VACUUM ${ERASED_TABLES}`);
    return false;
  }
}

/** Waits up to 5 seconds for other transactions, which may still read rows deleted before now. Returns false if one stays open. */
function waitForOlderTransactions(raw: SqlConnection): boolean {
  const now = raw.prepare<[], string>('SELECT clock_timestamp()::text').pluck().get();
  const count = raw
    .prepare<[unknown], number>(
      `SELECT count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < ?::timestamptz`,
    )
    .pluck();
  for (let tries = 0; tries < 25; tries++) {
    if (count.get(now) === 0) return true;
    raw.exec('SELECT pg_sleep(0.2)');
  }
  return false;
}
