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
import { earlierFingerprints } from '../rekey/earlier.ts';
import { erasingOn } from './erasing.ts';
import { forgottenTable, type Returned } from './forgotten.ts';
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
import { incomingRecords } from '../incoming/incoming.ts';
import { judgementTable } from './judged.ts';
import { movingOn } from './moving.ts';
import { type Put, recordTable } from './records.ts';
import { dropRooms, holdRoom } from './room.ts';
import { undoTable } from '../incoming/undo.ts';
import { inWhole, type Whole } from '../incoming/whole.ts';
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
  const judging = theirs(() => judgementTable(db, fingerprints, sealing));
  const earlier = theirs(() => earlierFingerprints(db, sealing));
  const forgotten = theirs(() => forgottenTable(db, [fingerprints, ...earlier]));
  const table = theirs(() => recordTable(db, fingerprints, sealing));
  const imported = importedTable(db, keys);
  const onTakenBack = (returned: Returned[]) => {
    imported.takenBack();
    forgotten.barAgain(returned);
  };
  const undo = theirs(() => undoTable(db, onTakenBack));
  const moving = movingOn(db);
  const target = { db, table, keys, before: undo.before };
  let opened: LinkFile | undefined;
  // Opened when first asked for: who only looks into the graph needs it not.
  const links = () => (opened ??= openLinks(linkFile(file), sealing, target));
  // Made when records are linked: before that there is nothing to remember.
  const known = () => (existsSync(linkFile(file)) ? links() : null);
  const noted = (put: Put) => {
    known()?.put(put);
    return put;
  };
  let giveBack: (() => void) | undefined;
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
      put: (records, { allowReturn = false } = {}) =>
        written(() => {
          const admitted = forgotten.admit(records, allowReturn);
          const { added, replaced } = noted(
            table.put(admitted.records.map((record) => table.seal(judging.labelled(record)))),
          );
          const barred = records.length - admitted.records.length;
          return { added, replaced, barred, alike: admitted.alike };
        }),
      remove: (names) => written(() => noted(table.remove(names.map(table.keyOf))).rows.length),
      runDeferredWork() {
        theirs(() => tidyLogs(db));
        known()?.reading(tidyLogs);
      },
      runAtomically: (work, mostWaitMs) =>
        translatedWhole(records, work, { db, undo, links: known, mostWaitMs }),
      openIncoming: () =>
        translatedIncoming(records, incomingRecords({ table, undo, forgotten, judging, noted }), written),
      noteImport: (sources, canBeUndone) => theirs(() => imported.note(sources, canBeUndone)),
      lastImportTime: (source) => theirs(() => imported.at(source)),
      lastAppliedImport: () => theirs(undo.last),
      undoLastImport: () =>
        written(() => {
          const { put, left } = undo.takeBack();
          noted(put);
          return { removed: put.bereft.size, restored: put.replaced, left };
        }),
      discardUndoJournal: () => theirs(undo.forget),
      readRows: (rows) => theirs(() => table.read(rows)),
      findByRecordId: (recordId) => theirs(() => table.byReference(recordId)),
      listByIdentity: (identity) => theirs(() => table.byIdentity(identity)),
      pages: () => translatedPages(records, () => table.pages(), RECORDS),
      count: () => theirs(() => table.count()),
      maxRow: () => theirs(() => table.maxRow()),
      sealed: {
        secret: keys.secret,
        pages: () => translatedPages(records, () => table.sealedPages(), RECORDS),
        readRows: (rows) => theirs(() => table.sealedOf(rows)),
      },
    },
    linking: {
      revision: () => theirs(() => readRecordMeta(db, 'revision') ?? ''),
      openWorkspace: () => translatedBlocks(file, () => blockTables(db)),
      publish: (partition) =>
        writtenIn(async () => {
          const told = links().telling(partition.linkCache);
          const identities = await publish(target, partition, told);
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
      fingerprints,
      forgotten,
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
    manualLinks: {
      list: () => theirs(judging.list),
      add: (judgement) => theirs(() => judging.add(judgement)),
      undo: (id, time) => theirs(() => judging.undo(id, time)),
      forget: (keys) => theirs(() => judging.forget(keys)),
    },
    verifying: verifyingOn({ db, keys, links: known, isHalf: undo.isHalf }),
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

async function translatedWhole<T>(file: string, work: () => Promise<T>, whole: Whole): Promise<T> {
  try {
    return await inWhole(whole, work);
  } catch (error) {
    throw isStorageError(error) ? asSqliteError(error, file, RECORDS) : error;
  }
}

function translatedIncoming(
  file: string,
  it: IncomingRecords,
  written: <T>(work: () => T) => T,
): IncomingRecords {
  return {
    put: (records) => translated(file, () => it.put(records), RECORDS),
    putSealed: (records) => translated(file, () => it.putSealed?.(records), RECORDS),
    remove: (names) => translated(file, () => it.remove(names), RECORDS),
    resolveDuplicates: (merge) => translated(file, () => it.resolveDuplicates(merge), RECORDS),
    has: it.has,
    apply: (journal) => written(() => it.apply(journal)),
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
