import type { Fingerprints } from '../../fingerprints.ts';
import type { Blocks, GraphLinking, GraphRecords } from '../../graph.ts';
import type { Sealing } from '../../sealing.ts';
import { blockTables } from './blocks.ts';
import { openDatabase, translated } from '../database.ts';
import { readMeta } from '../meta.ts';
import { currentIdentity } from '../read/reader.ts';
import { keptErrorRates, publish } from './publish.ts';
import { recordTable } from './records.ts';
import { holdRoom } from './room.ts';

export interface SqliteWriter {
  records: GraphRecords;
  linking: GraphLinking;
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
  const table = ours(() => recordTable(db, fingerprints, sealing));
  let giveBack: (() => void) | undefined;
  const written = <T>(work: () => T): T =>
    ours(() => {
      giveBack ??= holdRoom(file);
      return work();
    });
  return {
    records: {
      fingerprints,
      put: (records) => written(() => table.put(records)),
      read: (rows) => ours(() => table.read(rows)),
      byReference: (recordId) => ours(() => table.byReference(recordId)),
      byIdentity: (identity) => ours(() => table.byIdentity(identity)),
      pages: () => paged(file, () => table.pages()),
      count: () => ours(() => table.count()),
      maxRow: () => ours(() => table.maxRow()),
    },
    linking: {
      revision: () => ours(() => readMeta(db, 'revision') ?? ''),
      blocks: () => translatedBlocks(file, () => blockTables(db)),
      publish: (partition) => written(() => publish({ db, table, fingerprints, sealing }, partition)),
      errorRates: () => ours(() => keptErrorRates(db)),
      identity: (number) => ours(() => currentIdentity(db, sealing, number)),
    },
    close() {
      giveBack?.();
      db.close();
    },
  };
}

function translatedBlocks(file: string, open: () => ReturnType<typeof blockTables>): Blocks {
  const tables = translated(file, open);
  return {
    add: (entries) => translated(file, () => tables.add(entries)),
    groups: () => paged(file, () => tables.groups()),
    addPairs: (pairs) => translated(file, () => tables.addPairs(pairs)),
    pairs: () => paged(file, () => tables.pairs()),
    drop: () => translated(file, () => tables.drop()),
  };
}

/** Pages whose errors are in our codes, whichever page they come with. */
function* paged<T>(file: string, open: () => Iterable<T>): Iterable<T> {
  const pages = open()[Symbol.iterator]();
  try {
    for (;;) {
      const next = translated(file, () => pages.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Who stops half-way must not leave the connection busy.
    pages.return?.();
  }
}
