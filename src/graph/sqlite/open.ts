import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { canRebuildGraph, createGraphFileMissingError } from '../../platform/data-folder.ts';
import { openSqliteFileReadOnly, type Db, runWithConvertedSqliteErrors } from '../../platform/sqlite.ts';
import type { GraphErasureOperations } from '../capabilities.ts';
import { createEarlierSecrets, deriveGraphCiphersAndFingerprints } from '../encryption/keys.ts';
import { loadOrCreateSecret } from '../encryption/secret.ts';
import type { RecordStoringGraph } from '../graph.ts';
import { createSuppressionList } from '../sql/suppression-list.ts';
import { openGraphDatabase, getRecordsFilePath } from './database.ts';
import { createSqliteGraph } from './engine.ts';
import { openEarlierSecretStorage, readGraphFileMetadata } from './meta.ts';
import { GRAPH_FILE_TYPE_DEFINITION, RECORDS_FILE_TYPE_DEFINITION } from './schema.ts';
import { createSqliteSession } from './session.ts';

export function getGraphFilePath(dataDir: string): string {
  return join(dataDir, 'graph.db');
}

export interface OpenSqliteGraphOptions {
  dataDir: string;
  /** Secret of the graph (64 hexadecimal characters). Default: the secret in the data folder. */
  secret?: string | undefined;
  /** True to create a missing secret or file; false to throw for it. Default: true. */
  create?: boolean;
  storesFullRecords?: boolean | undefined;
  allowUnfinishedCopy?: boolean | undefined;
}

/**
 * Opens the embedded graph of a data folder. Errors: those of `loadOrCreateSecret` and `openGraphDatabase`; `data_missing` for an unfinished copy, and for a
 * missing `graph.db` that can be rebuilt from `records.db`.
 */
export function openSqliteGraph({
  dataDir,
  secret,
  create = true,
  ...options
}: OpenSqliteGraphOptions): RecordStoringGraph {
  const file = getGraphFilePath(dataDir);
  const { storesFullRecords = false, allowUnfinishedCopy = false } = options;
  if (!create && canRebuildGraph(dataDir)) throw createGraphFileMissingError(dataDir);
  if (!create && !existsSync(file))
    throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}. Import records first.`);
  const keys = deriveGraphCiphersAndFingerprints(loadOrCreateSecret(dataDir, secret));
  const db = openGraphDatabase({ file, keys, create });
  const open = () => {
    if (!allowUnfinishedCopy) refuseUnfinishedCopy(db, file);
    return createSqliteGraph({ db, file, keys, storesFullRecords });
  };
  try {
    return runWithConvertedSqliteErrors(file, open, GRAPH_FILE_TYPE_DEFINITION);
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseUnfinishedCopy(db: Db, file: string): void {
  if (readGraphFileMetadata(db, 'copied_of') === null) return;
  throw new BonafideError(
    'data_missing',
    `${file} is an incomplete copy of another graph. Run bonafide migrate-to once more to complete it.`,
  );
}

/** Suppression list of a data folder, opened only for reading. */
export interface ReadOnlySuppressionList {
  secret: string;
  checkSuppressed: GraphErasureOperations['checkSuppressed'];
  close(): void;
}

/**
 * Opens the suppression list of a data folder without changing any file. Null if the list is empty. Errors: those of `loadOrCreateSecret`; those for
 * an unreadable database.
 * @param secret secret from the environment. Default: the secret in the data folder
 */
export function openReadOnlySuppressionList(
  dataDir: string,
  secret?: string,
): ReadOnlySuppressionList | null {
  const file = getRecordsFilePath(getGraphFilePath(dataDir));
  if (!existsSync(file)) return null;
  const keys = deriveGraphCiphersAndFingerprints(loadOrCreateSecret(dataDir, secret));
  const db = openSqliteFileReadOnly(file, RECORDS_FILE_TYPE_DEFINITION);
  const open = () => {
    if (db.prepare('SELECT 1 FROM forgotten LIMIT 1').get() === undefined) return null;
    const earlier = createEarlierSecrets(openEarlierSecretStorage(db), keys);
    const session = createSqliteSession(db, file);
    const { countMatches } = createSuppressionList(session, earlier.allFingerprints);
    return { secret: keys.secret, checkSuppressed: countMatches, close: () => void db.close() };
  };
  const list = runWithConvertedSqliteErrors(file, open, RECORDS_FILE_TYPE_DEFINITION);
  if (list === null) db.close();
  return list;
}
