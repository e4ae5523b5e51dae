import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { connect, translated, type Db, LOG_PAGES } from '../../platform/sqlite.ts';
import { graphSecretCheck, type GraphKeys } from '../encryption/keys.ts';
import { readMeta, writeMeta, readRecordMeta, writeRecordMeta } from './meta.ts';
import { GRAPH, SCHEMA, VERSION, RECORD_SCHEMA, RECORDS, RECORDS_VERSION } from './schema.ts';
import { createFingerprints } from '../encryption/fingerprints.ts';
import { dirname, join, resolve } from 'node:path';

export interface DatabaseOptions {
  file: string;
  keys: GraphKeys;
  /** Make the file where there is none. */
  create: boolean;
}

/**
 * Opens the graph file and creates it if it is missing. Checks that it is a Bonafide graph of this version, made with this secret.
 * Errors: those of `connect` in platform/sqlite.ts, `newer_database`, `foreign_database`, `wrong_secret`, and `graph_unavailable` if the
 * file is missing and must not be created.
 */
export function openDatabase(options: DatabaseOptions): Db {
  const { file, create } = options;
  if (!existsSync(file) && !create)
    throw new BonafideError('graph_unavailable', `There is no graph at ${file}: import records first.`);
  const db = connect(file, GRAPH);
  try {
    translated(file, () => prepareFile(db, options), GRAPH);
    // No memory mapping, though look-ups would take 0.6 to 0.8 of the time (test/bench/mapping.ts): the process ends with SIGBUS where
    // somebody cuts short a file that is mapped.
    db.pragma('cache_size = -65536');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates the tables of a new file. Errors: `newer_database`, `foreign_database` for an older version, `wrong_secret`. */
function prepareFile(db: Db, { file, keys }: DatabaseOptions): void {
  const check = graphSecretCheck(keys.fingerprints);
  if (db.pragma('application_id', { simple: true }) === 0) makeTables(db, check);
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > VERSION)
    throw new BonafideError(
      'newer_database',
      `${file} was made by a newer Bonafide: update this one to read it.`,
    );
  if (version < VERSION)
    throw new BonafideError(
      'foreign_database',
      `${file} was made by an older Bonafide (version ${version}; this one reads version ${VERSION}). Move the file away and import the records again.`,
    );
  if (readMeta(db, 'secret_check') !== check)
    throw new BonafideError(
      'wrong_secret',
      `The secret does not belong to ${file}: put back the file "secret" (or BONAFIDE_SECRET) that the graph was made with.`,
    );
}

function makeTables(db: Db, check: string): void {
  const make = () => {
    if (db.pragma('application_id', { simple: true }) !== 0) return;
    db.exec(SCHEMA);
    writeMeta(db, 'secret_check', check);
    db.pragma(`application_id = ${GRAPH.applicationId}`);
    db.pragma(`user_version = ${VERSION}`);
  };
  db.transaction(make).immediate();
}

/** Does a secret (64 hex characters) belong to a graph, of whatever version? */
export function isSecretOf(db: Db, secret: string): boolean {
  return readMeta(db, 'secret_check') === graphSecretCheck(createFingerprints(secret.toLowerCase()));
}

// The records that a graph is made from, in a file of their own: a check never opens it, and a server that only answers can do without.
/** The file of the records beside the graph's. */
export function recordsFile(graph: string): string {
  return join(dirname(graph), 'records.db');
}

/** The records alone; makes the file where there is none. Errors: those of `connect`, `newer_database`, `wrong_secret`. */
export function connectRecords(file: string, { fingerprints }: Pick<GraphKeys, 'fingerprints'>): Db {
  const db = connect(file, RECORDS);
  try {
    translated(file, () => prepareRecords(db, file, graphSecretCheck(fingerprints)), RECORDS);
    db.pragma('cache_size = -65536');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepareRecords(db: Db, file: string, check: string): void {
  const make = () => {
    if (db.pragma('application_id', { simple: true }) !== 0) return;
    db.exec(RECORD_SCHEMA);
    writeRecordMeta(db, 'secret_check', check);
    writeRecordMeta(db, 'revision', '0');
    db.pragma(`application_id = ${RECORDS.applicationId}`);
    db.pragma(`user_version = ${RECORDS_VERSION}`);
  };
  if (db.pragma('application_id', { simple: true }) === 0) db.transaction(make).immediate();
  if (Number(db.pragma('user_version', { simple: true })) > RECORDS_VERSION)
    throw new BonafideError(
      'newer_database',
      `${file} was made by a newer Bonafide: update this one to read it.`,
    );
  if (readRecordMeta(db, 'secret_check') !== check)
    throw new BonafideError(
      'wrong_secret',
      `The secret does not belong to ${file}: put back the file "secret" (or BONAFIDE_SECRET) that the records were imported with.`,
    );
}

/**
 * Opens the records, and the graph that is made from them as the schema `graph` of the same connection: so one transaction changes both.
 * SQLite commits one file after the other, in this order. Where a process is killed in between, the records know of a publication that
 * the graph does not, which `link_stamp` tells, and linking all records again makes the same of them.
 *
 * @param file the graph's
 * Errors: those of `openDatabase`; `data_missing` where the graph was made from records that are gone.
 */
export function openRecords(file: string, keys: GraphKeys): Db {
  const records = recordsFile(file);
  const graph = openDatabase({ file, keys, create: false });
  try {
    if (!existsSync(records) && Number(readMeta(graph, 'identities') ?? 0) > 0) throw gone(records, file);
  } finally {
    graph.close();
  }
  return translated(records, () => attached(file, connectRecords(records, keys)), RECORDS);
}

function attached(file: string, db: Db): Db {
  try {
    db.prepare('ATTACH DATABASE ? AS graph').run(resolve(file));
    db.pragma('graph.synchronous = NORMAL');
    db.pragma('graph.cache_size = -65536');
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const gone = (records: string, graph: string) =>
  new BonafideError(
    'data_missing',
    `${records} is gone, and ${graph} was made from it: checks are answered, but records cannot be looked at, imported or linked. Put it back, or restore a backup; to begin without it, delete ${graph} as well.`,
  );
