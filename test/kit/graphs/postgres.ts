// Graphs on a PostgreSQL that the tests start.
import { afterAll, onTestFinished } from 'vitest';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openPostgresGraph, type PostgresGraphOptions } from '../../../src/graph/postgres/engine.ts';
import { freshFolder } from '../folder.ts';
import { HAS_POSTGRES, type Postgres, startPostgres } from '../programs/postgres.ts';

/** Returns true if this machine has no PostgreSQL, after a message that the tests of `what` are skipped. */
export function isWithoutPostgres(what: string): boolean {
  if (!HAS_POSTGRES)
    process.stderr.write(
      `No PostgreSQL is here: the tests of ${what} are LEFT OUT. apt-get install postgresql\n`,
    );
  return !HAS_POSTGRES;
}

/** Settings without durability, for tests that cut no power. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Returns a function that starts the server of a test file at its first call. The server is removed after the file. */
export function sharedPostgres(settings: Record<string, string> = FAST): () => Promise<Postgres> {
  let server: Promise<Postgres> | undefined;
  afterAll(async () => (await server)?.close());
  return () => (server ??= startPostgres(settings));
}

/** Opens a graph in a new database. It is closed when the test ends. */
export async function postgresGraph(
  server: Postgres,
  { secret, ...options }: Pick<PostgresGraphOptions, 'secret'> & Partial<PostgresGraphOptions>,
): Promise<RecordStoringGraph> {
  const url = await server.database();
  const graph = openPostgresGraph({ url, secret, folder: freshFolder(), ...options });
  onTestFinished(() => graph.close());
  return graph;
}
