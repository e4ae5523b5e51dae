import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  asSqliteError,
  type Db,
  isStorageError,
  tidyLogs,
  translated,
  translatedPages,
} from '../../../platform/sqlite.ts';
import type { GraphStats } from '../../graph.ts';
import type { GraphErasing, GraphManualLinks, GraphMoving } from '../../capabilities.ts';
import type { IncomingRecords, GraphRecords } from '../../records.ts';
import type { LinkingWorkspace, GraphLinking } from '../../linking.ts';
import { type LinkFile, openLinks } from '../linked.ts';
import { blockTables } from './blocks.ts';
import { openRecords } from './both-files.ts';
import { readEarlierFingerprints } from '../rekey.ts';
import { erasingOn } from './erasing.ts';
import { createSuppressionList } from '../../sql/suppression-list.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { readRecordMeta } from '../meta.ts';
import { currentIdentity } from '../read/reader.ts';
import { recordsFile } from '../records-file.ts';
import { GRAPH, RECORDS } from '../schema.ts';
import { graphStats, graphWarnings, isSettled } from '../read/stats.ts';
import { emptyWal } from '../../link-cache/erasing.ts';
import { takeLate } from '../incoming/late.ts';
import { keptErrorRates, publish } from './publish.ts';
import { importedTable } from '../incoming/imported.ts';
import { openIncomingRecords, putRecords, type RecordTarget } from '../../sql/incoming.ts';
import { createManualLinkStore } from '../../sql/manual-links.ts';
import { createUndoJournal } from '../../sql/undo.ts';
import { createSqliteSession } from '../session.ts';
import { createLabelTable } from './labels.ts';
import { movingOn } from './moving.ts';
import { type RecordChange, recordTable } from './records.ts';
import { dropRooms, holdRoom } from './room.ts';
import { undoTable } from './undo.ts';
import type { GraphVerifying } from '../../verifying.ts';
import { verifyingOn } from '../verify/verifying.ts';

export interface SqliteWriter {
  records: GraphRecords;
  linking: GraphLinking;
  erasing: GraphErasing;
  manualLinks: GraphManualLinks;
  moving: GraphMoving;
  verifying: GraphVerifying;
  stats(): GraphStats;
  warnings(): string[];
  close(): void;
}

