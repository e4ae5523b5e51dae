// Results of linking, for comparing two ways to reach them.
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { openRecordsByLinkingKeyTable } from '../../../src/graph/link-cache/records-by-key.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { importInto, type Row } from './graph.ts';

/** One secret for all graphs, so that their fingerprints can be compared. */
export const SECRET = '5e'.repeat(32);

/**
 * Closes a graph, and returns its links independent of row and identity numbers: the partition, joined and measured pairs, and statistics.
 *
 * @param folder contains the importer's link.db
 */
export async function foundIn(
  folder: string,
  graph: RecordStoringGraph = openSqliteGraph({ dataDir: folder, secret: SECRET }),
) {
  const together = new Map<number | null, string[]>();
  const names = new Map<number, string>();
  for await (const page of graph.records.pages())
    for (const { row, source, recordId, identity } of page) {
      names.set(row, `${source}:${recordId}`);
      together.set(identity, [...(together.get(identity) ?? []), `${source}:${recordId}`]);
    }
  // Recent changes are in the tables only after this.
  await graph.erasing?.emptyLogs();
  await graph.close();
  const db = new Database(join(folder, 'link.db'), { readonly: true });
  const rows = (sql: string) => db.prepare<[], number[]>(sql).raw().all();
  const pairs = (table: string) =>
    rows(`SELECT * FROM ${table}`).map(([a = 0, b = 0, what]) => `${names.get(a)} ${names.get(b)} ${what}`);
  const found = {
    partition: [...together.values()].map((group) => group.toSorted().join(' ')).toSorted(),
    joined: pairs('joined').toSorted(),
    measured: pairs('measured').toSorted(),
    behind: behindIn(db, names).toSorted(),
    kept: db.prepare("SELECT name, value FROM meta WHERE name IN ('globals', 'totals')").all(),
  };
  db.close();
  return found;
}

/** Returns the records under each linking key, from the pages and from recent changes. */
function behindIn(db: Database.Database, names: Map<number, string>): string[] {
  const { listHolders: behind } = openRecordsByLinkingKeyTable(db, {
    listHolders: () => [],
    removeEntry: () => false,
  });
  const keys = new Set(db.prepare<[], number>('SELECT key FROM block').pluck().all());
  for (const entries of db.prepare<[], Buffer>('SELECT entries FROM block_page').pluck().all())
    for (let at = 0; at < entries.length; at += 20) keys.add(entries.readDoubleLE(at));
  return [...keys].flatMap((key) =>
    behind(key, Infinity).map(({ row, person }) => `${key} ${person} ${names.get(row)}`),
  );
}

/** Imports batch by batch. Returns the number of batches that were linked incrementally, without a new linking of all records. */
export async function importBatches(folder: string, batches: Row[][], threads?: number): Promise<number> {
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const { openWorkspace: blocks } = graph.linking;
  let anew = 0;
  graph.linking.openWorkspace = () => {
    anew++;
    return blocks();
  };
  for (const batch of batches) await importInto(graph, [batch], { threads });
  await graph.close();
  return batches.length - anew;
}

/** Splits rows into a first batch of `whole` rows, then batches of these sizes in turn. */
export function batchesOf(rows: Row[], whole: number, sizes: number[]): Row[][] {
  const batches = [rows.slice(0, whole)];
  for (let at = whole, i = 0; at < rows.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    batches.push(rows.slice(at, at + size));
    at += size;
  }
  return batches;
}
