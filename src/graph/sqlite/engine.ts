import type { Db } from '../../platform/sqlite.ts';
import { type Fingerprints, fingerprintsOf } from '../fingerprints.ts';
import type { KeepingGraph } from '../graph.ts';
import { resolve } from '../resolve/resolve.ts';
import { type Sealing, sealingOf } from '../sealing.ts';
import { openDatabase, translated } from './database.ts';
import { guardOf } from './guard.ts';
import { readMeta } from './meta.ts';
import { momentReader } from './read/moment.ts';
import { graphReader } from './read/reader.ts';
import { graphStats, graphWarnings } from './stats.ts';
import { openWriter, type SqliteWriter } from './write/writer.ts';

export interface SqliteGraphOptions {
  file: string;
  /** 64 hex characters; see `loadSecret`. */
  secret: string;
  /** Make the file where there is none; it is unless this is false. */
  create?: boolean;
}

/**
 * The embedded engine: one SQLite file, read by prepared statements inside one read transaction for all checks of a turn of the
 * event loop (a transaction costs more than the look-ups in it). Records and linking have a connection of their own, opened when first
 * asked for, so that what they write and the moment that checks read do not meet.
 * Errors: those of `openDatabase` on opening; `graph_unavailable`, `graph_bad_response` of `resolve`; those of SQLite, in our codes, else.
 */
export function openSqliteGraph({ file, secret, create = true }: SqliteGraphOptions): KeepingGraph {
  const [fingerprints, sealing] = [fingerprintsOf(secret), sealingOf(secret)];
  const db = openDatabase({ file, fingerprints, sealing, create });
  try {
    return translated(file, () => engineOn({ db, file, fingerprints, sealing }));
  } catch (error) {
    db.close();
    throw error;
  }
}

interface Open {
  db: Db;
  file: string;
  fingerprints: Fingerprints;
  sealing: Sealing;
}

function engineOn({ db, file, fingerprints, sealing }: Open): KeepingGraph {
  const guard = guardOf(db, file);
  const reader = graphReader(db, sealing);
  const sameMoment = momentReader(db, reader.forget);
  let writer: SqliteWriter | undefined;
  const writing = () => (writer ??= openWriter({ file, fingerprints, sealing }));
  return {
    engine: 'sqlite',
    resolve: (query) => guard.ask(() => sameMoment(() => resolve(query, reader, fingerprints))),
    stats: () => translated(file, () => graphStats(db)),
    warnings: () => translated(file, () => graphWarnings(db)),
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
  };
}
