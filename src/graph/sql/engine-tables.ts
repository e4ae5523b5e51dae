// What either engine brings for the parts of a graph that change it.
import type { ErrorRates } from '../../link/compare/evidence.ts';
import type { Awaitable } from '../../model.ts';
import type { GraphErasing, GraphMoving } from '../capabilities.ts';
import type { Fingerprints } from '../encryption/fingerprints.ts';
import type { StoredTraces } from '../link-cache/erasing.ts';
import type { GraphRecords } from '../records.ts';
import type { UnlinkedRecords } from '../verifying.ts';
import type { ChangeLog } from './link-cache.ts';
import type { LabelTable } from './manual-links.ts';
import type { PublishedTables } from './published.ts';
import type { NumbersBefore } from './publishing/previous-numbers.ts';
import type { RecordChanges } from './records.ts';
import type { UndoTable } from './undo.ts';
import type { VerifyTables } from './verify.ts';

/** What is known of a graph as a whole. */
export interface GraphFacts {
  /** Changes with the records. */
  revision: string;
  /** True if the identities were made of the records as they are. */
  isLinked: boolean;
  /** False if linking all records again could change identities. */
  settled: boolean;
  errorRates: Partial<ErrorRates>;
  /** Digest of the name tables that the records were linked with; null before the first linking. */
  nameTables: string | null;
  /** Name of an erasure that is not finished; null if there is none. */
  pendingErasure: string | null;
}

/** What an engine brings. */
export interface EngineTables {
  records: RecordChanges;
  published: PublishedTables;
  changes: ChangeLog;
  undo: UndoTable;
  /** Left out by an engine that does not store the labels of manual links. */
  labels?: LabelTable;
  /** Fingerprints under earlier secrets, the oldest first; left out by an engine whose secret cannot be changed. */
  earlierFingerprints?: readonly Fingerprints[];
  /** Numbers before an import that is undone; left out by an engine that does not store them. */
  numbersBefore?(): NumbersBefore | null;
  facts(): Awaitable<GraphFacts>;
  /** Called if there are records that are not linked yet. */
  pendingRecords(): Awaitable<UnlinkedRecords>;
  erasing: ErasingTables;
  moving: MovingTables;
  verifying(): VerifyTables;
  /** True if helping threads shall open sealed records: it pays where reading them costs next to nothing. */
  hasSealedReads?: boolean;
  /** Parts of `GraphRecords` that only some engines have. */
  optional?: Pick<GraphRecords, 'noteImport' | 'lastImportTime' | 'runDeferredWork'>;
}

/** How an engine removes the bytes of deleted records from its files. */
export interface ErasingTables extends Pick<
  GraphErasing,
  'emptyLogs' | 'rewriteFiles' | 'rewriteBlocksChecks' | 'sizeInBytes' | 'unreachableCopies'
> {
  setPendingErasure(name: string | null): Awaitable<void>;
  /** What the engine's own files have of records; left out by an engine whose files are out of reach. */
  collectTraces?(rows: Parameters<GraphErasing['collectTraces']>[0]): StoredTraces;
  isKeyUsed?(key: number): boolean;
}

/** How an engine marks its graph as a copy of another engine's graph. */
export interface MovingTables extends Pick<GraphMoving, 'copiedRevision' | 'beginCopy'> {
  /** Gives records the identities that they have in the other engine. The graph is no longer marked afterwards. */
  setIdentities(identities: [row: number, identity: number][]): Awaitable<void>;
}
