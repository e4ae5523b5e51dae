import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { type Db, translated } from '../../platform/sqlite.ts';
import type { RecordGraph } from '../graph.ts';
import { resolveQuery } from '../resolve/resolve.ts';
import { openDatabase, recordsFile } from './database.ts';
import { guardOf, momentReader } from './guard.ts';
import { type GraphKeys, deriveGraphKeys } from '../encryption/keys.ts';
import { readMeta, statsWithoutRecords, warningsWithoutRecords } from './meta.ts';
import { GRAPH } from './schema.ts';
import { graphReader } from './reader.ts';
import { openWriter, type SqliteWriter } from './write/writer.ts';

export interface SqliteGraphOptions {
  file: string;
  /** 64 hex characters; see `loadSecret`. */
  secret: string;
  /** Make the file where there is none; it is unless this is false. */
  create?: boolean;
  /** Keep whole records, sealed. */
  keepsWhole?: boolean | undefined;
  /** Use a copy of another graph that is not whole: for whoever fills it. */
  allowUnfinishedCopy?: boolean | undefined;
}

/**
 * The embedded engine: one SQLite file, read by prepared statements inside one read transaction for all checks of a turn of the
 * event loop (a transaction costs more than the look-ups in it). Records and linking have a connection of their own, opened when first
 * asked for, so that what they write and the moment that checks read do not meet.
 * Errors: those of `openDatabase` on opening, `data_missing` of a copy that is not whole; `graph_unavailable`, `graph_bad_response` of `resolve`; those of SQLite, in our codes, else.
 */
export function openSqliteGraph({
  file,
  secret,
  create = true,
  keepsWhole,
  allowUnfinishedCopy: unfinished = false,
}: SqliteGraphOptions): RecordGraph {
  const keys = deriveGraphKeys(secret);
  const db = openDatabase({ file, keys, create });
  try {
    if (!unfinished) translated(file, () => refuseUnfinished(db, file), GRAPH);
    return translated(file, () => engineOn({ db, file, keys, keepsWhole }), GRAPH);
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseUnfinished(db: Db, file: string): void {
  if (readMeta(db, 'copied_of') !== null)
    throw new BonafideError(
      'data_missing',
      `${file} is a copy of another graph that was interrupted, or still goes on. Run bonafide migrate-to once more.`,
    );
}

interface Open {
  db: Db;
  file: string;
  keys: GraphKeys;
  keepsWhole: boolean | undefined;
}

function engineOn({ db, file, keys, keepsWhole }: Open): RecordGraph {
  const guard = guardOf(db, file);
  const reader = graphReader(db, keys);
  const sameMoment = momentReader(db, reader.forget);
  let writer: SqliteWriter | undefined;
  const writing = () => (writer ??= openWriter(file, keys, keepsWhole));
  const hasRecords = () => existsSync(recordsFile(file));
  return {
    engine: 'sqlite',
    resolve: (query) => guard.ask(() => sameMoment(() => resolveQuery(query, reader, keys.fingerprints))),
    stats: () => (hasRecords() ? writing().stats() : translated(file, () => statsWithoutRecords(db), GRAPH)),
    warnings: () =>
      warningsOf(async () => (hasRecords() ? writing().warnings() : warningsWithoutRecords(db))),
    ping() {
      guard.ask(() => readMeta(db, 'secret_check'));
      guard.refuseDamage();
    },
    close() {
      writer?.close();
      db.close();
    },
    get records() {
      return writing().records;
    },
    get linking() {
      return writing().linking;
    },
    get erasing() {
      return writing().erasing;
    },
    get manualLinks() {
      return writing().manualLinks;
    },
    get moving() {
      return writing().moving;
    },
    get verifying() {
      return writing().verifying;
    },
  };
}

/** Checks do without the records, so a file of theirs that cannot be used is told, and no more. */
async function warningsOf(ask: () => Promise<string[]>): Promise<string[]> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return [error.message];
  }
}