/** A connection for importing, linking and looking into a graph file that exists. Errors: those of `openRecords`. */
export function openWriter(file: string, keys: GraphKeys, keepsWhole = false): SqliteWriter {
  const { fingerprints, sealing } = keys;
  const records = recordsFile(file);
  const db = openRecords(file, keys);
  translated(file, () => dropRooms(file), GRAPH);
  const ours = <T>(work: () => T): T => translated(file, work, GRAPH);
  const theirs = <T>(work: () => T): T => translated(records, work, RECORDS);
  // What is taken out is overwritten.
  db.pragma('secure_delete = ON');
  const earlier = theirs(() => readEarlierFingerprints(db, sealing));
  const onChange = (change: RecordChange) => known()?.noteChange(change);
  const table = theirs(() => recordTable(db, keys, onChange));
  const undone = theirs(() => undoTable(db, onChange));
  const imported = importedTable(db, keys);
  let giveBack: (() => void) | undefined;
  const session = createSqliteSession(db, records, {
    beforeBegin: () => (giveBack ??= ours(() => holdRoom(file))),
    async afterBegin() {
      known()?.hold();
      // Linking finds the records changed otherwise than it remembers, and links all of them.
      if (undone.isInterrupted()) await undo.undo();
      else undone.confirm();
    },
    beforeCommit: undone.end,
    afterCommit() {
      undone.confirm();
      known()?.release(true);
    },
    afterRollback() {
      undone.reset();
      known()?.release(false);
    },
  });
  const suppression = theirs(() => createSuppressionList(session, [fingerprints, ...earlier]));
  const manualLinks = createManualLinkStore(
    session,
    keys,
    theirs(() => createLabelTable(db)),
  );
  const undo = createUndoJournal(session, suppression, {
    ...undone,
    restoreRecords() {
      imported.takenBack();
      return undone.restoreRecords();
    },
  });
  const target: RecordTarget = { session, table, undo, suppression, manualLinks };
  const moving = movingOn(db);
  const publishing = { db, table, keys, before: undone.numbersBefore };
  let opened: LinkFile | undefined;
  // Opened when first asked for: who only looks into the graph needs it not.
  const links = () => (opened ??= openLinks(linkFile(file), sealing, publishing));
  // Made when records are linked: before that there is nothing to remember.
  const known = () => (existsSync(linkFile(file)) ? links() : null);
  const written = <T>(work: () => T): T =>
    ours(() => {
      giveBack ??= holdRoom(file);
      return work();
    });
  const writtenIn = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await written(work);
    } catch (error) {
      throw isStorageError(error) ? asSqliteError(error, file, GRAPH) : error;
    }
  };
  return {
    records: {
      fingerprints: { ...fingerprints, generateRecordId: (earlier[0] ?? fingerprints).generateRecordId },
      earlierFingerprints: earlier,
      storesFullRecords: keepsWhole,
      put: (records, { allowReturn = false } = {}) => putRecords(target, records, allowReturn),
      remove: (names) => session.runAtomically(async () => table.remove(names.map(table.keyOf), false)),
      runDeferredWork() {
        theirs(() => tidyLogs(db));
        known()?.reading(tidyLogs);
      },
      runAtomically: session.runAtomically,
      openIncoming: () => translatedIncoming(records, openIncomingRecords(target)),
      noteImport: (sources, canBeUndone) => theirs(() => imported.note(sources, canBeUndone)),
      lastImportTime: (source) => theirs(() => imported.at(source)),
      lastAppliedImport: undo.last,
      undoLastImport: () => session.runAtomically(undo.undo),
      discardUndoJournal: () => session.runAtomically(undo.discard),
      readRows: (rows) => theirs(() => table.readRows(rows)),
      findByRecordId: (recordId) => theirs(() => table.findByRecordId(recordId)),
      listByIdentity: (identity) => theirs(() => table.listByIdentity(identity)),
      pages: () => translatedPages(records, () => table.pages(), RECORDS),
      count: () => theirs(() => table.count()),
      maxRow: () => theirs(() => table.maxRow()),
      sealed: {
        secret: keys.secret,
        pages: () => translatedPages(records, () => table.sealedPages(), RECORDS),
        readRows: (rows) => theirs(() => table.readSealedRows(rows)),
      },
    },
    linking: {
      revision: () => theirs(() => readRecordMeta(db, 'revision') ?? ''),
      openWorkspace: () => translatedBlocks(file, () => blockTables(db)),
      publish: (partition) =>
        writtenIn(async () => {
          const told = links().telling(partition.linkCache);
          const identities = await publish(publishing, partition, told);
          if (identities !== null) told.done(takeLate(db));
          return identities;
        }),
      get linkCache() {
        return links().index;
      },
      isSettled: () => ours(() => isSettled(db)),
      errorRates: () => ours(() => keptErrorRates(db)),
      getIdentity: (number) => ours(() => currentIdentity(db, keys, number)),
    },
    erasing: erasingOn({
      db,
      session,
      fingerprints,
      suppression,
      ours,
      links: known,
    }),
    moving: {
      copiedRevision: () => ours(moving.copiedRevision),
      beginCopy: (revision) => written(() => moving.beginCopy(revision)),
      listRedirects: () => theirs(moving.listRedirects),
      listPreviousNumbers: () => theirs(moving.listPreviousNumbers),
      putNumbers: (numbers) => written(() => moving.putNumbers(numbers)),
      listSuppressed: () => theirs(moving.listSuppressed),
      addSuppressed: (marks) => written(() => moving.addSuppressed(marks)),
    },
    manualLinks,
    verifying: verifyingOn({ db, keys, links: known, isHalf: undone.isInterrupted }),
    stats: () => ours(() => graphStats(db)),
    warnings: () => ours(() => graphWarnings(db)),
    close() {
      giveBack?.();
      // A server beside it keeps the logs, as large as they were.
      if (giveBack) emptiedLogs(db, opened);
      opened?.close();
      db.close();
    },
  };
}

/** How long a writer that ends waits for those who read. */
const FAREWELL_MS = 50;

/** Where somebody reads on, or the disk is full, the logs stay as they are: nothing is lost by that. */
function emptiedLogs(db: Db, links: LinkFile | undefined): void {
  try {
    if (!db.open || db.inTransaction) return;
    emptyWal(db, FAREWELL_MS);
    links?.reading((linkDb) => emptyWal(linkDb, FAREWELL_MS));
  } catch {
    // As said.
  }
}

/** The file that remembers linking, beside the graph's. */
const linkFile = (file: string) => join(dirname(file), 'link.db');

function translatedIncoming(file: string, it: IncomingRecords): IncomingRecords {
  return {
    put: (records) => translated(file, () => it.put(records), RECORDS),
    putSealed: (records) => translated(file, () => it.putSealed?.(records), RECORDS),
    remove: (names) => translated(file, () => it.remove(names), RECORDS),
    resolveDuplicates: (merge) => translated(file, () => it.resolveDuplicates(merge), RECORDS),
    has: it.has,
    apply: it.apply,
    drop: it.drop,
  };
}

function translatedBlocks(file: string, open: () => ReturnType<typeof blockTables>): LinkingWorkspace {
  const tables = translated(file, open, GRAPH);
  return {
    addKeys: (entries) => translated(file, () => tables.addKeys(entries), GRAPH),
    groups: () => translatedPages(file, () => tables.groups(), GRAPH),
    addPairs: (pairs) => translated(file, () => tables.addPairs(pairs), GRAPH),
    pairs: () => translatedPages(file, () => tables.pairs(), GRAPH),
    drop: () => translated(file, () => tables.drop(), GRAPH),
  };
}
