// Graphs on a PostgreSQL of the tests' own.
import { afterAll, onTestFinished } from 'vitest';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openPostgresGraph, type PostgresGraphOptions } from '../../../src/graph/postgres/engine.ts';
import { freshFolder } from '../folder.ts';
import { HAS_POSTGRES, type Postgres, startPostgres } from '../programs/postgres.ts';

/** Is there no PostgreSQL for the tests of this? Then it is told that they are left out. */
export function isWithoutPostgres(what: string): boolean {
  if (!HAS_POSTGRES)
    process.stderr.write(
      `No PostgreSQL is here: the tests of ${what} are LEFT OUT. apt-get install postgresql\n`,
    );
  return !HAS_POSTGRES;
}

/** Where a power cut is not what is tested. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** The server of a test file, started when it is first asked for, and gone with the file. */
export function sharedPostgres(settings: Record<string, string> = FAST): () => Promise<Postgres> {
  let server: Promise<Postgres> | undefined;
  afterAll(async () => (await server)?.close());
  return () => (server ??= startPostgres(settings));
}

/** A graph in a new database, closed when the test ends. */
export async function postgresGraph(
  server: Postgres,
  { secret, ...options }: Pick<PostgresGraphOptions, 'secret'> & Partial<PostgresGraphOptions>,
): Promise<RecordStoringGraph> {
  const url = await server.database();
  const graph = openPostgresGraph({ url, secret, folder: freshFolder(), ...options });
  onTestFinished(() => graph.close());
  return graph;
}
