import { BonafideError } from '../../errors.ts';
import { checkOf } from '../sealed/keys.ts';
import type { GraphKeys } from '../sealed/keys.ts';
import type { Pool, Reserved } from './connect.ts';
import { asGraphError } from './errors.ts';
import { laterStatements, LOCKS, OLDEST, tableStatements, VERSION } from './schema.ts';
import { refuseUnfinished } from './unfinished.ts';

export interface TablesOptions {
  /** Opens the pool on which they are made. */
  writing(): Promise<Pool>;
  keys: Pick<GraphKeys, 'fingerprints'>;
  /** Make the tables where there are none. */
  create: boolean;
  /** In how many pieces; see `PIECES`. */
  pieces: number;
  /** Let in whoever fills a copy of another graph, too. */
  unfinished: boolean;
}

/**
 * Makes the tables of a graph where they are missing, and checks that this version can use them and that the secret is theirs. Answers of
 * which version they are.
 *
 * Errors: those of the pool; `newer_database`, `wrong_secret`, `data_missing` of a copy that is not whole, `graph_unavailable` where they are
 * missing and may not be made.
 */
export async function prepareTables(
  pool: Pool,
  { keys, create, pieces, unfinished, writing }: TablesOptions,
): Promise<number> {
  const check = checkOf(keys.fingerprints);
  if (!(await areThere(pool))) {
    if (!create) throw asGraphError({ code: '42P01' });
    await makeTables(await writing(), check, pieces);
  }
  const [row] = await pool.query('SELECT oldest, secret_check, version, stamp FROM bonafide.graph');
  const [oldest, made, version, stamp] = row ?? [];
  if (Number(oldest) > VERSION)
    throw new BonafideError(
      'newer_database',
      'The graph’s tables were made by a newer Bonafide: update this one to use them.',
    );
  if (made !== check)
    throw new BonafideError(
      'wrong_secret',
      'The secret does not belong to the graph in the database: put back the file "secret" (or BONAFIDE_SECRET) that it was made with.',
    );
  if (!unfinished) refuseUnfinished(stamp);
  return Number(version);
}

/** Brings tables of the version before up to this one: for who writes, who may be another role than those that read. Errors: those of the pool. */
export function bringUpToDate(pool: Pool): Promise<void> {
  return locked(pool, async (connection) => void (await connection.query(laterStatements())));
}

const areThere = async (on: Pick<Pool, 'query'>) =>
  (await on.query(`SELECT to_regclass('bonafide.graph')`))[0]?.[0] !== null;

const makeTables = (pool: Pool, check: string, pieces: number) =>
  locked(pool, (connection) => makeOnce(connection, check, pieces));

/** One after the other, of several servers that start at once. */
async function locked(pool: Pool, work: (connection: Reserved) => Promise<void>): Promise<void> {
  const connection = await pool.reserve();
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.making]);
    await work(connection);
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
    OLDEST,
    check,
  ]);
}
