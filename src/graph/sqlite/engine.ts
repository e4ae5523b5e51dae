import { existsSync } from 'node:fs';
import { BonafideError } from '../../errors.ts';
import { type Db, runWithConvertedSqliteErrors } from '../../platform/sqlite.ts';
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import type { RecordStoringGraph } from '../graph.ts';
import { resolveGraphQuery } from '../resolve/resolve.ts';
import { getRecordsFilePath } from './database.ts';
import { createGraphFileDamageGuard, createSharedReadTransactionRunner } from './guard.ts';
import { readGraphFileMetadata, readGraphStats, readPublishedTotals } from './meta.ts';
import { createSqliteGraphReader } from './reader.ts';
import { GRAPH_FILE_TYPE_DEFINITION } from './schema.ts';
import { openSqliteWriter, type SqliteWriter } from './write/writer.ts';

export interface SqliteGraphOptions {
  db: Db;
  file: string;
  keys: GraphCiphersAndFingerprints;
  storesFullRecords: boolean;
}

/**
 * Creates the embedded graph. Check calls in one turn of the event loop share a read transaction. Records are changed by another connection, which
 * opens at first use. Errors: `graph_unavailable` and `graph_bad_response` for check calls; otherwise those of `openRecordsAndGraphDatabases` and of
 * SQLite.
 */
export function createSqliteGraph({
  db,
  file,
  keys,
  storesFullRecords,
}: SqliteGraphOptions): RecordStoringGraph {
  const guard = createGraphFileDamageGuard(db, file);
  const reader = createSqliteGraphReader(db, keys);
  const readInTurn = createSharedReadTransactionRunner(db, reader.forget);
  let writer: SqliteWriter | undefined;
  const openedWriter = () => (writer ??= openSqliteWriter(file, keys, storesFullRecords));
  const hasRecords = () => existsSync(getRecordsFilePath(file));
  const graph = {
    engine: 'sqlite',
    resolve: (query) =>
      guard.run(() => readInTurn(() => resolveGraphQuery(query, reader, keys.fingerprints))),
    stats: () =>
      hasRecords()
        ? openedWriter().stats()
        : runWithConvertedSqliteErrors(file, () => readGraphStats(db, false), GRAPH_FILE_TYPE_DEFINITION),
    warnings: () =>
      errorAsWarning(async () => (hasRecords() ? openedWriter().warnings() : warningsWithoutRecords(db))),
    ping() {
      guard.run(() => readGraphFileMetadata(db, 'secret_check'));
      guard.refuseDamage();
    },
    close() {
      writer?.close();
      db.close();
    },
  } satisfies Partial<RecordStoringGraph>;
  return withDeferred(
    graph,
    ['records', 'linking', 'erasing', 'manualLinks', 'moving', 'verifying', 'changes'],
    openedWriter,
  );
}

/** Adds to `object` the named members of another object, which `open` creates when one of them is first used. */
function withDeferred<T extends object, K extends string, V extends object>(
  object: T,
  names: readonly (K & keyof V)[],
  open: () => V,
): T & Pick<V, K & keyof V> {
  const getters = names.map((name) => [name, { enumerable: true, get: () => open()[name] }]);
  return Object.defineProperties(object, Object.fromEntries(getters)) as T & Pick<V, K & keyof V>;
}

/** Returns the warnings of `read`, or its error as a warning: a damaged `records.db` must not stop check calls, which do not need it. */
async function errorAsWarning(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BonafideError)) throw error;
    return [error.message];
  }
}

function warningsWithoutRecords(db: Db): string[] {
  if (readPublishedTotals(db).identities === 0) return [];
  return [
    'The file records.db is missing. Checks work, but nothing can be imported, linked or shown. Put the file back or restore a backup.',
  ];
}
