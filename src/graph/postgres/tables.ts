import { BonafideError } from '../../errors.ts';
import { checkOf } from '../sealed/keys.ts';
import type { GraphKeys } from '../sealed/keys.ts';
import type { Pool, Reserved } from './connect.ts';
import { asGraphError } from './errors.ts';
import { LOCKS, OLDEST, tableStatements, VERSION } from './schema.ts';

export interface TablesOptions {
  /** Opens the pool on which they are made. */
  writing(): Promise<Pool>;
  keys: Pick<GraphKeys, 'fingerprints'>;
  /** Make the tables where there are none. */
  create: boolean;
}

/**
 * Makes the tables of a graph where they are missing, and checks that this version can use them and that the secret is theirs.
 * Errors: those of the pool; `newer_database`, `wrong_secret`, `graph_unavailable` where they are missing and may not be made.
 */
export async function prepareTables(pool: Pool, { keys, create, writing }: TablesOptions): Promise<void> {
  const check = checkOf(keys.fingerprints);
  if (!(await areThere(pool))) {
    if (!create) throw asGraphError({ code: '42P01' });
    await makeTables(await writing(), check);
  }
  const [row] = await pool.query('SELECT oldest, secret_check FROM bonafide.graph');
  const [oldest, made] = row ?? [];
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
}

const areThere = async (on: Pick<Pool, 'query'>) =>
  (await on.query(`SELECT to_regclass('bonafide.graph')`))[0]?.[0] !== null;

async function makeTables(pool: Pool, check: string): Promise<void> {
  const connection = await pool.reserve();
  try {
    await connection.query('BEGIN');
    await makeOnce(connection, check);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

/** Of several servers that start at once, one makes them. */
async function makeOnce(connection: Reserved, check: string): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.making]);
  if (await areThere(connection)) return;
  await connection.query(tableStatements());
  await connection.query('INSERT INTO bonafide.graph (version, oldest, secret_check) VALUES ($1, $2, $3)', [
    VERSION,
    OLDEST,
    check,
  ]);
}
