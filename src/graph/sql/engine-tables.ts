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
  /** Hash of the tables of nicknames and name forms with which the records were linked; null before the first linking. */
  nameTables: string | null;
  /** Name of an erasure that is not finished; null if there is none. */
  pendingErasure: string | null;
}

/** Parts of a graph that are different in SQLite and PostgreSQL: tables, change log and some functions. */
export interface EngineSpecificGraphParts {
  records: RecordWriteOperations;
  published: PublishedIdentityTables;
  changes: RecordChangeLog;
  undo: ImportUndoTable;
  labels?: ManualLinkPersonLabelTable;
  earlierSecrets: EarlierSecretStorage;
  /**
   * Returns the identity numbers from before the import that is being undone; null if none is being undone. Undefined if the engine does not store
   * them.
   */
  numbersBefore?(): IdentityNumbersBeforeImport | null;
  hasKeyChangeLog?(): Awaitable<boolean>;
  facts(): Awaitable<GraphProperties>;
  /** Returns the records that are not linked yet. Called only if there are some. */
  pendingRecords(): Awaitable<UnlinkedRecords>;
  erasing: EngineErasureFunctions;
  moving: EngineCopyFunctions;
  verifying(): GraphVerificationQueries;
  /** True to let worker threads decrypt records, which is faster if encrypted records can be read cheaply. */
  hasSealedReads?: boolean;
  /** Functions of `GraphRecordOperations` that only some engines have. */
  optional?: Pick<GraphRecordOperations, 'noteImport' | 'lastImportTime' | 'runDeferredWork'>;
}

/** Functions of one engine that remove the bytes of deleted records from its files. */
export interface EngineErasureFunctions extends Pick<
  GraphErasureOperations,
  'emptyLogs' | 'rewriteFiles' | 'rewriteBlocksChecks' | 'sizeInBytes' | 'unreachableCopies'
> {
  setPendingErasure(name: string | null): Awaitable<void>;
  /** Returns the bytes of these records in the engine's files. Undefined if the engine cannot read its files, as with PostgreSQL. */
  collectTraces?(rows: Parameters<GraphErasureOperations['collectTraces']>[0]): ErasedRecordBytes;
  isKeyUsed?(key: number): boolean;
}

/** Functions of one engine that mark a graph as an unfinished copy of another engine's graph. */
export interface EngineCopyFunctions extends Pick<GraphCopyOperations, 'copiedRevision' | 'beginCopy'> {
  /** Gives records the identity numbers of the source graph, and removes the mark of an unfinished copy. */
  setIdentities(identities: [row: number, identity: number][]): Awaitable<void>;
}
