import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../graph.ts';
import { loadSecret } from '../encryption/secret.ts';
import { openPostgresGraph } from './engine.ts';

export interface OpenPostgresOptions {
  dataDir: string;
  /** From the environment; else the one in the folder. */
  secret?: string | undefined;
  /** Address of the database, or a file whose first line it is. */
  database?: string | undefined;
  databaseFile?: string | undefined;
  deadlineMs?: number | undefined;
  /** Whether imports keep what records say of contacts. */
  storesFullRecords?: boolean | undefined;
  /** Make secret and tables where they are missing; they are unless this is false. */
  create?: boolean;
  /** In how many pieces the large ones are made. */
  pieces?: number | undefined;
  /** Use a copy that is not whole. */
  allowUnfinishedCopy?: boolean | undefined;
}

/**
 * The graph of the database that the settings name.
 * Errors: `invalid_config` where they name none; those of `loadSecret`.
 */
export function openPostgres(options: OpenPostgresOptions): RecordGraph {
  const { dataDir, create, allowUnfinishedCopy: unfinished, pieces, deadlineMs, storesFullRecords } = options;
  const url = databaseOf(options);
  const secret = loadSecret(dataDir, options.secret);
  const folder = existsSync(dataDir) ? dataDir : tmpdir();
  const links = join(dataDir, 'link.db');
  return openPostgresGraph({
    url,
    secret,
    folder,
    links,
    create,
    allowUnfinishedCopy: unfinished,
    pieces,
    deadlineMs,
    storesFullRecords,
  });
}

/** The address of the database that the settings name. Errors: `invalid_config` where they name none; it repeats nothing of them. */
export function databaseOf({
  database,
  databaseFile,
}: Pick<OpenPostgresOptions, 'database' | 'databaseFile'>): string {
  if (database !== undefined) return database;
  if (databaseFile === undefined)
    throw new BonafideError(
      'invalid_config',
      'graph.engine is postgres: name its database in graph.database, or in the file of graph.databaseFile.',
    );
  const [line = ''] = firstLine(databaseFile);
  if (/^postgres(ql)?:\/\//.test(line) && URL.canParse(line)) return line;
  throw new BonafideError(
    'invalid_config',
    'The first line of graph.databaseFile is no address such as postgres://bonafide@db.example/bonafide.',
  );
}

function firstLine(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1);
  } catch {
    throw new BonafideError('invalid_config', 'The file of graph.databaseFile cannot be read.');
  }
}
