import type { GraphStats } from '../graph.ts';
import { type Db, readMeta } from './database.ts';

export function graphStats(db: Db): GraphStats {
  const count = (sql: string) => db.prepare(sql).pluck().get() as number;
  return {
    records: count('SELECT count(*) FROM record'),
    identities: count('SELECT count(*) FROM identity WHERE records > 0'),
    merged: count('SELECT count(*) FROM identity WHERE merged_into IS NOT NULL'),
    postings: Number(readMeta(db, 'postings') ?? 0),
    unlinked:
      readMeta(db, 'revision') === readMeta(db, 'linked_revision')
        ? 0
        : count('SELECT count(*) FROM record WHERE identity IS NULL'),
    linkedAt: readMeta(db, 'linked_at'),
  };
}
