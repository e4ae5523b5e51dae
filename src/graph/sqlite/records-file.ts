// The records that a graph is made from, in a file of their own: a check never opens it, and a server that only answers can do without.
import { dirname, join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { connect, type Db, translated } from '../../platform/sqlite.ts';
import { graphSecretCheck, type GraphKeys } from '../encryption/keys.ts';
import { readRecordMeta, writeRecordMeta } from './meta.ts';
import { RECORD_SCHEMA, RECORDS, RECORDS_VERSION } from './schema.ts';

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
