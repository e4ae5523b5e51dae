// Creates the tables of a graph if they are missing, and checks their version and secret before use.
import { BonafideError } from '../../errors.ts';
import { computeGraphSecretCheckValue, type GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import type { PostgresConnection, PostgresPool, ReservedPostgresConnection } from './connect.ts';
import { toGraphError, DATABASE_RETRY_AFTER_MS } from './errors.ts';
import {
  LOOKUP_KEY_CHANGE_TABLE_SQL,
  ADVISORY_LOCK_NUMBERS,
  createGraphTablesSql,
  POSTGRES_TABLES_VERSION,
} from './schema.ts';

export interface PostgresTablesOptions {
  /** Connection pool for creating tables. */
  writes: PostgresPool;
  keys: Pick<GraphCiphersAndFingerprints, 'fingerprints'>;
  create: boolean;
  /** Number of partitions of large tables; see `DEFAULT_PARTITION_COUNT`. */
  pieces: number;
  allowUnfinishedCopy: boolean;
}

/**
 * Creates the tables of a graph if they are missing; otherwise checks their version and secret. Errors: those of the pool; `foreign_database` for a
 * schema of another program or tables of an older version, `newer_database`, `wrong_secret`, `data_missing` for an unfinished copy,
 * `graph_unavailable` if missing tables must not be created.
 */
export async function preparePostgresTables(
  checks: PostgresConnection,
  { writes, keys, create, pieces, allowUnfinishedCopy }: PostgresTablesOptions,
): Promise<void> {
  const secretCheck = computeGraphSecretCheckValue(keys.fingerprints);
  if (!(await hasTables(checks))) {
    if (!create) throw await missingTablesError(checks);
    await createTables(await writes.reserve(), secretCheck, pieces);
  }
  const [row] = await checks.query<[number, string, number, string]>(
    'SELECT oldest, secret_check, version, stamp FROM graph',
  );
  if (!row) throw FOREIGN_SCHEMA;
  const [oldest, madeWith, version, stamp] = row;
  if (oldest > POSTGRES_TABLES_VERSION)
    throw new BonafideError(
      'newer_database',
      'The tables of the graph were made by a newer Bonafide. Update this one to use them.',
    );
  if (version < POSTGRES_TABLES_VERSION)
    throw new BonafideError(
      'foreign_database',
      `The tables of the graph were made by an older Bonafide (version ${version}; this one reads version ${POSTGRES_TABLES_VERSION}). Drop the schema "bonafide" and import the records again.`,
    );
  if (madeWith !== secretCheck)
    throw new BonafideError(
      'wrong_secret',
      'The graph in the database was made with another secret. Put back that secret as the file "secret" or in BONAFIDE_SECRET.',
    );
  if (!allowUnfinishedCopy) throwIfUnfinishedCopyStamp(stamp);
  if (create) await addKeyChanges(checks, writes);
}

/** Creates the log of changed look-up keys if it is missing. Does nothing if the database role may not create tables. */
async function addKeyChanges(checks: PostgresConnection, writes: PostgresPool): Promise<void> {
  const text = "SELECT to_regclass('bonafide.key_change') IS NOT NULL";
  const [[exists] = [false]] = await checks.query<[boolean]>(text);
  if (exists) return;
  const [[mayCreate] = [false]] = await checks.query<[boolean]>(MAY_CREATE);
  if (!mayCreate) return;
  const connection = await writes.reserve();
  try {
    await connection.query(LOOKUP_KEY_CHANGE_TABLE_SQL);
  } finally {
    connection.release();
  }
}

/** SQL query for the number of required columns that the table `graph` has, and whether the schema has any table. */
const TABLES_THERE = `
SELECT
  (SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('bonafide.graph') AND NOT attisdropped
    AND attname IN ('version', 'oldest', 'secret_check', 'stamp')),
  EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('bonafide'))`;

/** True if the tables of the graph exist. Errors: `foreign_database` for a schema of another program; those of the connection. */
async function hasTables(connection: PostgresConnection): Promise<boolean> {
  const [[columns, hasAny] = [0, false]] = await connection.query<[number, boolean]>(TABLES_THERE);
  if (hasAny && columns !== 4) throw FOREIGN_SCHEMA;
  return hasAny;
}

const FOREIGN_SCHEMA = new BonafideError(
  'foreign_database',
  'The database in graph.database has a schema "bonafide" without a graph. Name another database, or rename that schema.',
);

const MAY_CREATE = `
SELECT coalesce(has_schema_privilege(to_regnamespace('bonafide')::oid, 'CREATE'), has_database_privilege(current_database(), 'CREATE'))`;

async function missingTablesError(connection: PostgresConnection): Promise<BonafideError> {
  const [[mayCreate] = [false]] = await connection.query<[boolean]>(MAY_CREATE);
  if (mayCreate) return toGraphError({ code: '42P01' });
  return new BonafideError(
    'graph_unavailable',
    'The tables of the graph are missing, and the role in graph.database may not create them. Import records with a role that may create tables (see: bonafide docs postgres).',
  );
}

/** Creates the tables while holding a lock, because several servers may start at the same time. */
async function createTables(
  connection: ReservedPostgresConnection,
  secretCheck: string,
  pieces: number,
): Promise<void> {
  const { query } = connection;
  try {
    await query('BEGIN');
    await query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK_NUMBERS.creating]);
    if (!(await hasTables(connection))) {
      await query(createGraphTablesSql(pieces));
      const row = [POSTGRES_TABLES_VERSION, POSTGRES_TABLES_VERSION, secretCheck];
      await query('INSERT INTO graph (version, oldest, secret_check) VALUES ($1, $2, $3)', row);
    }
    await query('COMMIT');
  } catch (error) {
    await query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

/** Beginning of `graph.stamp` in an unfinished copy; the revision of the source graph follows. The first publication of identities replaces it. */
const COPY_MARK = 'a copy that is not whole, of revision ';

const isCopyStamp = (stamp: string): boolean => stamp.startsWith(COPY_MARK);

/** Version of the published identities (the data that checks read). It changes whenever identities change. */
export interface PublishedGraphVersion {
  /** Revision of the records from which the identities were made. Never decreases. */
  revision: number;
  stamp: string;
}

/** Returns the version of the published identities on a PostgreSQL host, and whether the host is a standby. */
export async function readPublishedGraphVersion(
  connection: PostgresConnection,
): Promise<PublishedGraphVersion & { isStandby: boolean }> {
  const [row] = await connection.query<[number, string, boolean]>(
    'SELECT linked_revision, stamp, pg_is_in_recovery() FROM graph',
  );
  const [revision, stamp, isStandby] = row ?? [0, '', false];
  return { revision, stamp, isStandby };
}

async function readStamp(connection: PostgresConnection): Promise<string> {
  const [[stamp] = ['']] = await connection.query<[string]>('SELECT stamp FROM graph');
  return stamp;
}

/** Returns the source graph's revision at the beginning of the copy, if this graph is an unfinished copy; otherwise null. */
export async function readRevisionOfUnfinishedCopy(connection: PostgresConnection): Promise<string | null> {
  const stamp = await readStamp(connection);
  return isCopyStamp(stamp) ? stamp.slice(COPY_MARK.length) : null;
}

export const markUnfinishedCopy = async (connection: PostgresConnection, revision: string): Promise<void> =>
  void (await connection.query('UPDATE graph SET stamp = $1', [COPY_MARK + revision]));

/** Throws if a stamp is that of an unfinished copy. Errors: `data_missing`. */
export function throwIfUnfinishedCopyStamp(stamp: string): void {
  if (isCopyStamp(stamp))
    throw new BonafideError(
      'data_missing',
      'The graph in PostgreSQL is an incomplete copy of another graph. Run bonafide migrate-to once more to complete it.',
    );
}

/** Throws if the graph is an unfinished copy. Errors: `data_missing`; those of the connection. */
export async function throwIfUnfinishedCopy(connection: PostgresConnection): Promise<void> {
  throwIfUnfinishedCopyStamp(await readStamp(connection));
}

/** Runs work. Converts the error for an unfinished copy to `graph_unavailable`, because check calls cannot use such a graph. */
export async function convertUnfinishedCopyError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BonafideError) || error.code !== 'data_missing') throw error;
    throw new BonafideError('graph_unavailable', error.message, { retryAfterMs: DATABASE_RETRY_AFTER_MS });
  }
}
