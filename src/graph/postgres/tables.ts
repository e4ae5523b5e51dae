import { BonafideError } from '../../errors.ts';
import { graphSecretCheck, type GraphKeys } from '../encryption/keys.ts';
import type { Pool, Reserved, Connection } from './connect.ts';
import { asGraphError } from './errors.ts';
import { LOCKS, tableStatements, VERSION } from './schema.ts';

export interface TablesOptions {
  /** Opens the pool on which they are made. */
  writing(): Promise<Pool>;
  keys: Pick<GraphKeys, 'fingerprints'>;
  /** Make the tables where there are none. */
  create: boolean;
  /** In how many pieces; see `PIECES`. */
  pieces: number;
  /** Let in whoever fills a copy of another graph, too. */
  allowUnfinishedCopy: boolean;
}

/**
 * Creates the tables of a graph if they are missing. Checks that they are of this version and were made with this secret.
 *
 * Errors: those of the pool; `foreign_database` for a schema of another program or for tables of an older version, `newer_database`,
 * `wrong_secret`, `data_missing` for an incomplete copy, `graph_unavailable` if the tables are missing and must not be created.
 */
export async function prepareTables(
  pool: Pool,
  { keys, create, pieces, allowUnfinishedCopy: unfinished, writing }: TablesOptions,
): Promise<void> {
  const check = graphSecretCheck(keys.fingerprints);
  if (!(await areThere(pool))) {
    if (!create) throw await missing(pool);
    await makeTables(await writing(), check, pieces);
  }
  const [row] = await pool.query<[number, string, number, string]>(
    'SELECT oldest, secret_check, version, stamp FROM bonafide.graph',
  );
  if (!row) throw FOREIGN;
  const [oldest, made, version, stamp] = row;
  if (Number(oldest) > VERSION)
    throw new BonafideError(
      'newer_database',
      'The graph’s tables were made by a newer Bonafide: update this one to use them.',
    );
  if (Number(version) < VERSION)
    throw new BonafideError(
      'foreign_database',
      `The graph’s tables were made by an older Bonafide (version ${version}; this one reads version ${VERSION}). Drop the schema "bonafide" and import the records again.`,
    );
  if (made !== check)
    throw new BonafideError(
      'wrong_secret',
      'The secret does not belong to the graph in the database: put back the file "secret" (or BONAFIDE_SECRET) that it was made with.',
    );
  if (!unfinished) refuseUnfinished(stamp);
}

/** Of the columns that are read below, how many there are, and whether there is anything at all. */
const FOUND = `
SELECT
  (SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('bonafide.graph') AND NOT attisdropped
    AND attname IN ('version', 'oldest', 'secret_check', 'stamp')),
  EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('bonafide'))`;

/** Errors: `foreign_database` of a schema that somebody else has for something else; those of the pool. */
async function areThere(on: Pick<Pool, 'query'>): Promise<boolean> {
  const [[columns, isAny] = []] = await on.query(FOUND);
  if (isAny === true && columns !== 4) throw FOREIGN;
  return isAny === true;
}

const FOREIGN = new BonafideError(
  'foreign_database',
  'The database that graph.database names has a schema "bonafide" that holds no graph: name another database, or rename that schema.',
);

const MAY_MAKE = `
SELECT coalesce(has_schema_privilege(to_regnamespace('bonafide')::oid, 'CREATE'), has_database_privilege(current_database(), 'CREATE'))`;

/** Why the tables are not there, where they are not to be made now. */
async function missing(on: Pick<Pool, 'query'>): Promise<BonafideError> {
  if ((await on.query(MAY_MAKE))[0]?.[0] === true) return asGraphError({ code: '42P01' });
  return new BonafideError(
    'graph_unavailable',
    'The graph’s tables are not there, and the role that graph.database names may not make them: import records as one that may; see the page postgres',
  );
}

/** Creates the tables under a lock: several servers may start at once. */
async function makeTables(pool: Pool, check: string, pieces: number): Promise<void> {
  const connection = await pool.reserve();
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.making]);
    await makeOnce(connection, check, pieces);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

async function makeOnce(connection: Reserved, check: string, pieces: number): Promise<void> {
  if (await areThere(connection)) return;
  await connection.query(tableStatements(pieces));
  await connection.query('INSERT INTO bonafide.graph (version, oldest, secret_check) VALUES ($1, $2, $3)', [
    VERSION,
    VERSION,
    check,
  ]);
}

// A copy of another graph that is not whole says so in the place of its stamp, which publishing it gives anew: whoever reads of the graph sees it.
const MARK = 'a copy that is not whole, of revision ';
const TEXT =
  'The graph in this PostgreSQL is a copy that was interrupted, or still goes on. Run bonafide migrate-to once more.';
const RETRY_AFTER_MS = 1000;

const STAMP = 'SELECT stamp FROM graph';

/** Of which revision of another graph this is a copy that is not whole; null where it is none. */
export async function copiedOf(on: Connection): Promise<string | null> {
  const [[stamp = ''] = []] = await on.query<[string]>(STAMP);
  return isUnfinished(stamp) ? stamp.slice(MARK.length) : null;
}

export const markUnfinished = async (on: Connection, revision: string): Promise<void> =>
  void (await on.query('UPDATE graph SET stamp = $1', [MARK + revision]));

const isUnfinished = (stamp: string | null | undefined): stamp is string => stamp?.startsWith(MARK) === true;

/** Errors: data_missing. */
export function refuseUnfinished(stamp: string | null | undefined): void {
  if (isUnfinished(stamp)) throw new BonafideError('data_missing', TEXT);
}

/** Errors: data_missing, those of the connection. */
export async function refuseCopy(on: Connection): Promise<void> {
  refuseUnfinished((await on.query<[string]>(STAMP))[0]?.[0]);
}

/** To a check it is a graph that is not there yet: it is when the copy is whole. */
export async function whereWhole<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BonafideError) || error.code !== 'data_missing') throw error;
    throw new BonafideError('graph_unavailable', error.message, { retryAfterMs: RETRY_AFTER_MS });
  }
}
