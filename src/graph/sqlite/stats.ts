import { nameTablesDigest } from '../../names/index.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { GraphStats } from '../graph.ts';
import { readMeta } from './meta.ts';

export function graphStats(db: Db): GraphStats {
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    records: count('SELECT count(*) FROM record'),
    identities: count('SELECT count(*) FROM identity WHERE records > 0'),
    merged: count('SELECT count(*) FROM identity WHERE merged_into IS NOT NULL'),
    postings: Number(readMeta(db, 'postings') ?? 0),
    unlinked: isLinked(db) ? 0 : count('SELECT count(*) FROM record WHERE identity IS NULL'),
    linkedAt: readMeta(db, 'linked_at'),
    settled: isLinked(db) && readMeta(db, 'settled') !== 'no',
  };
}

const isLinked = (db: Db) => readMeta(db, 'revision') === readMeta(db, 'linked_revision');

/** What makes checks weaker than they could be, and what to do about it: a sentence each. */
export function graphWarnings(db: Db): string[] {
  const warnings: string[] = [];
  if (!isLinked(db))
    warnings.push(
      'Records were imported that are not linked yet. Run that import again, or: bonafide graph link',
    );
  const linkedWith = readMeta(db, 'name_tables');
  if (linkedWith !== null && linkedWith !== nameTablesDigest())
    warnings.push(
      'The name tables are others than those the records were linked with, so some names are not found in all their forms. Run: bonafide graph link',
    );
  return warnings;
}
