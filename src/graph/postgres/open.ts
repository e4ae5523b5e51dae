import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { readTextFile } from '../../platform/files.ts';
import {
  findPostgresAddressProblem,
  parsePostgresHostList,
  POSTGRES_ADDRESS_DESCRIPTION,
} from '../../platform/postgres/address.ts';
import { loadOrCreateSecret } from '../encryption/secret.ts';
import type { RecordStoringGraph } from '../graph.ts';
import { openPostgresGraph, type PostgresGraphOptions } from './engine.ts';

interface DatabaseSettings {
  database?: string | undefined;
  databaseFile?: string | undefined;
}

export interface ConfiguredPostgresGraphOptions
  extends DatabaseSettings, Omit<PostgresGraphOptions, 'url' | 'secret' | 'folder' | 'linkFile' | 'readers'> {
  dataDir: string;
  /** Secret of the graph (64 hexadecimal characters). Default: the secret in the data folder. */
  secret?: string | undefined;
  readers?: string | string[] | undefined;
}

/** Opens the graph in the PostgreSQL database that the settings name. Errors: those of `getDatabaseUrl` and of `loadOrCreateSecret`. */
export function openConfiguredPostgresGraph({
  dataDir,
  secret,
  readers,
  ...options
}: ConfiguredPostgresGraphOptions): RecordStoringGraph {
  return openPostgresGraph({
    ...options,
    ...(readers !== undefined && { readers: parsePostgresHostList(readers) }),
    url: getDatabaseUrl(options),
    secret: loadOrCreateSecret(dataDir, secret),
    folder: existsSync(dataDir) ? dataDir : tmpdir(),
    linkFile: join(dataDir, 'link.db'),
  });
}

/** Returns the URL of the configured database. Errors: `invalid_config`, whose message contains no part of the URL. */
export function getDatabaseUrl({ database, databaseFile }: DatabaseSettings): string {
  if (database !== undefined) return database;
  if (databaseFile === undefined)
    throw new BonafideError(
      'invalid_config',
      'graph.engine is postgres, but no database is set. Set graph.database to its URL, or graph.databaseFile to a file with the URL.',
    );
  const [line = ''] = readText(databaseFile).split(/\r?\n/, 1);
  const problem = findPostgresAddressProblem(line);
  if (problem === null) return line;
  throw new BonafideError(
    'invalid_config',
    `The first line of the file in graph.databaseFile is not ${POSTGRES_ADDRESS_DESCRIPTION}: ${problem}. Correct the line.`,
  );
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    throw new BonafideError(
      'invalid_config',
      'The file with the URL of the database (graph.databaseFile) cannot be read. Check its path and permissions.',
    );
  }
}
