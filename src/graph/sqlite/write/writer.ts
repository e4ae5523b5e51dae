// Opens the connection through which records and published identities are changed.
import { dirname, join } from 'node:path';
import type { RecordRow } from '../../../link/stored-record.ts';
import { type Db, checkpointHalfFullWals, runWithConvertedSqliteErrors } from '../../../platform/sqlite.ts';
import type { FingerprintFunctions } from '../../encryption/fingerprints.ts';
import type { GraphCiphersAndFingerprints } from '../../encryption/keys.ts';
import type { GraphStats } from '../../graph.ts';
import {
  tryTruncateWriteAheadLog,
  type ErasedRecordBytes,
  vacuumDatabases,
} from '../../link-cache/erasing.ts';
import { computeIdentityForPublishing } from '../../resolve/gather.ts';
import { createSqlGraphEngineParts, type SqlGraphEngineParts } from '../../sql/engine.ts';
import type {
  EngineSpecificGraphParts,
  EngineErasureFunctions,
  GraphProperties,
  EngineCopyFunctions,
} from '../../sql/engine-tables.ts';
import type { LinkCacheFile } from '../../sql/link-cache.ts';
import {
  readGraphFileMetadata,
  readRecordsFileMetadata,
  writeGraphFileMetadata,
  writeRecordsFileMetadata,
  openEarlierSecretStorage,
  openSourceImportTimes,
  readGraphStats,
  isGraphLinked,
} from '../meta.ts';
import { getRecordsFilePath, openRecordsAndGraphDatabases } from '../database.ts';
import { GRAPH_FILE_TYPE_DEFINITION, RECORDS_FILE_TYPE_DEFINITION } from '../schema.ts';
import {
  createSqliteSession,
  removeAbandonedDiskReservationFiles,
  reserveDiskSpace,
  wrapWithSqliteErrorConversion,
} from '../session.ts';
import { createRecordChangeLog, openManualLinkPersonLabels, openRecordWriteOperations } from './records.ts';
import { openPublishedIdentityTables } from './published.ts';
import { openImportUndoTable } from './undo.ts';
import { createGraphVerificationQueries, readUnlinkedRecords } from './verify.ts';

export interface SqliteWriter extends Omit<SqlGraphEngineParts, 'links'> {
  stats(): GraphStats;
  close(): void;
}

/** Opens the connection by which a graph is changed. Errors: those of `openRecordsAndGraphDatabases`. */
export function openSqliteWriter(
  file: string,
  keys: GraphCiphersAndFingerprints,
  storesFullRecords = false,
): SqliteWriter {
  const records = getRecordsFilePath(file);
  const db = openRecordsAndGraphDatabases(file, keys);
  runWithConvertedSqliteErrors(
    file,
    () => removeAbandonedDiskReservationFiles(file),
    GRAPH_FILE_TYPE_DEFINITION,
  );
  // Overwrites deleted content with zeros.
  db.pragma('secure_delete = ON');
  let freeSpace: (() => void) | undefined;
  const { links, ...parts } = createSqlGraphEngineParts({
    keys,
    folder: dirname(file),
    linkFile: join(dirname(file), 'link.db'),
    storesFullRecords,
    openSession: (hooks) =>
      createSqliteSession(db, records, {
        ...hooks,
        afterBegin() {
          freeSpace ??= runWithConvertedSqliteErrors(
            file,
            () => reserveDiskSpace(file),
            GRAPH_FILE_TYPE_DEFINITION,
          );
          return hooks.afterBegin();
        },
      }),
    openTables: (_, linkCache) =>
      runWithConvertedSqliteErrors(
        records,
        () => openTables({ db, file, keys, links: linkCache }),
        RECORDS_FILE_TYPE_DEFINITION,
      ),
  });
  return {
    ...parts,
    stats: () =>
      runWithConvertedSqliteErrors(file, () => readGraphStats(db, true), GRAPH_FILE_TYPE_DEFINITION),
    close() {
      freeSpace?.();
      // SQLite cannot shrink the write-ahead logs while a server reads the files.
      if (freeSpace) tryEmptyLogs(db, links);
      links.close();
      db.close();
    },
  };
}

interface Opened {
  db: Db;
  file: string;
  keys: GraphCiphersAndFingerprints;
  links: LinkCacheFile;
}

