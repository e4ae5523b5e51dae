// Removal of the bytes of deleted rows from the tables of a PostgreSQL store.
import type { SqlConnection } from '../store.ts';

const ERASED_TABLES = ['watches', 'watch_keys', 'events', 'webhooks', 'jobs', 'job_parts'];
/** Table of one row, on which a VACUUM shows quickly whether PostgreSQL may remove deleted rows already. */
const SMALL_TABLE = 'version';

/** Maximum time (ms) for rewriting a table without `force`. Watches and jobs wait meanwhile. */
const MAX_REWRITE_MS = 100_000;

/**
 * Removes the bytes of deleted rows from the tables. Returns null if none remain; otherwise a sentence that says why. Errors: those of the engine,
 * such as a lock that is not available within 5 seconds. See `eraseDeletedRows`.
 * @param force true to rewrite tables however long it takes
 */
export function eraseInTables(raw: SqlConnection, force: boolean): string | null {
  // For a table of another owner, VACUUM does nothing and gives only a warning.
  const foreign = listTablesUnless(raw, [...ERASED_TABLES, SMALL_TABLE], "pg_has_role(relowner, 'USAGE')");
  if (foreign.length > 0)
    return `The role of the store does not own these tables in PostgreSQL: ${foreign.join(', ')}. Make it their owner with ALTER TABLE … OWNER TO …`;
  // The deletions are committed, so their transaction ids are smaller than this new one.
  const xid = raw.prepare<[], string>('SELECT pg_current_xact_id()::xid::text').pluck().get() ?? '';
  raw.exec("SET lock_timeout = '5s'");
  raw.exec(`SET statement_timeout = ${force ? 0 : MAX_REWRITE_MS}`);
  try {
    if (!waitUntilRemovable(raw, xid)) return describeReaders(raw, xid);
    // Without FULL, the bytes stay in the free space of pages.
    for (const table of ERASED_TABLES) raw.exec(`VACUUM (FULL) ${table}`);
    return areVacuumedSince(raw, ERASED_TABLES, xid) ? null : describeReaders(raw, xid);
  } finally {
    raw.exec('RESET lock_timeout');
    raw.exec('RESET statement_timeout');
  }
}

/**
 * Waits up to 5 seconds until PostgreSQL may remove all rows that were deleted before a transaction id. Returns false if a transaction, a prepared
 * transaction, a standby or a replication slot may still read them.
 */
function waitUntilRemovable(raw: SqlConnection, xid: string): boolean {
  for (let tries = 0; tries < 25; tries++) {
    raw.exec(`VACUUM (FREEZE) ${SMALL_TABLE}`);
    if (areVacuumedSince(raw, [SMALL_TABLE], xid)) return true;
    raw.exec('SELECT pg_sleep(0.2)');
  }
  return false;
}

/** Returns a sentence that names the sessions and other readers because of which PostgreSQL keeps rows that were deleted before a transaction id. */
function describeReaders(raw: SqlConnection, xid: string): string {
  const readers = raw
    .prepare<string[], string>(
      `SELECT holder FROM (
         SELECT 'session ' || pid AS holder, greatest(age(backend_xmin), age(backend_xid)) AS age
           FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type <> 'walsender'
         UNION ALL SELECT 'prepared transaction ' || gid, age(transaction) FROM pg_prepared_xacts
         UNION ALL SELECT 'standby ' || coalesce(nullif(application_name, ''), pid::text), age(backend_xmin) FROM pg_stat_replication
         UNION ALL SELECT 'replication slot ' || slot_name, age(xmin) FROM pg_replication_slots) AS holders
         WHERE age >= age(?::xid)`,
    )
    .pluck()
    .all(xid);
  const others = 'a transaction, a standby or a replication slot that this role may not see';
  return `PostgreSQL keeps the deleted rows for: ${readers.join(', ') || others}.`;
}

/**
 * True if the last VACUUM of the tables removed all rows that were deleted before a transaction id. The limit up to which VACUUM with FREEZE or FULL
 * removes deleted rows is in `relfrozenxid`.
 */
const areVacuumedSince = (raw: SqlConnection, tables: readonly string[], xid: string): boolean =>
  listTablesUnless(raw, tables, 'age(relfrozenxid) <= age(?::xid)', xid).length === 0;

/** Lists the tables for which an SQL condition on `pg_class` is false. */
const listTablesUnless = (
  raw: SqlConnection,
  tables: readonly string[],
  condition: string,
  ...values: string[]
): string[] =>
  raw
    .prepare<string[], string>(
      `SELECT relname::text FROM pg_class
         WHERE oid IN (${tables.map((name) => `'${name}'::regclass`).join()}) AND (${condition}) IS NOT TRUE
         ORDER BY relname`,
    )
    .pluck()
    .all(...values);
