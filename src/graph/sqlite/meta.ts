import { onceFor } from '../../platform/sqlite.ts';
import type { Db } from '../../platform/sqlite.ts';

/** What the graph file says of itself. `copied_of`: of which revision of another graph it is a copy that is not whole. */
export type MetaName =
  | 'secret_check'
  | 'link_stamp'
  | 'linked_at'
  | 'settled'
  | 'error_rates'
  | 'name_tables'
  | 'identities'
  | 'newest'
  | 'postings'
  | 'copied_of';

/**
 * What the file of the records says of itself. `link_stamp` is random, and another one after every change of records or identities: where
 * the graph has the same, it was made of these records. `earlier`: see rekey/earlier.ts, `imported`: incoming/imported.ts. `applied_whole` is the stamp that the last import ended with, once it is in both files. `overwriting` names an erasure until the files are overwritten.
 */
export type RecordMetaName =
  | 'secret_check'
  | 'revision'
  | 'link_stamp'
  | 'overwriting'
  | 'linking'
  | 'earlier'
  | 'applied_whole'
  | 'imported';

export function readMeta(db: Db, name: MetaName): string | null {
  return read(db, 'meta', name);
}

export function writeMeta(db: Db, name: MetaName, value: string): void {
  write(db, 'meta', [name, value]);
}

export function readRecordMeta(db: Db, name: RecordMetaName): string | null {
  return read(db, 'record_meta', name);
}

export function writeRecordMeta(db: Db, name: RecordMetaName, value: string): void {
  write(db, 'record_meta', [name, value]);
}

type Table = 'meta' | 'record_meta';

/** The statements of a table: prepared on first use, because a connection may have one of the two tables only. */
const statements = (table: Table) => ({
  get: onceFor((db) => db.prepare<[string], string>(`SELECT value FROM ${table} WHERE name = ?`).pluck()),
  put: onceFor((db) =>
    db.prepare<[string, string]>(
      `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ),
  ),
});
const OF = { meta: statements('meta'), record_meta: statements('record_meta') };

const read = (db: Db, table: Table, name: string): string | null => OF[table].get(db).get(name) ?? null;

function write(db: Db, table: Table, row: [name: string, value: string]): void {
  OF[table].put(db).run(...row);
}

/** Returns what is stored of all published identities together; see `PublishedTotals`. */
export function readTotals(db: Db): { identities: number; postings: number; newest: number | null } {
  const newest = Number(readMeta(db, 'newest') ?? 'none');
  return {
    identities: Number(readMeta(db, 'identities') ?? 0),
    postings: Number(readMeta(db, 'postings') ?? 0),
    newest: Number.isFinite(newest) ? newest : null,
  };
}
