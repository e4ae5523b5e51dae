// Opens the connection through which records and published identities are changed.
import { setTimeout as pause } from 'node:timers/promises';
import type { GraphCiphersAndFingerprints } from '../../encryption/keys.ts';
import type { GraphStats } from '../../graph.ts';
import { createSqlGraphEngineParts, type SqlGraphEngineParts } from '../../sql/engine.ts';
import type {
  EngineSpecificGraphParts,
  EngineErasureFunctions,
  GraphProperties,
  EngineCopyFunctions,
} from '../../sql/engine-tables.ts';
import type { GraphVerificationQueries } from '../../sql/verify.ts';
import type { SqlValue } from '../../sql/session.ts';
import type { UnlinkedRecords } from '../../verifying.ts';
import type { PostgresConnection, PostgresPool } from '../connect.ts';
import { createGraphChangeLog, type GraphChangeLog } from './change-log.ts';
import { TABLES_WITH_PERSONAL_DATA } from '../schema.ts';
import { createPostgresSession, type PostgresSession, type PostgresSessionOptions } from '../session.ts';
import { markUnfinishedCopy, readRevisionOfUnfinishedCopy } from '../tables.ts';
import { openPublishedIdentityTables } from './published.ts';
import { openRecordWriteOperations, openImportUndoTable } from './records.ts';

export interface PostgresWriter extends Omit<SqlGraphEngineParts, 'links'> {
  stats(): Promise<GraphStats>;
  close(): void;
}

export interface PostgresWriterOptions extends Omit<PostgresSessionOptions, 'hooks'> {
  keys: GraphCiphersAndFingerprints;
  /** Folder for temporary files with data that does not fit into memory. */
  folder: string;
  linkFile: string;
  storesFullRecords: boolean;
  openChecks(): Promise<PostgresPool>;
}

export function openPostgresWriter({
  openChecks,
  reserve,
  renew,
  onLost,
  admit,
  ...options
}: PostgresWriterOptions): PostgresWriter {
  const { session, links, ...parts } = createSqlGraphEngineParts({
    ...options,
    openSession: (hooks) => createPostgresSession({ reserve, renew, hooks, onLost, admit }),
    openTables: (opened) => openTables(opened, () => readerOf(opened, openChecks)),
  });
  let pendingStats: Promise<GraphStats> | null = null;
  return {
    ...parts,
    stats() {
      if (session.isInTransaction() || session.isInSnapshot()) return readStats(session);
      // Counting takes long in a large graph. It must not take more than one connection from the checks.
      pendingStats ??= openChecks()
        .then(readStatsWithoutDeadline)
        .finally(() => (pendingStats = null));
      return pendingStats;
    },
    close() {
      session.close();
      links.close();
    },
  };
}

/** Returns the connection for reading: the pool of check calls; during a transaction or a snapshot the session itself. */
const readerOf = async (
  session: PostgresSession,
  openChecks: () => Promise<PostgresConnection>,
): Promise<PostgresConnection> =>
  session.isInTransaction() || session.isInSnapshot() ? session : openChecks();

function openTables(
  session: PostgresSession,
  reader: () => Promise<PostgresConnection>,
): EngineSpecificGraphParts {
  const steps = createGraphChangeLog(session);
  return {
    records: openRecordWriteOperations(session, steps),
    published: openPublishedIdentityTables(session, steps),
    changes: steps,
    undo: openImportUndoTable(session, steps),
    hasKeyChangeLog: async () => {
      const [[exists] = [false]] = await session.query<[boolean]>(HAS_KEY_CHANGES);
      return exists;
    },
    earlierSecrets: {
      async read() {
        const text = "SELECT to_jsonb(graph) ->> 'earlier' FROM graph";
        return (await (await reader()).query<[string | null]>(text))[0]?.[0] ?? null;
      },
      async write(text) {
        await session.query('ALTER TABLE graph ADD COLUMN IF NOT EXISTS earlier text');
        await session.query('UPDATE graph SET earlier = $1', [text]);
      },
    },
    facts: async () => readFacts(await reader()),
    pendingRecords: () => readUnlinkedRecords(session),
    erasing: openErasingTables(session),
    moving: openMovingTables(session, steps),
    verifying: () => openVerifyTables(session),
  };
}

