import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fingerprints } from '../../fingerprints.ts';
import type { Blocks, GraphErasing, GraphLinking, GraphRecords } from '../../graph.ts';
import type { Sealing } from '../../sealing.ts';
import { type LinkFile, openLinks } from '../index/linked.ts';
import { blockTables } from './blocks.ts';
import { openDatabase, translated, translatedPages } from '../database.ts';
import { readMeta } from '../meta.ts';
import { erasingOn } from './erasing.ts';
import { forgottenTable } from './forgotten.ts';
import { currentIdentity } from '../read/reader.ts';
import { keptErrorRates, publish } from './publish.ts';
import { type Put, recordTable } from './records.ts';
import { holdRoom } from './room.ts';

export interface SqliteWriter {
  records: GraphRecords;
  linking: GraphLinking;
  erasing: GraphErasing;
  close(): void;
}

/** A connection for importing, linking and looking into a graph file that exists. Errors: those of `openDatabase`. */
export function openWriter(options: {
  file: string;
  fingerprints: Fingerprints;
  sealing: Sealing;
}): SqliteWriter {
  const { file, fingerprints, sealing } = options;
  const db = openDatabase({ ...options, create: false });
  const ours = <T>(work: () => T): T => translated(file, work);
  // What is taken out is overwritten.
  db.pragma('secure_delete = ON');
  const forgotten = ours(() => forgottenTable(db, fingerprints));
  const table = ours(() => recordTable(db, fingerprints, sealing));
  let opened: LinkFile | undefined;
  // Opened when first asked for: who only looks into the graph needs it not.
  const links = () => (opened ??= openLinks(linkFile(file), sealing, { db, table, fingerprints, sealing }));
  const noted = (put: Put) => {
    // Made when records are linked: before that there is nothing to remember.
    if (existsSync(linkFile(file))) links().put(put);
    return put;
  };
  let giveBack: (() => void) | undefined;
  const written = <T>(work: () => T): T =>
    ours(() => {
      giveBack ??= holdRoom(file);
      return work();
    });
  return {
    records: {
      fingerprints,
      put: (records, { allowReturn = false } = {}) =>
        written(() => {
          const admitted = forgotten.admit(records, allowReturn);
          const { added, replaced } = noted(table.put(admitted));
          return { added, replaced, barred: records.length - admitted.length };
        }),
      async whole(work) {
        written(() => db.exec('BEGIN IMMEDIATE'));
        try {
          const done = await work();
          ours(() => db.exec('COMMIT'));
          return done;
        } finally {
          if (db.inTransaction) db.exec('ROLLBACK');
        }
      },
      remove: (names) => written(() => noted(table.remove(names)).rows.length),
      read: (rows) => ours(() => table.read(rows)),
      byReference: (recordId) => ours(() => table.byReference(recordId)),
      byIdentity: (identity) => ours(() => table.byIdentity(identity)),
      pages: () => translatedPages(file, () => table.pages()),
      count: () => ours(() => table.count()),
      maxRow: () => ours(() => table.maxRow()),
    },
    linking: {
      revision: () => ours(() => readMeta(db, 'revision') ?? ''),
      blocks: () => translatedBlocks(file, () => blockTables(db)),
      publish: (partition) =>
        written(() => {
          const told = links().telling(partition.index);
          const identities = publish({ db, table, fingerprints, sealing }, partition, told);
          if (identities !== null) told.done();
          return identities;
        }),
      get index() {
        return links().index;
      },
      errorRates: () => ours(() => keptErrorRates(db)),
      identity: (number) => ours(() => currentIdentity(db, sealing, number)),
    },
    erasing: erasingOn({
      db,
      fingerprints,
      forgotten,
      ours,
      links: () => (existsSync(linkFile(file)) ? links() : null),
    }),
    close() {
      giveBack?.();
      opened?.close();
      db.close();
    },
  };
}

/** The file that remembers linking, beside the graph's. */
const linkFile = (file: string) => join(dirname(file), 'link.db');

function translatedBlocks(file: string, open: () => ReturnType<typeof blockTables>): Blocks {
  const tables = translated(file, open);
  return {
    add: (entries) => translated(file, () => tables.add(entries)),
    groups: () => translatedPages(file, () => tables.groups()),
    addPairs: (pairs) => translated(file, () => tables.addPairs(pairs)),
    pairs: () => translatedPages(file, () => tables.pairs()),
    drop: () => translated(file, () => tables.drop()),
  };
}
