import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BonafideError } from '../../../errors.ts';
import { type Db, translated, LOG_PAGES } from '../../../platform/sqlite.ts';
import { openDatabase } from '../database.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { readMeta } from '../meta.ts';
import { connectRecords, recordsFile } from '../records-file.ts';
import { RECORDS } from '../schema.ts';

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