const HAS_KEY_CHANGES = "SELECT to_regclass('bonafide.key_change') IS NOT NULL";
const FACTS =
  'SELECT revision, linked_revision = revision, settled, error_rates, name_tables, overwriting FROM graph';

async function readFacts(connection: PostgresConnection): Promise<GraphProperties> {
  const [row] =
    await connection.query<[number, boolean, boolean, string | null, string | null, string | null]>(FACTS);
  const [revision, isLinked, settled, errorRates, nameTables, pendingErasure] = row ?? NO_FACTS;
  return {
    revision: String(revision),
    isLinked,
    settled,
    errorRates: JSON.parse(errorRates ?? '{}') as GraphProperties['errorRates'],
    nameTables,
    pendingErasure,
  };
}

const NO_FACTS = [0, false, false, null, null, null] as const;

/** SQL query for the number of the step that the last linking added to the change log; null if the log lacks later changes. */
const LINKED_AT = `
SELECT max(s.number) FROM graph g JOIN step s ON s.revision = g.linked_revision
WHERE EXISTS (SELECT 1 FROM step t WHERE t.revision = g.revision AND t.stamp = g.stamp AND t.number = (SELECT max(number) FROM step))`;

const CHANGED = `
SELECT c.record, coalesce(c.identity, m.identity) FROM changed c LEFT JOIN member m ON m.record = c.record WHERE c.step > $1`;

async function readUnlinkedRecords(session: PostgresSession): Promise<UnlinkedRecords> {
  const [[step] = [null]] = await session.query<[number | null]>(LINKED_AT);
  const changed = step === null ? [] : await session.query<[number, number | null]>(CHANGED, [step]);
  if (changed.length === 0) return { rows: null, identities: new Set() };
  return {
    rows: new Set(changed.map(([row]) => row)),
    identities: new Set(changed.flatMap(([, identity]) => identity ?? [])),
  };
}

/** Maximum wait (ms) for transactions and backups that may still read deleted rows. */
const VACUUM_WAIT_MS = 5000;
const LOOK_EVERY_MS = 200;
/** Maximum wait for the lock on a table before it is rewritten. Short, because check calls wait for the same lock. */
const LOCK_TIMEOUT = '5s';

/** SQL query for the tables that still contain deleted rows. Rows of a partition count for the table that it belongs to. */
const DEAD = `
SELECT DISTINCT coalesce(i.inhparent::regclass::text, s.relid::regclass::text)
FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid
WHERE s.schemaname = 'bonafide' AND s.n_dead_tup > 0`;

const SIZE = `
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'bonafide' AND c.relkind = 'r'`;

const OWNED = `
SELECT bool_and(pg_has_role(c.relowner, 'USAGE')) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'bonafide' AND c.relkind IN ('r', 'p')`;

function openErasingTables({ query }: PostgresSession): EngineErasureFunctions {
  const readValue = async <T extends SqlValue>(text: string) => (await query<[T]>(text))[0]?.[0] ?? null;
  const setLockTimeout = (value: string) =>
    query('SELECT set_config($1, $2, false)', ['lock_timeout', value]);
  return {
    unreachableCopies:
      'the files of the database, its write-ahead log, its standbys and its backups can contain bytes of them for some time; see the page postgres (bonafide docs postgres)',
    rewriteBlocksChecks: true,
    setPendingErasure: async (name) => void (await query('UPDATE graph SET overwriting = $1', [name])),
    async emptyLogs() {
      // VACUUM of a table of another owner fails with a warning only.
      if ((await readValue<boolean>(OWNED)) !== true) return false;
      await query('SELECT pg_stat_force_next_flush()');
      let left = TABLES_WITH_PERSONAL_DATA;
      for (const started = performance.now(); ; await pause(LOOK_EVERY_MS)) {
        await query(`VACUUM (INDEX_CLEANUP ON) ${left.join()}`);
        const dead = new Set((await query<[string]>(DEAD)).map(([name]) => name.replace('bonafide.', '')));
        left = left.filter((name) => dead.has(name));
        if (left.length === 0) return true;
        if (performance.now() - started > VACUUM_WAIT_MS) return false;
      }
    },
    async rewriteFiles() {
      await setLockTimeout(LOCK_TIMEOUT);
      try {
        for (const table of TABLES_WITH_PERSONAL_DATA) await query(`VACUUM (FULL, ANALYZE) ${table}`);
      } finally {
        await setLockTimeout('0');
      }
    },
    sizeInBytes: async () => (await readValue<number>(SIZE)) ?? 0,
  };
}

