// Engine-specific tables and functions, which the code shared by SQLite and PostgreSQL calls to change a graph.
import type { RecordErrorRates } from '../../link/compare/evidence.ts';
import type { Awaitable } from '../../model.ts';
import type { GraphErasureOperations, GraphCopyOperations } from '../capabilities.ts';
import type { EarlierSecretStorage } from '../encryption/keys.ts';
import type { ErasedRecordBytes } from '../link-cache/erasing.ts';
import type { GraphRecordOperations } from '../records.ts';
import type { UnlinkedRecords } from '../verifying.ts';
import type { RecordChangeLog } from './link-cache.ts';
import type { ManualLinkPersonLabelTable } from './manual-links.ts';
import type { PublishedIdentityTables } from './published.ts';
import type { IdentityNumbersBeforeImport } from './publishing/previous-numbers.ts';
import type { RecordWriteOperations } from './records.ts';
import type { ImportUndoTable } from './undo.ts';
import type { GraphVerificationQueries } from './verify.ts';

export interface GraphProperties {
  revision: string;
  isLinked: boolean;
  /** False if linking all records again could change identities. */
  settled: boolean;
  errorRates: Partial<RecordErrorRates>;
  /** Hash of the name tables (nicknames, name forms) with which the records were linked; null before the first linking. */
  nameTables: string | null;
  /** Name of an unfinished erasure; null if there is none. */
  pendingErasure: string | null;
}

/** Parts of a graph that differ between SQLite and PostgreSQL: tables, change log and some functions. */
export interface EngineSpecificGraphParts {
  records: RecordWriteOperations;
  published: PublishedIdentityTables;
  changes: RecordChangeLog;
  undo: ImportUndoTable;
  labels?: ManualLinkPersonLabelTable;
  earlierSecrets: EarlierSecretStorage;
  /**
   * Returns the identity numbers before the import that is being undone; null if no import is being undone. Undefined if the engine does not store
   * them.
   */
  numbersBefore?(): IdentityNumbersBeforeImport | null;
  hasKeyChangeLog?(): Awaitable<boolean>;
  facts(): Awaitable<GraphProperties>;
  /** Returns the records that are not linked yet. Called only if there are such records. */
  pendingRecords(): Awaitable<UnlinkedRecords>;
  erasing: EngineErasureFunctions;
  moving: EngineCopyFunctions;
  verifying(): GraphVerificationQueries;
  /** True if worker threads decrypt the records. Set it if reading encrypted records is cheap; decryption in worker threads is then faster. */
  hasSealedReads?: boolean;
  /** Those `GraphRecordOperations` that only some engines have. */
  optional?: Pick<GraphRecordOperations, 'noteImport' | 'lastImportTime' | 'runDeferredWork'>;
}

/** Engine-specific functions that remove the bytes of deleted records from the engine's files. */
export interface EngineErasureFunctions extends Pick<
  GraphErasureOperations,
  'emptyLogs' | 'rewriteFiles' | 'rewriteBlocksChecks' | 'sizeInBytes' | 'unreachableCopies'
> {
  setPendingErasure(name: string | null): Awaitable<void>;
  /** Returns the bytes of these records in the engine's files. Undefined if the engine cannot read its files, as in PostgreSQL. */
  collectTraces?(rows: Parameters<GraphErasureOperations['collectTraces']>[0]): ErasedRecordBytes;
  isKeyUsed?(key: number): boolean;
}

/** Engine-specific functions that mark a graph as an unfinished copy of another engine's graph. */
export interface EngineCopyFunctions extends Pick<GraphCopyOperations, 'copiedRevision' | 'beginCopy'> {
  /** Assigns the source graph's identities to records, and removes the mark of an unfinished copy. */
  setIdentities(identities: [row: number, identity: number][]): Awaitable<void>;
}
