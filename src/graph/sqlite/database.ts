// The files of a graph: `graph.db`, which check calls read, and `records.db`, from which it is made. Check calls never open `records.db`.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BonafideError } from '../../errors.ts';
import {
  openSqliteFile,
  type Db,
  type SqliteFileType,
  WAL_CHECKPOINT_PAGES,
  runWithConvertedSqliteErrors,
} from '../../platform/sqlite.ts';
import { createLookupKeyChangeTableSql } from '../sql/publishing/key-changes.ts';
import { createFingerprintFunctions } from '../encryption/fingerprints.ts';
import { computeGraphSecretCheckValue, type GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import {
  type MetadataTable,
  GRAPH_FILE_METADATA,
  readGraphFileMetadata,
  RECORDS_FILE_METADATA,
} from './meta.ts';
import {
  GRAPH_FILE_TYPE_DEFINITION,
  RECORD_TABLES_SQL,
  RECORDS_FILE_TYPE_DEFINITION,
  RECORDS_FILE_VERSION,
  GRAPH_TABLES_SQL,
  GRAPH_FILE_VERSION,
} from './schema.ts';

export function getRecordsFilePath(graph: string): string {
  return join(dirname(graph), 'records.db');
}

/** Required content of a database file: its type, version and tables. */
interface FileContent {
  kind: SqliteFileType;
  version: number;
  schema: string;
  meta: MetadataTable<'secret_check'>;
}

const GRAPH_CONTENT: FileContent = {
  kind: GRAPH_FILE_TYPE_DEFINITION,
  version: GRAPH_FILE_VERSION,
  schema: GRAPH_TABLES_SQL,
  meta: GRAPH_FILE_METADATA,
};
const RECORD_CONTENT: FileContent = {
  kind: RECORDS_FILE_TYPE_DEFINITION,
  version: RECORDS_FILE_VERSION,
  schema: RECORD_TABLES_SQL,
  meta: RECORDS_FILE_METADATA,
};

/** Column types of the log of changed look-up keys. The first writer of a graph creates this table in `graph.db`. */
const KEY_CHANGE_TYPES = { number: 'INTEGER', bytes: 'BLOB' };

/** Returns the SQL statements that create `graph.db` of a version; null for a version that this program does not write. */
export const listGraphDatabaseSchemaStatements = (version: number): string[] | null =>
  version === GRAPH_FILE_VERSION
    ? [GRAPH_TABLES_SQL, createLookupKeyChangeTableSql('main', KEY_CHANGE_TYPES)]
    : null;
export const listRecordsDatabaseSchemaStatements = (version: number): string[] | null =>
  version === RECORDS_FILE_VERSION ? [RECORD_TABLES_SQL] : null;

export interface GraphDatabaseOptions {
  file: string;
  keys: Pick<GraphCiphersAndFingerprints, 'fingerprints'>;
  create: boolean;
}

/**
 * Opens or creates `graph.db`. Errors: those of `openSqliteFile`, `newer_database`, `foreign_database` for a file of an older version,
 * `wrong_secret`, and `graph_unavailable` if the file is missing and must not be created.
 */
export function openGraphDatabase({ file, keys, create }: GraphDatabaseOptions): Db {
  if (!existsSync(file) && !create)
    throw new BonafideError('graph_unavailable', `There is no graph at ${file}. Import records first.`);
  return openChecked(file, keys, GRAPH_CONTENT);
}

/** Opens or creates `records.db` without `graph.db`. Errors: those of `openGraphDatabase`. */
export function openOrCreateRecordsDatabase(
  file: string,
  keys: Pick<GraphCiphersAndFingerprints, 'fingerprints'>,
): Db {
  return openChecked(file, keys, RECORD_CONTENT);
}

function openChecked(
  file: string,
  { fingerprints }: Pick<GraphCiphersAndFingerprints, 'fingerprints'>,
  content: FileContent,
): Db {
  const db = openSqliteFile(file, content.kind);
  try {
    runWithConvertedSqliteErrors(
      file,
      () => prepare(db, file, computeGraphSecretCheckValue(fingerprints), content),
      content.kind,
    );
    // Look-ups through a memory mapping would take 0.6 to 0.8 of the time (test/bench/mapping.ts), but a process is killed by SIGBUS
    // when another one shortens a mapped file.
    db.pragma('cache_size = -65536');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates the tables of a new file; checks the version and the secret of an existing one. */
function prepare(
  db: Db,
  file: string,
  secretCheck: string,
  { kind, version, schema, meta }: FileContent,
): void {
  const isNew = () => db.pragma('application_id', { simple: true }) === 0;
  const create = () => {
    if (!isNew()) return;
    db.exec(schema);
    meta.write(db, 'secret_check', secretCheck);
    db.pragma(`application_id = ${kind.applicationId}`);
    db.pragma(`user_version = ${version}`);
  };
  if (isNew()) db.transaction(create).immediate();
  const foundVersion = Number(db.pragma('user_version', { simple: true }));
  if (foundVersion > version)
    throw new BonafideError(
      'newer_database',
      `${file} was made by a newer Bonafide. Update this one to read the file.`,
    );
  if (foundVersion < version)
    throw new BonafideError(
      'foreign_database',
      `${file} was made by an older Bonafide (version ${foundVersion}; this one reads version ${version}). Move the file away and import the records again.`,
    );
  if (meta.read(db, 'secret_check') !== secretCheck)
    throw new BonafideError(
      'wrong_secret',
      `${file} was made with another secret. Put back that secret as the file "secret" or in BONAFIDE_SECRET.`,
    );
}

/** True if a graph file was made under this secret (64 hexadecimal characters). Works for every version of the file. */
export function wasGraphMadeWithSecret(db: Db, secret: string): boolean {
  return (
    readGraphFileMetadata(db, 'secret_check') ===
    computeGraphSecretCheckValue(createFingerprintFunctions(secret.toLowerCase()))
  );
}

/**
 * Opens `records.db` with `graph.db` attached as the schema `graph`, so that one transaction changes both. If the process ends between the commits of
 * the two files, their stamps differ, and the records are linked again. Errors: those of `openGraphDatabase`; `data_missing` if `records.db` is
 * missing although `graph.db` contains identities.
 * @param file path of `graph.db`
 */
export function openRecordsAndGraphDatabases(file: string, keys: GraphCiphersAndFingerprints): Db {
  const records = getRecordsFilePath(file);
  const graph = openGraphDatabase({ file, keys, create: false });
  const hasIdentities = Number(readGraphFileMetadata(graph, 'identities') ?? 0) > 0;
  graph.close();
  if (hasIdentities && !existsSync(records))
    throw new BonafideError(
      'data_missing',
      `${records} is missing, and ${file} was made from it. Checks work, but records cannot be imported, linked or shown. Put the file back or restore a backup. To start again with an empty graph, delete ${file} as well.`,
    );
  return runWithConvertedSqliteErrors(
    records,
    () => attach(file, openOrCreateRecordsDatabase(records, keys)),
    RECORDS_FILE_TYPE_DEFINITION,
  );
}

function attach(file: string, db: Db): Db {
  try {
    db.prepare('ATTACH DATABASE ? AS graph').run(resolve(file));
    // Files of older versions of Bonafide lack this table.
    db.exec(createLookupKeyChangeTableSql('graph', KEY_CHANGE_TYPES));
    db.pragma('graph.synchronous = NORMAL');
    db.pragma('graph.cache_size = -65536');
    db.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