function openMovingTables(session: PostgresSession, steps: GraphChangeLog): EngineCopyFunctions {
  return {
    copiedRevision: () => readRevisionOfUnfinishedCopy(session),
    beginCopy: (revision) => session.runAtomically(() => markUnfinishedCopy(session, revision)),
    async setIdentities(identities) {
      await steps.clear();
      await session.upsert({ name: 'member', columns: ['record', 'identity'], key: ['record'] }, identities);
    },
  };
}

function openVerifyTables({ query }: PostgresSession): GraphVerificationQueries {
  return {
    postingsText:
      "SELECT key, share || ':' || array_to_string(coalesce(ids, ARRAY[holder]), ' ') FROM posting WHERE key > $1 ORDER BY key",
    toStored: ({ share, holders }) => `${share}:${holders.join(' ')}`,
    frequentText: 'SELECT key, holder FROM frequent WHERE (key, holder) > ($1, $2) ORDER BY key, holder',
    publishedKeys: {
      read: async (identities) =>
        new Map(
          await query<[number, number[]]>('SELECT id, keys FROM published WHERE id = ANY($1::bigint[])', [
            identities,
          ]),
        ),
      count: async () => (await query<[number]>('SELECT count(*) FROM published'))[0]?.[0] ?? 0,
    },
    async checkTotals(ask) {
      const text =
        'SELECT 1 FROM member m WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.id = m.record) LIMIT 1';
      ask((await query(text)).length === 0);
    },
  };
}

const IS_SETTLED = 'g.linked_revision = g.revision AND g.settled';

const STATS = `
SELECT (SELECT count(*) FROM record), g.identities, (SELECT count(*) FROM merged WHERE heir IS NOT NULL), g.postings,
  CASE WHEN g.linked_revision = g.revision THEN 0 ELSE
    (SELECT count(*) FROM record r WHERE NOT EXISTS (SELECT 1 FROM member m WHERE m.record = r.id)) END,
  g.linked_at, ${IS_SETTLED}
FROM graph g`;

/** Settings for counting all records in PostgreSQL: no time limit, and all query plans, unlike `CHECK_PLAN`. */
const FOR_COUNTING = `
SELECT set_config(name, value, true) FROM (VALUES ('statement_timeout', '0'), ('plan_cache_mode', 'auto'),
  ('enable_seqscan', 'on'), ('enable_hashjoin', 'on'), ('enable_mergejoin', 'on')) AS setting (name, value)`;

async function readStatsWithoutDeadline(checks: PostgresPool): Promise<GraphStats> {
  const connection = await checks.reserve();
  try {
    await connection.query('BEGIN READ ONLY');
    await connection.query(FOR_COUNTING);
    return await readStats(connection);
  } finally {
    await connection.query('ROLLBACK').catch(() => undefined);
    connection.release();
  }
}

async function readStats(connection: PostgresConnection): Promise<GraphStats> {
  const [row] =
    await connection.query<[number, number, number, number, number, string | null, boolean]>(STATS);
  const [records, identities, merged, postings, unlinked, linkedAt, settled] = row ?? EMPTY;
  return { records, identities, merged, postings, unlinked, linkedAt, settled };
}

const EMPTY = [0, 0, 0, 0, 0, null, false] as const;
