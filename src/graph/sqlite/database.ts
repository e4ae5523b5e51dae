import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { connect, translated, type Db } from '../../platform/sqlite.ts';
import { graphSecretCheck, type GraphKeys } from '../encryption/keys.ts';
import { readMeta, writeMeta } from './meta.ts';
import { GRAPH, SCHEMA, VERSION } from './schema.ts';
import { createFingerprints } from '../encryption/fingerprints.ts';

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
