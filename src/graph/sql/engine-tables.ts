// Engine-specific tables and functions for the shared code that changes a graph.
import type { ErrorRates } from '../../link/compare/evidence.ts';
import type { Awaitable } from '../../model.ts';
import type { GraphErasureOperations, GraphMoveOperations } from '../capabilities.ts';
import type { Fingerprints } from '../encryption/fingerprints.ts';
import type { ErasedByteTraces } from '../link-cache/erasing.ts';
import type { GraphRecords } from '../records.ts';
import type { UnlinkedRecords } from '../verifying.ts';
import type { ChangeLog } from './link-cache.ts';
import type { LabelTable } from './manual-links.ts';
import type { PublishedTables } from './published.ts';
import type { NumbersBeforeImport } from './publishing/previous-numbers.ts';
import type { RecordChangeTables } from './records.ts';
import type { UndoTable } from './undo.ts';
import type { VerifyTables } from './verify.ts';

/** Properties of a whole graph. */
export interface GraphFacts {
  /** Changes with the records. */
  revision: string;
  /** True if the identities were published from the current records. */
  isLinked: boolean;
  /** False if linking all records again could change identities. */
  settled: boolean;
  errorRates: Partial<ErrorRates>;
  /** Digest of the name tables that the records were linked with; null before the first linking. */
  nameTables: string | null;
  /** Name of an erasure that is not finished; null if there is none. */
  pendingErasure: string | null;
}

/**
 * Engine-specific part of a graph: tables, change log, and operations that differ between SQLite and
 * PostgreSQL.
 */
export interface EngineTables {
  records: RecordChangeTables;
  published: PublishedTables;
  changes: ChangeLog;
  undo: UndoTable;
  /** Labels of manual links; undefined if the engine does not store them. */
  labels?: LabelTable;
  /**
   * Fingerprint functions under earlier secrets, oldest first; undefined if the engine's secret cannot be
   * changed.
   */
  earlierFingerprints?: readonly Fingerprints[];
  /**
   * Returns the identity numbers before the import that is being undone; undefined if the engine does not
   * store them.
   */
  numbersBefore?(): NumbersBeforeImport | null;
  /** True if the table of changed keys exists; by default it does. */
  hasKeyChangeLog?(): Awaitable<boolean>;
  facts(): Awaitable<GraphFacts>;
  /** Returns the records that are not linked yet. Called only if there are any. */
  pendingRecords(): Awaitable<UnlinkedRecords>;
  erasing: ErasingTables;
  moving: MovingTables;
  verifying(): VerifyTables;
  /** True if worker threads decrypt the records. This pays if reading encrypted records is cheap. */
  hasSealedReads?: boolean;
  /** Parts of `GraphRecords` that only some engines have. */
  optional?: Pick<GraphRecords, 'noteImport' | 'lastImportTime' | 'runDeferredWork'>;
}

/** Engine-specific functions that remove the bytes of deleted records from the files. */
export interface ErasingTables extends Pick<
  GraphErasureOperations,
  'emptyLogs' | 'rewriteFiles' | 'rewriteBlocksChecks' | 'sizeInBytes' | 'unreachableCopies'
> {
  setPendingErasure(name: string | null): Awaitable<void>;
  /**
   * Returns traces of records in the engine's files; undefined if the files are not accessible, as in
   * PostgreSQL.
   */
  collectTraces?(rows: Parameters<GraphErasureOperations['collectTraces']>[0]): ErasedByteTraces;
  isKeyUsed?(key: number): boolean;
}

/** Engine-specific functions that mark a graph as an unfinished copy of another engine's graph. */
export interface MovingTables extends Pick<GraphMoveOperations, 'copiedRevision' | 'beginCopy'> {
  /**
   * Assigns to records the identities that they have in the source graph, and removes the mark of an
   * unfinished copy.
   */
  setIdentities(identities: [row: number, identity: number][]): Awaitable<void>;
}
