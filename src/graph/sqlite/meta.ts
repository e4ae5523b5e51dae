import type { Db } from '../../platform/sqlite.ts';

/** What the graph file says of itself. */
export type MetaName =
  | 'secret_check'
  | 'revision'
  | 'linked_revision'
  | 'linked_at'
  | 'link_stamp'
  | 'settled'
  | 'error_rates'
  | 'name_tables'
  | 'identities'
  | 'newest'
  | 'postings';

export function readMeta(db: Db, name: MetaName): string | null {
  return db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck().get(name) ?? null;
}

export function writeMeta(db: Db, name: MetaName, value: string): void {
  db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(
    name,
    value,
  );
}