function openTables({ db, file, keys, links }: Opened): EngineSpecificGraphParts {
  const importTimes = openSourceImportTimes(db, keys);
  const undo = openImportUndoTable(db, links.noteChange);
  const { numbersBefore } = undo;
  return {
    records: openRecordWriteOperations(db, links.noteChange),
    published: openPublishedIdentityTables(db, file, links.run),
    changes: createRecordChangeLog(db),
    undo: {
      ...undo,
      restoreRecords() {
        importTimes.undo();
        return undo.restoreRecords();
      },
    },
    labels: openManualLinkPersonLabels(db),
    earlierSecrets: wrapWithSqliteErrorConversion(
      getRecordsFilePath(file),
      RECORDS_FILE_TYPE_DEFINITION,
      openEarlierSecretStorage(db),
    ),
    numbersBefore,
    facts: () => runWithConvertedSqliteErrors(file, () => readFacts(db), GRAPH_FILE_TYPE_DEFINITION),
    pendingRecords: () => readUnlinkedRecords(db, links, undo.isInterrupted()),
    erasing: openErasingTables(db, file, keys.fingerprints),
    moving: openMovingTables(db),
    verifying: () => createGraphVerificationQueries(db, links),
    hasSealedReads: true,
    optional: {
      noteImport: importTimes.note,
      lastImportTime: importTimes.read,
      runDeferredWork() {
        checkpointHalfFullWals(db);
        links.runIfThere(checkpointHalfFullWals);
      },
    },
  };
}

function readFacts(db: Db): GraphProperties {
  return {
    revision: readRecordsFileMetadata(db, 'revision') ?? '',
    isLinked: isGraphLinked(db),
    settled: readGraphFileMetadata(db, 'settled') !== 'no',
    errorRates: JSON.parse(readGraphFileMetadata(db, 'error_rates') ?? '{}') as GraphProperties['errorRates'],
    nameTables: readGraphFileMetadata(db, 'name_tables'),
    pendingErasure: readRecordsFileMetadata(db, 'overwriting') || null,
  };
}

function openErasingTables(db: Db, file: string, fingerprints: FingerprintFunctions): EngineErasureFunctions {
  const isUsed = ['posting WHERE key = ?', 'record WHERE ref = ?'].map((where) =>
    db.prepare<[number]>(`SELECT 1 FROM ${where} LIMIT 1`),
  );
  return wrapWithSqliteErrorConversion(file, GRAPH_FILE_TYPE_DEFINITION, {
    setPendingErasure: (name) => writeRecordsFileMetadata(db, 'overwriting', name ?? ''),
    collectTraces: (rows) => collectTraces(db, rows, fingerprints),
    isKeyUsed: (key) => isUsed.some((statement) => statement.get(key) !== undefined),
    emptyLogs: () => tryTruncateWriteAheadLog(db),
    rewriteFiles: () => vacuumDatabases(db),
  });
}

/** Number of bytes at the beginning of an encrypted value that are searched for after an erasure: its nonce and tag. */
const SEARCHED_BYTES = 28;

function collectTraces(db: Db, rows: RecordRow[], fingerprints: FingerprintFunctions): ErasedRecordBytes {
  const bytesIn = (table: string, columns: string, id: number) =>
    db.prepare<[number], Buffer[]>(`SELECT ${columns} FROM ${table} WHERE id = ?`).raw().get(id) ?? [];
  const identities = new Set(rows.flatMap(({ identity }) => identity ?? []));
  const sealed = [
    ...rows.flatMap(({ row }) => bytesIn('record', 'key, sealed', row)),
    ...[...identities].flatMap((id) => bytesIn('identity', 'profile', id)),
  ];
  const keys = new Set(rows.map(({ recordId }) => fingerprints.of('label', recordId)));
  for (const row of rows)
    for (const key of computeIdentityForPublishing([row], fingerprints).postings.keys()) keys.add(key);
  return { sealed: sealed.map((bytes) => bytes.subarray(0, SEARCHED_BYTES)), keys: [...keys] };
}

function openMovingTables(db: Db): EngineCopyFunctions {
  return {
    copiedRevision: () => readGraphFileMetadata(db, 'copied_of'),
    beginCopy(revision) {
      writeGraphFileMetadata(db, 'copied_of', revision);
      // Records are on disk when they are stored, but this file is written later. The mark must be on disk before the records.
      db.pragma('graph.wal_checkpoint(PASSIVE)');
    },
    setIdentities(identities) {
      db.exec("DELETE FROM meta WHERE name = 'copied_of'");
      const set = db.prepare('UPDATE record SET identity = ? WHERE id = ?');
      for (const [row, identity] of identities) set.run(identity, row);
    },
  };
}

/** Maximum wait (ms) for readers when a writer closes. */
const CLOSE_WAIT_MS = 50;

/** Tries to empty the write-ahead logs. If readers or a full disk prevent it, the logs stay, and no data is lost. */
function tryEmptyLogs(db: Db, links: LinkCacheFile): void {
  try {
    if (!db.open || db.inTransaction) return;
    tryTruncateWriteAheadLog(db, CLOSE_WAIT_MS);
    links.runIfThere((linkDb) => tryTruncateWriteAheadLog(linkDb, CLOSE_WAIT_MS));
  } catch {
    // The logs stay as they are; see above.
  }
}
