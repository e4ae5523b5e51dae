import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { connect, translated } from '../../platform/sqlite.ts';
import type { Db } from '../../platform/sqlite.ts';
import { checkOf, type GraphKeys } from '../encryption/keys.ts';
import { readMeta, writeMeta } from './meta.ts';
import { migrate } from './migrate/migrate.ts';
import { GRAPH, SCHEMA, VERSION } from './schema.ts';

export interface DatabaseOptions {
  file: string;
  keys: GraphKeys;
  /** Make the file where there is none. */
  create: boolean;
}

/**
 * Opens the graph file, makes it where it is missing, brings it up to this version, and checks that it is ours and that the secret is
 * its own.
 * Errors: those of `connect` in platform/sqlite.ts, `newer_database`, `wrong_secret`, and `graph_unavailable` where it may not be made.
 */
export function openDatabase(options: DatabaseOptions): Db {
  const { file, create } = options;
  if (!existsSync(file) && !create)
    throw new BonafideError('graph_unavailable', `There is no graph at ${file}: import records first.`);
  const db = connect(file, GRAPH);
  try {
    if (translated(file, () => prepareFile(db, options), GRAPH) < VERSION) return upgraded(db, options);
    // No memory mapping, though look-ups would take 0.6 to 0.8 of the time (test/bench/mapping.ts): the process ends with SIGBUS where
    // somebody cuts short a file that is mapped.
    db.pragma('cache_size = -65536');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function upgraded(db: Db, options: DatabaseOptions): Db {
  // An upgrade has the file to itself.
  db.close();
  migrate(options.file, options.keys);
  return openDatabase(options);
}

/** Makes the tables of a new file, refuses one that is not ours, and answers which version it is of. */
function prepareFile(db: Db, { file, keys }: DatabaseOptions): number {
  const check = checkOf(keys.fingerprints);
  if (db.pragma('application_id', { simple: true }) === 0) makeTables(db, check);
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > VERSION)
    throw new BonafideError(
      'newer_database',
      `${file} was made by a newer Bonafide: update this one to read it.`,
    );
  if (readMeta(db, 'secret_check') !== check)
    throw new BonafideError(
      'wrong_secret',
      `The secret does not belong to ${file}: put back the file "secret" (or BONAFIDE_SECRET) that the graph was made with.`,
    );
  return version;
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
